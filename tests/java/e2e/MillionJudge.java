// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;

/**
 * Judges a recording of {@link Million} by its journal.
 *
 * <pre>MillionJudge JOURNAL RECORDING.jfr</pre>
 *
 * Of the last turn each event is there, and each context that is there is on its thread, and begins
 * and ends where the journal says or where a chunk does. Prints "events OUTSIDE of ALL are in no
 * context"; fails with what is wrong.
 */
public final class MillionJudge {
    // A JVM may store an event in a chunk that does not describe the thread.
    private static final int THREADLESS_MAX = 10;
    private static final int HEADER_SIZE = 8;
    private static final int HEADER_START_TICKS = 48;
    private static final int NONE = -1;

    private final LongBuffer journal;
    private final Set<Long> chunkBegins;
    private final int count;
    private final byte[] found; // events of each context
    private final int[] lastPart; // of each context
    private long[] begins = new long[1 << 20]; // of parts
    private long[] ends = begins.clone();
    private int[] partsBefore = new int[begins.length]; // of the same context
    private int partCount;
    private long[] eventTimes = begins.clone();
    private int[] eventNumbers = partsBefore.clone();
    private int eventCount;
    private int threadless;

    private MillionJudge(LongBuffer journal, Set<Long> chunkBegins) {
        this.journal = journal;
        this.chunkBegins = chunkBegins;
        count = journal.limit() / Million.FIELDS;
        found = new byte[count];
        lastPart = new int[count];
        Arrays.fill(lastPart, NONE);
    }

    static int run(String[] args) throws Exception {
        Path recording = Path.of(args[1]);
        MillionJudge judge = new MillionJudge(
                ByteBuffer.wrap(Files.readAllBytes(Path.of(args[0]))).asLongBuffer(),
                chunkBeginsOf(ByteBuffer.wrap(Files.readAllBytes(recording))));
        try (RecordingFile file = new RecordingFile(recording)) {
            while (file.hasMoreEvents()) {
                judge.look(file.readEvent());
            }
        }
        System.out.println("events " + judge.countOutside() + " of " + judge.eventCount
                + " are in no context");
        return 0;
    }

    private static Set<Long> chunkBeginsOf(ByteBuffer bytes) {
        Set<Long> begins = new HashSet<>();
        for (int at = 0; at < bytes.limit(); at += (int) bytes.getLong(at + HEADER_SIZE)) {
            begins.add(bytes.getLong(at + HEADER_START_TICKS));
        }
        return begins;
    }

    private void look(RecordedEvent event) {
        String type = event.getEventType().getName();
        if (type.equals("e2e.Tick") && event.getLong("seq") >= 0) {
            addEvent((int) event.getLong("seq"), event);
        } else if (type.equals("e2e_order") && event.getLong("id") >= 0) {
            addPart((int) event.getLong("id"), event);
        }
    }

    private void addEvent(int number, RecordedEvent event) {
        RecordedThread thread = event.getThread("eventThread");
        threadless += thread == null ? 1 : 0;
        check(thread == null || isThreadOf(number, thread), number, "is on thread " + thread);
        found[number]++;
        if (eventCount == eventTimes.length) {
            eventTimes = Arrays.copyOf(eventTimes, eventCount * 2);
            eventNumbers = Arrays.copyOf(eventNumbers, eventCount * 2);
        }
        eventTimes[eventCount] = event.getValue("startTime");
        eventNumbers[eventCount++] = number;
    }

    private void addPart(int number, RecordedEvent event) {
        check(isThreadOf(number, event.getThread("eventThread")), number, "is on another thread");
        long begin = event.getValue("startTime");
        long end = begin + (long) event.getValue("duration");
        boolean isBegin = begin >= journalOf(number, Million.BEGIN_FROM)
                && (begin <= journalOf(number, Million.BEGIN_TO) || chunkBegins.contains(begin));
        boolean isEnd = end <= journalOf(number, Million.END_TO)
                && (end >= journalOf(number, Million.END_FROM) || chunkBegins.contains(end + 1));
        check(isBegin && isEnd, number, "is there from " + begin + " to " + end);
        if (partCount == begins.length) {
            begins = Arrays.copyOf(begins, partCount * 2);
            ends = Arrays.copyOf(ends, partCount * 2);
            partsBefore = Arrays.copyOf(partsBefore, partCount * 2);
        }
        begins[partCount] = begin;
        ends[partCount] = end;
        partsBefore[partCount] = lastPart[number];
        lastPart[number] = partCount++;
    }

    private boolean isThreadOf(int number, RecordedThread thread) {
        return thread != null && thread.getJavaThreadId() == journalOf(number, Million.THREAD);
    }

    private int countOutside() {
        check(threadless <= THREADLESS_MAX, 0, threadless + " events have no thread");
        for (int i = 0; i < count; i++) {
            check(found[i] == Million.eventsOf(i), i, "has " + found[i] + " events");
        }
        int outside = 0;
        for (int i = 0; i < eventCount; i++) {
            int covering = 0;
            for (int part = lastPart[eventNumbers[i]]; part != NONE; part = partsBefore[part]) {
                covering += begins[part] <= eventTimes[i] && eventTimes[i] <= ends[part] ? 1 : 0;
            }
            check(covering <= 1, eventNumbers[i], "is there twice at " + eventTimes[i]);
            outside += 1 - covering;
        }
        return outside;
    }

    private long journalOf(int number, int field) {
        return journal.get(number * Million.FIELDS + field);
    }

    private void check(boolean isRight, int number, String problem) {
        if (!isRight) {
            StringBuilder expected = new StringBuilder();
            for (int i = 0; i < Million.FIELDS; i++) {
                expected.append(' ').append(journalOf(number, i));
            }
            throw new AssertionError("context " + number + " " + problem + ":" + expected);
        }
    }
}
