// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import dev.loupe.RecordingContext;
import dev.loupe.RecordingContextFilter;
import dev.loupe.RecordingContextFilter.Config;
import dev.loupe.RecordingContextKey;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.EventType;

/**
 * Threads of both kinds commit events in RecordingContexts and outside, while the filter of the JVM
 * changes. What must survive is for the judge to say.
 *
 * <pre>FilterE2E JOURNAL REFERENCE.jfr PLATFORM_THREADS VIRTUAL_THREADS CHUNKS FILTERS [STOP]</pre>
 *
 * It goes through FILTERS, numbers with commas between, until so many chunk files have begun, once
 * at least. With STOP, a path, it prints {@code set} after the last and stays with that until there
 * is a file.
 */
public final class FilterE2E extends JournaledRun {
    private static final String TYPE = "loupe.RecordingContext";
    private static final RecordingContextKey ENDPOINT = RecordingContextKey.forName("endpoint");
    private static final RecordingContextKey ODD = RecordingContextKey.forName("an \"odd\\ key");
    private static final String PAY = "/pay \"now\"";
    private static final String CUT = "x".repeat(1023);
    private static final String LONG = CUT + "\u00fc and more";
    private static final int STEPS_BETWEEN = 100;

    private final AtomicLong steps = new AtomicLong();
    private final long chunks;
    private final String[] filters;
    private final Path stop;

    private FilterE2E(String[] args) {
        super(args, true);
        chunks = Long.parseLong(args[4]);
        filters = args[5].split(",");
        stop = args.length > 6 ? Path.of(args[6]) : null;
    }

    public static void main(String[] args) throws Exception {
        new FilterE2E(args).record();
    }

    // By their number, as the judge knows them.
    private static RecordingContextFilter filter(int number) {
        EventType mark = EventType.getEventType(Marks.Mark.class);
        RecordingContextFilter.Builder builder = Config.createFilter();
        switch (number) {
            case 0:
                return null;
            case 1:
                return builder.forAllTypes(t -> t.hasContext()).build();
            case 2:
                return builder.forType(mark, t -> t.hasEntry(ENDPOINT, PAY)).build();
            case 3:
                return builder.forType(mark, t -> t.hasNoContext())
                        .forAllTypes(t -> t.hasKey(ODD))
                        .forType(mark, t -> t.reset())
                        .build();
            case 4:
                return builder.forAllTypes(t -> t.hasContext())
                        .forType(mark, t -> t.hasNoContext())
                        .build();
            case 5:
                return builder.forType(mark, t -> t.hasKey(ENDPOINT))
                        .forType(mark, t -> t.hasEntry(ENDPOINT, null))
                        .build();
            case 6:
                return builder.forType(mark, t -> t.hasEntry(ENDPOINT, LONG).hasKey(ODD)).build();
            case 7: // too large
                return builder
                        .forAllTypes(t -> {
                            for (int i = 0; i < 16; i++) {
                                t.hasEntry(ENDPOINT, i + LONG.repeat(5));
                            }
                        })
                        .build();
            default:
                throw new IllegalArgumentException("filter " + number);
        }
    }

    @Override
    void meanwhile() throws Exception {
        long end = countChunks() + chunks;
        waitForSteps();
        do {
            setAll();
        } while (countChunks() < end);
        if (stop != null) {
            System.out.println("set");
            await("the file", () -> Files.exists(stop));
        }
    }

    private void setAll() throws Exception {
        for (String number : filters) {
            RecordingContextFilter filter = filter(Integer.parseInt(number));
            long from = Ticks.between();
            Config.setContextFilter(filter);
            head.add("FILTER", from, Ticks.between(), Integer.parseInt(number));
            if (Config.contextFilter() != filter) {
                throw new AssertionError("another filter is set");
            }
            waitForSteps();
        }
    }

    private void waitForSteps() throws Exception {
        long end = steps.get() + STEPS_BETWEEN;
        await("steps of the threads", () -> steps.get() >= end);
    }

    @Override
    JournaledRun.Worker worker(int seed, boolean isPatient, ThreadFactory factory) {
        return new Worker(seed, factory);
    }

    private final class Worker extends JournaledRun.Worker {
        private int number;

        Worker(int seed, ThreadFactory factory) {
            super(seed, factory);
        }

        @Override
        void work() {
            repeat(0, this::step);
        }

        private void step() {
            commit();
            switch (random.nextInt(5)) {
                case 0:
                    in(RecordingContext.where(ENDPOINT, PAY), PAY, false);
                    break;
                case 1:
                    in(RecordingContext.where(ENDPOINT, "/other").where(ODD, null), "/other", true);
                    break;
                case 2:
                    in(RecordingContext.where(ENDPOINT, null), null, false);
                    break;
                case 3:
                    in(RecordingContext.where(ENDPOINT, LONG).where(ODD, "1"), CUT, true);
                    break;
                default:
                    break;
            }
            commit();
            steps.incrementAndGet();
        }

        // SET thread type begin-from begin-to number attribute=value...
        private void in(RecordingContext.Builder builder, String endpoint, boolean isOdd) {
            long from = Ticks.between();
            RecordingContext context = builder.build();
            if (ENDPOINT.isBound()) { // else there is no agent yet
                journal.add("SET", threadId, TYPE, from, Ticks.between(), ++number, "endpoint",
                        endpoint, isOdd ? "odd" : "even", "");
            }
            commit();
            LockSupport.parkNanos(200_000);
            long end = Ticks.between();
            context.close();
            journal.add("UNSET", threadId, TYPE, end, Ticks.between());
        }

        private void commit() {
            if (random.nextInt(3) > 0) {
                mark(new Marks.Mark());
                return;
            }
            Ticks.between();
            Marks.Tick tick = new Marks.Tick();
            tick.seq = sequence.incrementAndGet();
            tick.commit();
            Ticks.between();
        }
    }
}
