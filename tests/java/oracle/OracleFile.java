// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * The events of a recording in the order of the file, each as two readers see it.
 *
 * One reads the whole file, as everybody does. The other reads each chunk as a file of its own:
 * what it shows is what the chunk says. They differ where a constant has the same key in two chunks
 * but not the same value (a renamed thread): the JDK's reader of several chunks shows the value
 * that it saw first. Times are those of the whole file, as a chunk by itself has a clock of its
 * own.
 */
final class OracleFile {
    private static final int HEADER_BYTES = 68;
    private static final int MAGIC = 0x464c5200;
    private static final int SIZE_AT = 8;
    private static final int START_NANOS_AT = 32;
    private static final int START_TICKS_AT = 48;
    private static final int TICKS_PER_SECOND_AT = 56;

    /** Bytes from begin to before end, the clock, and the first chunk of the same JVM. */
    record Chunk(int index, long begin, long end, Clock clock, int first) {}

    /** A point in time in ticks and in nanoseconds since 1970. */
    record Clock(long startNanos, long startTicks, long ticksPerSecond) {
        /** The wall time of a tick, in the arithmetic of the JDK's reader. */
        Instant instant(long ticks) {
            return Instant.ofEpochSecond(0, nanos(ticks));
        }

        long nanos(long ticks) {
            double ticksPerNano = ticksPerSecond / 1e9;
            return startNanos + (long) ((ticks - startTicks) / ticksPerNano);
        }

        /** How many whole ticks a length of time is. */
        long ticks(long nanos) {
            return nanos / 1_000_000_000L * ticksPerSecond
                    + nanos % 1_000_000_000L * ticksPerSecond / 1_000_000_000L;
        }

        /** Whether a later one may be of the same JVM: not everything about clocks is exact. */
        boolean isContinuedBy(Clock later) {
            long elapsed = later.startNanos - startNanos;
            return later.ticksPerSecond == ticksPerSecond && later.startTicks >= startTicks
                    && Math.abs(nanos(later.startTicks) - later.startNanos)
                    <= 1_000_000_000L + elapsed / 100;
        }
    }

    /** Gets the events one by one. shown: as the whole file has it; own: as its chunk has it. */
    interface Visitor {
        void visit(Chunk chunk, RecordedEvent shown, RecordedEvent own);
    }

    private OracleFile() {}

    /** What Loupe adds to a recording to say what it is of. */
    private static final Set<String> ADDED = Set.of(OracleAccounts.TYPE, OracleAttributes.TYPE,
            "dev.loupe.Request", "dev.loupe.HandOver", "dev.loupe.RequestAccounting");

    /** All events but those that Loupe has added. */
    static void read(Path path, Visitor visitor) throws IOException {
        readAll(path, (chunk, shown, own) -> {
            if (!isOwn(own)) {
                visitor.visit(chunk, shown, own);
            }
        });
    }

    /** Whether Loupe has written the event of its own. */
    static boolean isOwn(RecordedEvent event) {
        return ADDED.contains(event.getEventType().getName());
    }

    static void readAll(Path path, Visitor visitor) throws IOException {
        List<Chunk> chunks = chunks(path);
        try (RecordingFile whole = new RecordingFile(path)) {
            if (chunks.size() == 1) {
                while (whole.hasMoreEvents()) {
                    RecordedEvent event = whole.readEvent();
                    visitor.visit(chunks.get(0), event, event);
                }
                return;
            }
            for (Chunk chunk : chunks) {
                readChunk(path, whole, chunk, visitor);
            }
            if (whole.hasMoreEvents()) {
                throw new IOException("there are more events in the file than in its chunks");
            }
        }
    }

    private static void readChunk(Path path, RecordingFile whole, Chunk chunk, Visitor visitor)
            throws IOException {
        Path piece = Files.createTempFile("oracle", ".jfr");
        try (FileChannel in = FileChannel.open(path);
                FileChannel out = FileChannel.open(piece, StandardOpenOption.WRITE)) {
            in.transferTo(chunk.begin, chunk.end - chunk.begin, out);
            try (RecordingFile alone = new RecordingFile(piece)) {
                while (alone.hasMoreEvents()) {
                    RecordedEvent own = alone.readEvent();
                    RecordedEvent shown = whole.readEvent();
                    if (!own.getEventType().getName().equals(shown.getEventType().getName())
                            || ticks(own) != ticks(shown)) {
                        throw new IOException("the file and its chunk " + chunk.index
                                + " have other events:\n" + own + shown);
                    }
                    visitor.visit(chunk, shown, own);
                }
            }
        } finally {
            Files.delete(piece);
        }
    }

    /** The start time as it is in the file. */
    static long ticks(RecordedEvent event) {
        return (long) event.getValue("startTime");
    }

    /** The chunks, as their headers have them. */
    static List<Chunk> chunks(Path path) throws IOException {
        List<Chunk> chunks = new ArrayList<>();
        try (FileChannel file = FileChannel.open(path)) {
            ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
            for (long begin = 0; begin < file.size();) {
                header.clear();
                if (file.read(header, begin) < HEADER_BYTES || header.getInt(0) != MAGIC) {
                    throw new IOException("no chunk at offset " + begin);
                }
                long size = header.getLong(SIZE_AT);
                if (size < HEADER_BYTES || size > file.size() - begin) {
                    throw new IOException("chunk at offset " + begin + " of " + size + " bytes");
                }
                Clock clock = new Clock(header.getLong(START_NANOS_AT),
                        header.getLong(START_TICKS_AT), header.getLong(TICKS_PER_SECOND_AT));
                int index = chunks.size();
                Chunk before = index == 0 ? null : chunks.get(index - 1);
                boolean isNext = before != null && before.clock.isContinuedBy(clock);
                chunks.add(new Chunk(
                        index, begin, begin + size, clock, isNext ? before.first : index));
                begin += size;
            }
        }
        return chunks;
    }
}
