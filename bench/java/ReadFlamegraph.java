// SPDX-License-Identifier: Apache-2.0

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import jdk.jfr.AnnotationElement;
import jdk.jfr.EventType;
import jdk.jfr.ValueDescriptor;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;

/**
 * Counts the events in the longest contexts of a recording by stack trace with the JDK's own API,
 * as somebody would who needs a flame graph of them now, and prints collapsed stacks.
 *
 * <pre>ReadFlamegraph FILE.jfr MIN_NANOS</pre>
 *
 * Unlike <code>loupe flamegraph --value count</code> it has no pauses of the JVM.
 */
public final class ReadFlamegraph {
    private static final Map<String, String> CATEGORIES = Map.ofEntries(
            Map.entry("jdk.JavaMonitorEnter", "lock"), Map.entry("jdk.JavaMonitorInflate", "lock"),
            Map.entry("jdk.ThreadPark", "park"), Map.entry("jdk.JavaMonitorWait", "wait"),
            Map.entry("jdk.ThreadSleep", "sleep"), Map.entry("jdk.SocketRead", "io"),
            Map.entry("jdk.SocketWrite", "io"), Map.entry("jdk.SocketConnect", "io"),
            Map.entry("jdk.FileRead", "io"), Map.entry("jdk.FileWrite", "io"),
            Map.entry("jdk.FileForce", "io"), Map.entry("jdk.VirtualThreadPinned", "pinned"),
            Map.entry("jdk.ZAllocationStall", "gc"), Map.entry("jdk.ClassLoad", "class_loading"),
            Map.entry("jdk.ClassDefine", "class_loading"),
            Map.entry("jdk.Compilation", "compilation"));

    private record Span(long begin, long end, RecordedEvent event) {}

    private ReadFlamegraph() {}

    public static void main(String[] args) throws Exception {
        long minNanos = Long.parseLong(args[1]);
        Map<Long, List<Span>> contexts = new HashMap<>();
        Map<Long, List<Span>> events = new HashMap<>();
        read(Path.of(args[0]), minNanos, contexts, events);
        Map<String, Long> counts = new TreeMap<>();
        contexts.forEach((thread, list) -> {
            List<Span> own = events.getOrDefault(thread, new ArrayList<>());
            own.sort(Comparator.comparingLong(Span::end));
            list.sort(Comparator.comparingLong(Span::begin).thenComparingLong(span -> - span.end));
            long end = Long.MIN_VALUE; // of those so far: one within them does not count again
            for (Span context : list) {
                if (context.end > end) {
                    add(context, own, counts);
                    end = context.end;
                }
            }
        });
        StringBuilder lines = new StringBuilder();
        counts.forEach(
                (stack, count) -> lines.append(stack).append(' ').append(count).append('\n'));
        System.out.print(lines);
    }

    private static void read(Path file, long minNanos, Map<Long, List<Span>> contexts,
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
                Span span = new Span(nanos(event.getStartTime()), nanos(event.getEndTime()), event);
                if (!isContext.computeIfAbsent(type.getId(), unused -> isContextual(type))) {
                    events.computeIfAbsent(thread.getId(), unused -> new ArrayList<>()).add(span);
                } else if (span.end - span.begin >= minNanos) {
                    contexts.computeIfAbsent(thread.getId(), unused -> new ArrayList<>()).add(span);
                }
            }
        }
    }

    private static boolean isContextual(EventType type) {
        for (ValueDescriptor field : type.getFields()) {
            for (AnnotationElement annotation : field.getAnnotationElements()) {
                if (annotation.getTypeName().endsWith("Contextual")) {
                    return true;
                }
            }
        }
        return false;
    }

    private static long nanos(Instant time) {
        return time.getEpochSecond() * 1_000_000_000 + time.getNano();
    }

    private static void add(Span context, List<Span> events, Map<String, Long> counts) {
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
        for (; low < events.size() && events.get(low).end <= context.end; low++) {
            counts.merge(stack(events.get(low).event), 1L, Long::sum);
        }
    }

    private static String stack(RecordedEvent event) {
        String type = event.getEventType().getName();
        StringBuilder stack = new StringBuilder();
        if (event.getStackTrace() != null) {
            List<RecordedFrame> frames = event.getStackTrace().getFrames();
            for (int i = frames.size() - 1; i >= 0; i--) {
                stack.append(frames.get(i).getMethod().getType().getName()).append('.');
                stack.append(frames.get(i).getMethod().getName()).append(';');
            }
        }
        if (type.equals("jdk.ExecutionSample")) {
            return stack.length() == 0 ? "[cpu]" : stack.substring(0, stack.length() - 1);
        }
        return stack + "[" + CATEGORIES.getOrDefault(type, "other: " + type) + "]";
    }
}
