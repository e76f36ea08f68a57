// SPDX-License-Identifier: Apache-2.0

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import jdk.jfr.AnnotationElement;
import jdk.jfr.EventType;
import jdk.jfr.ValueDescriptor;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;

/**
 * Lists the longest contexts of a recording with the JDK's own API, as somebody would who needs
 * them now: of each its begin, duration, thread, type and attributes, how many events happened in
 * it, and how long its thread waited.
 *
 * <pre>ReadContexts FILE.jfr MIN_NANOS LIMIT</pre>
 *
 * The last line is how many contexts are that long, and for those that are listed the sums of their
 * durations, events and waits.
 */
public final class ReadContexts {
    private static final Set<String> WAITS = Set.of("jdk.JavaMonitorEnter",
            "jdk.JavaMonitorInflate", "jdk.ThreadPark", "jdk.JavaMonitorWait", "jdk.ThreadSleep",
            "jdk.SocketRead", "jdk.SocketWrite", "jdk.SocketConnect", "jdk.FileRead",
            "jdk.FileWrite", "jdk.FileForce", "jdk.VirtualThreadPinned");

    private record Span(long thread, long begin, long end, boolean isWait, String textOrNull) {}

    private ReadContexts() {}

    public static void main(String[] args) throws Exception {
        long minNanos = Long.parseLong(args[1]);
        List<Span> contexts = new ArrayList<>();
        Map<Long, List<Span>> events = new HashMap<>();
        read(Path.of(args[0]), minNanos, contexts, events);
        contexts.removeIf(context -> context.end - context.begin < minNanos);
        events.values().forEach(list -> list.sort(Comparator.comparingLong(Span::end)));
        contexts.sort(Comparator.comparingLong((Span context) -> context.begin - context.end)
                              .thenComparingLong(Span::begin));
        StringBuilder table = new StringBuilder();
        long[] sums = new long[3];
        for (Span context :
                contexts.subList(0, Math.min(Integer.parseInt(args[2]), contexts.size()))) {
            add(context, events.getOrDefault(context.thread, List.of()), sums, table);
        }
        System.out.print(table);
        System.out.println(contexts.size() + " " + sums[0] + " " + sums[1] + " " + sums[2]);
    }

    private static void read(Path file, long minNanos, List<Span> contexts,
            Map<Long, List<Span>> events) throws Exception {
        Map<Long, Boolean> isContext = new HashMap<>();
        try (RecordingFile recording = new RecordingFile(file)) {
            while (recording.hasMoreEvents()) {
                RecordedEvent event = recording.readEvent();
                EventType type = event.getEventType();
                RecordedThread thread = event.hasField("sampledThread")
                        ? event.getThread("sampledThread")
                        : event.getThread();
                if (thread == null) {
                    continue;
                }
                boolean isWanted =
                        isContext.computeIfAbsent(type.getId(), unused -> isContextual(type));
                Span span = new Span(thread.getId(), nanos(event.getStartTime()),
                        nanos(event.getEndTime()), WAITS.contains(type.getName()),
                        isWanted && event.getDuration().toNanos() >= minNanos ? text(event, thread)
                                                                              : null);
                if (isWanted) {
                    contexts.add(span);
                } else {
                    events.computeIfAbsent(span.thread, unused -> new ArrayList<>()).add(span);
                }
            }
        }
    }

    private static String text(RecordedEvent event, RecordedThread thread) {
        StringBuilder text = new StringBuilder();
        text.append(thread.getJavaName()).append("  ").append(event.getEventType().getName());
        for (ValueDescriptor field : event.getEventType().getFields()) {
            if (isContextual(field)) {
                text.append(' ').append(field.getName()).append('=');
                text.append((Object) event.getValue(field.getName()));
            }
        }
        return text.toString();
    }

    private static boolean isContextual(ValueDescriptor field) {
        for (AnnotationElement annotation : field.getAnnotationElements()) {
            if (annotation.getTypeName().endsWith("Contextual")) {
                return true;
            }
        }
        return false;
    }

    private static boolean isContextual(EventType type) {
        return type.getFields().stream().anyMatch(ReadContexts::isContextual);
    }

    private static long nanos(Instant time) {
        return time.getEpochSecond() * 1_000_000_000 + time.getNano();
    }

    private static void add(Span context, List<Span> events, long[] sums, StringBuilder table) {
        int low = 0;
        int high = events.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (events.get(middle).end < context.begin) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        long count = 0;
        long waited = 0;
        for (; low < events.size() && events.get(low).end <= context.end; low++) {
            Span event = events.get(low);
            count++;
            waited += event.isWait ? event.end - Math.max(event.begin, context.begin) : 0;
        }
        sums[0] += context.end - context.begin;
        sums[1] += count;
        sums[2] += waited;
        table.append(Instant.ofEpochSecond(0, context.begin)).append(' ');
        table.append(context.end - context.begin).append(' ').append(waited).append(' ');
        table.append(count).append("  ").append(context.textOrNull).append('\n');
    }
}
