// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;

/** An event with what is needed of it. index: in the file; chunk: its index. */
final class OracleRow {
    private static final Map<String, String> CATEGORIES = new HashMap<>();

    static {
        add("lock", "JavaMonitorEnter", "JavaMonitorInflate");
        add("park", "ThreadPark");
        add("wait", "JavaMonitorWait");
        add("sleep", "ThreadSleep");
        add("io", "SocketRead", "SocketWrite", "SocketConnect", "FileRead", "FileWrite",
                "FileForce");
        add("pinned", "VirtualThreadPinned");
        add("gc", "GCPhasePause", "ZAllocationStall");
        add("safepoint", "SafepointBegin", "ExecuteVMOperation");
        add("class_loading", "ClassLoad", "ClassDefine");
        add("compilation", "Compilation");
        add("cpu", "ExecutionSample", "CPUTimeSample");
        CATEGORIES.put("dev.loupe.VirtualThreadMonitorEnter", "lock");
    }

    private static void add(String category, String... types) {
        for (String type : types) {
            CATEGORIES.put("jdk." + type, category);
        }
    }

    static boolean isPause(String type) {
        return type.equals("jdk.GCPhasePause") || type.equals("jdk.SafepointBegin")
                || type.equals("jdk.ExecuteVMOperation");
    }

    int index;
    int chunk;
    String type;
    String thread;
    String threadName;
    String javaThreadOrNull; // its id
    long begin;
    long commit;
    OracleFile.Clock clock; // of the chunk in which it began
    long beginNanos;
    long endNanos;
    boolean isContext;
    boolean isPark; // of a virtual thread, traced
    boolean hasDuration;
    long contextId; // of the parts of a context of the Loupe API; 0: none
    Map<String, String> attributes;
    RecordedEvent event;
    long bytes; // that were allocated
    long period; // that a sample says itself, or a setting
    // Of contexts
    List<OracleRow> events = new ArrayList<>();
    List<OracleRow> pauses = new ArrayList<>();
    long blocked;
    boolean isInner;
    private OracleNested countingOrNull;
    private OracleNested pinnedOrNull;
    private OracleNested stopsOrNull;

    void setClock(OracleFile.Clock its) {
        clock = its;
        beginNanos = its.nanos(begin);
        endNanos = its.nanos(commit);
    }

    /**
     * Events that last, but for the parks by which a virtual thread sleeps, or waits for a socket.
     */
    OracleNested counting() {
        if (countingOrNull == null) {
            countingOrNull = new OracleNested(List.of(), clock);
            for (OracleRow row : new OracleNested(events, clock).rows()) {
                OracleRow around =
                        countingOrNull.innermost(Math.max(clock.nanos(row.begin), beginNanos));
                boolean isWithin =
                        around != null && List.of("sleep", "io").contains(around.category());
                if (!isWithin || !"park".equals(row.category())) {
                    countingOrNull.add(row);
                }
            }
        }
        return countingOrNull;
    }

    /** Those in which a virtual thread was pinned. */
    OracleNested pinned() {
        if (pinnedOrNull == null) {
            List<OracleRow> pinned = new ArrayList<>(events);
            pinned.removeIf(row -> !row.category().equals("pinned"));
            pinnedOrNull = new OracleNested(pinned, clock);
        }
        return pinnedOrNull;
    }

    /** When the JVM was stopped. */
    OracleNested stops() {
        if (stopsOrNull == null) {
            stopsOrNull = new OracleNested(pauses, clock);
        }
        return stopsOrNull;
    }

    boolean applies(OracleRow event) {
        return begin <= event.commit && event.commit <= end();
    }

    long end() {
        return commit;
    }

    String category() {
        return isPark ? "park" : CATEGORIES.getOrDefault(type, "other");
    }

    long duration() {
        return endNanos - beginNanos;
    }

    /** The frames from the bottom, with a ; behind each; none if it does not say any. */
    String stackOr(String none) {
        String stack = stack(event);
        return stack.isEmpty() ? none : stack;
    }

    private static String stack(RecordedEvent event) {
        String stack = "";
        if (event.getStackTrace() != null) {
            for (RecordedFrame frame : event.getStackTrace().getFrames()) {
                stack = OracleFields.name(frame) + ";" + stack;
            }
        }
        boolean isCut = !stack.isEmpty() && event.getStackTrace().isTruncated();
        return (isCut ? "[truncated];" : "") + stack;
    }
}
