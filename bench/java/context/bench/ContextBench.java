// SPDX-License-Identifier: Apache-2.0
package bench;

import dev.loupe.ContextAccess;
import dev.loupe.ContextType;
import dev.loupe.Loupe;
import dev.loupe.RecordingContext;
import dev.loupe.RecordingContextKey;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextKey;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.internal.JVM;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * What beginning and ending a context costs the thread that does it, beside what does something
 * like it. An operation is a begin and an end.
 *
 * <p>An iteration is one burst that fits into a ring, after a rest in which the agent drains:
 * nobody begins contexts without doing anything in between.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ContextBench {
    private static final int PAIRS = 1000; // of a burst
    private static final int TEXTS = 16; // in turn, as ids that were made just now are in the cache
    private static final long REST_NANOS = 12_000_000;

    @Name("bench.Longs")
    static final class Longs extends ContextType {
        @Name("a") long first;
        @Name("b") long second;
    }

    @Name("bench.Text")
    static final class Text extends ContextType {
        @Name("text") String text;
        @Name("number") long number;
    }

    @Name("bench.AccessLongs")
    static final class ForeignLongs {
        @Name("c") long first;
        @Name("d") long second;
    }

    @Name("bench.AccessText")
    static final class ForeignText {
        private String text;
        private long number;

        @Name("t")
        String text() {
            return text;
        }

        @Name("n")
        long number() {
            return number;
        }
    }

    @Name("bench.LongsEvent")
    @StackTrace(false)
    static final class LongsEvent extends Event {
        long first;
        long second;
    }

    @Name("bench.TextEvent")
    @StackTrace(false)
    static final class TextEvent extends Event {
        String text;
        long number;
    }

    /** What a thread has. */
    @State(Scope.Thread)
    public static class Mine {
        final Longs longs = new Longs();
        final Text text = new Text();
        final ForeignLongs foreignLongs = new ForeignLongs();
        final ForeignText foreignText = new ForeignText();
        final Context otel = Context.root().with(ContextKey.named("bench"), this);
        final String[] texts = new String[TEXTS];
        RecordingContext.Snapshot snapshot;

        @Setup(Level.Trial)
        public void register() {
            Loupe.registerContext(Longs.class);
            Loupe.registerContext(Text.class);
            try (RecordingContext context = RecordingContext.where(KEY, "value").build()) {
                snapshot = RecordingContext.snapshot();
            }
            for (int i = 0; i < TEXTS; i++) {
                texts[i] = String.format("%032x", i * 0x9e3779b97f4a7c15L);
            }
        }

        @Setup(Level.Iteration)
        public void rest() {
            LockSupport.parkNanos(REST_NANOS);
        }
    }

    private static final RecordingContextKey KEY = RecordingContextKey.forName("key");
    private static final ContextAccess<ForeignLongs> LONGS =
            ContextAccess.forType(ForeignLongs.class);
    private static final ContextAccess<ForeignText> TEXT = ContextAccess.forType(ForeignText.class);

    @Benchmark
    @OperationsPerInvocation(PAIRS)
    public long twoClockReads(Mine mine) {
        long sum = 0;
        for (int i = 0; i < PAIRS; i++) {
            sum += JVM.counterTime();
            sum ^= JVM.counterTime();
        }
        return sum;
    }

    @Benchmark
    @OperationsPerInvocation(PAIRS)
    public void typeLongs(Mine mine) {
        Longs context = mine.longs;
        for (int i = 0; i < PAIRS; i++) {
            context.first = i;
            context.second = ~i;
            context.set();
            context.unset();
        }
    }

    @Benchmark
    @OperationsPerInvocation(PAIRS)
    public void typeText(Mine mine) {
        Text context = mine.text;
        for (int i = 0; i < PAIRS; i++) {
            context.text = mine.texts[i % TEXTS];
            context.number = i;
            context.set();
            context.unset();
        }
    }

    /** One context follows the other, without an end in between: one clock read. */
    @Benchmark
    @OperationsPerInvocation(PAIRS)
    public void typeLongsReplaced(Mine mine) {
        Longs context = mine.longs;
        for (int i = 0; i < PAIRS; i++) {
            context.first = i;
            context.second = ~i;
            context.set();
        }
        context.unset();
    }

    @Benchmark
    @OperationsPerInvocation(PAIRS)
    public void accessLongs(Mine mine) {
        ForeignLongs context = mine.foreignLongs;
        for (int i = 0; i < PAIRS; i++) {
            context.first = i;
            context.second = ~i;
            LONGS.set(context);
            LONGS.unset();
        }
    }

    @Benchmark
    @OperationsPerInvocation(PAIRS)
    public void accessText(Mine mine) {
        ForeignText context = mine.foreignText;
        for (int i = 0; i < PAIRS; i++) {
            context.text = mine.texts[i % TEXTS];
            context.number = i;
            TEXT.set(context);
            TEXT.unset();
        }
    }

    @Benchmark
    @OperationsPerInvocation(PAIRS)
    public void recordingContext(Mine mine) {
        for (int i = 0; i < PAIRS; i++) {
            try (RecordingContext.Activation activation = mine.snapshot.activate()) {
                // nothing: it is the activation that is measured
            }
        }
    }

    @Benchmark
    @OperationsPerInvocation(PAIRS)
    public void eventLongs(Mine mine) {
        for (int i = 0; i < PAIRS; i++) {
            LongsEvent event = new LongsEvent();
            event.begin();
            event.first = i;
            event.second = ~i;
            event.commit();
        }
    }

    @Benchmark
    @OperationsPerInvocation(PAIRS)
    public void eventText(Mine mine) {
        for (int i = 0; i < PAIRS; i++) {
            TextEvent event = new TextEvent();
            event.begin();
            event.text = mine.texts[i % TEXTS];
            event.number = i;
            event.commit();
        }
    }

    @Benchmark
    @OperationsPerInvocation(PAIRS)
    public void otelMakeCurrent(Mine mine) {
        for (int i = 0; i < PAIRS; i++) {
            try (io.opentelemetry.context.Scope scope = mine.otel.makeCurrent()) {
                // nothing: it is the attaching that is measured
            }
        }
    }
}
