// SPDX-License-Identifier: Apache-2.0

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import jdk.jfr.EventType;
import jdk.jfr.consumer.RecordingFile;
import one.jfr.ClassRef;
import one.jfr.Dictionary;
import one.jfr.JfrReader;
import one.jfr.MethodRef;
import one.jfr.StackTrace;
import one.jfr.event.AllocationSample;
import one.jfr.event.ContendedLock;
import one.jfr.event.Event;
import one.jfr.event.ExecutionSample;

/**
 * The reader of async-profiler's converter as a judge of recordings that were compacted.
 *
 * <pre>AsyncProfilerJudge [INPUT OUTPUT]...</pre>
 *
 * For each pair: every sample, allocation and lock that it sees in the output, with its thread and
 * its stack trace, is one that it sees in the input; and it sees as many as the JDK's reader. It
 * knows some types by heart and stumbles over those that others write in another way, so an input
 * that it cannot read is skipped. Prints a line for each pair; exit status 1 if one failed.
 */
public final class AsyncProfilerJudge {
    private static final int SHOWN_MAX = 4;
    private static final Map<String, Class<? extends Event>> KINDS = Map.of("jdk.ExecutionSample",
            ExecutionSample.class, "jdk.NativeMethodSample", ExecutionSample.class,
            "jdk.CPUTimeSample", ExecutionSample.class, "profiler.WallClockSample",
            ExecutionSample.class, "jdk.ObjectAllocationInNewTLAB", AllocationSample.class,
            "jdk.ObjectAllocationOutsideTLAB", AllocationSample.class, "jdk.ObjectAllocationSample",
            AllocationSample.class, "jdk.JavaMonitorEnter", ContendedLock.class, "jdk.ThreadPark",
            ContendedLock.class);

    private final List<String> problems = new ArrayList<>();
    private final Map<Class<?>, Integer> kinds = new HashMap<>();

    public static void main(String[] args) {
        boolean isFailed = false;
        for (int i = 0; i < args.length; i += 2) {
            AsyncProfilerJudge judge = new AsyncProfilerJudge();
            String verdict = "not read";
            try {
                verdict = judge.judge(args[i], args[i + 1]);
            } catch (Exception | Error e) {
                e.printStackTrace();
                judge.problems.add(e.toString());
            }
            System.out.println((judge.problems.isEmpty() ? "ok " : "FAILED ") + args[i + 1] + ": "
                    + verdict + ' ' + String.join("; ", judge.problems));
            isFailed |= !judge.problems.isEmpty();
        }
        System.exit(isFailed ? 1 : 0);
    }

    private String judge(String input, String output) throws Exception {
        Map<String, Integer> fields = fieldsOfKinds(input);
        for (Map.Entry<String, Integer> type : fieldsOfKinds(output).entrySet()) {
            if (type.getValue() > fields.getOrDefault(type.getKey(), type.getValue())) {
                return type.getKey() + " has a field that it does not expect";
            }
        }
        Map<String, Integer> before;
        try {
            before = read(input);
        } catch (IOException | RuntimeException e) {
            return "it cannot read the input: " + e.getMessage();
        }
        if (!seesAll(input)) {
            return "it does not see all of the input";
        }
        Map<String, Integer> after = read(output);
        disagreement(output).forEach(this::complain);
        after.forEach((event, count) -> {
            int surplus = count - before.getOrDefault(event, 0);
            if (surplus > 0) {
                complain("not in the input (" + surplus + "): " + event);
            }
        });
        return sum(after) + " events, " + (sum(before) - sum(after)) + " fewer";
    }

    // It reads those that it knows by the order of their fields, and goes on behind the last field
    // that it knows.
    private static Map<String, Integer> fieldsOfKinds(String recording) throws IOException {
        Map<String, Integer> counts = new HashMap<>();
        try (RecordingFile file = new RecordingFile(Path.of(recording))) {
            for (EventType type : file.readEventTypes()) {
                if (KINDS.containsKey(type.getName())) {
                    counts.merge(type.getName(), type.getFields().size(), Math::max);
                }
            }
        } catch (InternalError e) {
            return Map.of(); // it is the JDK that cannot read it
        }
        return counts;
    }

    private boolean seesAll(String input) {
        try {
            return disagreement(input).isEmpty();
        } catch (IOException | InternalError e) {
            return true; // it is the JDK that cannot read it
        }
    }

    private void complain(String problem) {
        if (problems.size() < SHOWN_MAX) {
            problems.add(problem);
        }
    }

    private static int sum(Map<String, Integer> counts) {
        return counts.values().stream().mapToInt(Integer::intValue).sum();
    }

    private Map<String, Integer> read(String file) throws Exception {
        Map<String, Integer> found = new HashMap<>();
        kinds.clear();
        try (JfrReader reader = new JfrReader(file)) {
            reader.stopAtNewChunk = true;
            do {
                for (Event event; (event = reader.readEvent()) != null;) {
                    found.merge(text(reader, event), 1, Integer::sum);
                    kinds.merge(event.getClass(), 1, Integer::sum);
                }
                forget(reader);
            } while (reader.hasMoreChunks());
            if (reader.incomplete()) {
                throw new IllegalStateException("incomplete");
            }
        }
        return found;
    }

    // It goes on knowing the constants of earlier chunks, and shows them where a chunk lacks its
    // own.
    private static void forget(JfrReader reader) {
        for (Dictionary<?> constants : List.of(reader.threads, reader.javaThreads, reader.classes,
                     reader.strings, reader.symbols, reader.methods, reader.stackTraces)) {
            constants.clear();
        }
    }

    // Its times are ticks, which nothing changes.
    private static String text(JfrReader reader, Event event) {
        StringBuilder out = new StringBuilder(event.getClass().getSimpleName());
        out.append(' ').append(event.time).append(' ').append(event.samples());
        out.append(' ')
                .append(event.value())
                .append(' ')
                .append(className(reader, event.classId()));
        out.append(' ').append(reader.threads.get(event.tid));
        out.append(' ').append(reader.javaThreads.get(event.tid));
        StackTrace trace = reader.stackTraces.get(event.stackTraceId);
        long hash = 1;
        for (int i = 0; trace != null && i < trace.methods.length; i++) {
            String frame = method(reader, trace.methods[i]) + trace.types[i] + trace.locations[i];
            hash = hash * 31 + frame.hashCode();
        }
        return out.append(' ').append(Long.toHexString(hash)).toString();
    }

    private static String className(JfrReader reader, long id) {
        ClassRef type = id == 0 ? null : reader.classes.get(id);
        return type == null ? "-" : symbol(reader, type.name);
    }

    private static String method(JfrReader reader, long id) {
        MethodRef method = reader.methods.get(id);
        return method == null ? "-"
                              : className(reader, method.cls) + '.' + symbol(reader, method.name)
                        + symbol(reader, method.sig);
    }

    private static String symbol(JfrReader reader, long id) {
        byte[] symbol = reader.symbols.get(id);
        return symbol == null ? "-" : new String(symbol, StandardCharsets.UTF_8);
    }

    // Where it has just seen another number of events of a kind than the JDK's reader does.
    private List<String> disagreement(String recording) throws IOException {
        Map<Class<?>, Integer> expected = new HashMap<>();
        try (RecordingFile file = new RecordingFile(Path.of(recording))) {
            while (file.hasMoreEvents()) {
                Class<?> kind = KINDS.get(file.readEvent().getEventType().getName());
                if (kind != null) {
                    expected.merge(kind, 1, Integer::sum);
                }
            }
        }
        List<String> found = new ArrayList<>();
        for (Class<?> kind : new HashSet<>(KINDS.values())) {
            int count = kinds.getOrDefault(kind, 0);
            if (count != expected.getOrDefault(kind, 0)) {
                found.add(
                        kind.getSimpleName() + ": " + count + ", by the JDK " + expected.get(kind));
            }
        }
        return found;
    }
}
