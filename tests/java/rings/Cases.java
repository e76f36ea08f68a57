// SPDX-License-Identifier: Apache-2.0
package dev.loupe.rings;

import dev.loupe.AllFields;
import dev.loupe.ContextAccess;
import dev.loupe.ContextType;
import dev.loupe.Hex;
import dev.loupe.Loupe;
import dev.loupe.RecordingContext;
import dev.loupe.RecordingContextKey;
import dev.loupe.Request;
import dev.loupe.Root;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.Stream;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** Small cases: {@code Cases NAME}. What each leaves in the rings is expected by rings.py. */
public final class Cases {
    private static final int RACE_ROUNDS = 100_000;
    private static final int VANISHING = 1000;
    private static final int TIDY = 100;
    private static final int OVERFLOWS = 150;
    // The rings are full after what comes before: a last context has to be tried until the drain
    // has made room. What came before has other values.
    private static final int LAST_NUMBER = -2;
    private static final int LAST_BYTES = 2 * Records.HEADER_BYTES + Long.BYTES; // SET and UNSET
    private static final long LOOK_NS = 1_000_000;
    private static final String LAST_TEXT = "last";

    private Cases() {}

    /** Every primitive kind. */
    @Name("kinds")
    @Label("All kinds")
    @Description("A type with every primitive kind")
    @AllFields
    public static class Kinds extends ContextType {
        static int notAnAttribute;
        transient int norThis;
        Object norThat = this;
        @Name("flag") @Label("A flag") @Description("It is on") boolean first = true;
        byte b = -1;
        private char c = '\u20ac';
        short s = -2;
        int i = Integer.MIN_VALUE;
        long l = Long.MIN_VALUE;
        float f = -1.5f;
        double d = Math.PI;
    }

    /** What texts share. */
    public abstract static class TextBase extends ContextType {
        @Name("inherited") String inherited = "base";
        @Name("hidden") private String hidden = "hidden";

        String hidden() {
            return hidden;
        }
    }

    /** Texts, declared in all ways. */
    public static final class Texts extends TextBase {
        @Name("text") public String text;
        @Name("sequence") CharSequence sequence;
    }

    /** Who asked for all of its own fields. */
    @Name("asked")
    @AllFields
    public abstract static class Asked extends ContextType {
        int all = 1;
        private int hidden = 2;

        int hidden() {
            return hidden;
        }
    }

    /** Of what it has only the field with a name. */
    @Name("secretive")
    public static final class Secretive extends Asked {
        @Name("id") private int id = 3;
        private String password = "secret";
        int count = 4;
        transient int norThis;
        Object norThat = this;
    }

    /** Asks for all, and has no name itself. */
    @AllFields
    public static final class Nameless extends ContextType {
        String password = "secret";
        long count = 5;
    }

    /** A number, with ways to say it that a type may have. */
    @Name("number")
    public static final class Number extends ContextType {
        @Name("value") long value;

        Number() {}

        Number(long value) {
            this.value = value;
        }

        Number withValue(long value) {
            this.value = value;
            return this;
        }
    }

    /** Another number. */
    @Name("other")
    public static final class Other extends ContextType {
        @Name("value") long value;
    }

    /** As many attributes as a type can have. */
    @Name("sixteen")
    @AllFields
    public static class Sixteen extends ContextType {
        int a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p;
    }

    /** One more. */
    public static final class Seventeen extends Sixteen {
        @Name("q") int q;
        @Name("norThose") Object norThose;
    }

    /** Seven. */
    @Name("seven")
    @AllFields
    public static final class Seven extends ContextType {
        int a, b, c, d, e, f, g;
    }

    /** Named by a service. */
    public static final class Service implements ContextType.Registration {
        @Override
        public Stream<Class<? extends ContextType>> types() {
            new Number().set(); // a service that uses the API itself
            return Stream.of(Other.class, Number.class);
        }
    }

    /** A service that fails. */
    public static final class BrokenService implements ContextType.Registration {
        @Override
        public Stream<Class<? extends ContextType>> types() {
            throw new IllegalStateException("broken on purpose");
        }
    }

    abstract static class Abstract extends ContextType { @Name("i") int i; }

    static final class Empty extends ContextType { Object o; }

    static final class Twice extends ContextType {
        @Name("x") int a;
        @Name("x") int b;
    }

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "kinds":
                kinds();
                break;
            case "texts":
                texts();
                break;
            case "ends":
                ends();
                break;
            case "vanished":
                vanished(Path.of(args[1]));
                break;
            case "stack":
                stack(Path.of(args[1]));
                break;
            case "race":
                race(Path.of(args[1]));
                break;
            case "services":
                number(new Number(), 1);
                break;
            case "unnamed":
                unnamed();
                break;
            case "misuse":
                misuse();
                break;
            case "tasks":
                tasks();
                break;
            case "requests":
                requests();
                break;
            case "bare":
                bare();
                break;
            default:
                throw new IllegalArgumentException(args[0]);
        }
    }

    private static void expect(boolean condition) {
        if (!condition) {
            throw new AssertionError();
        }
    }

    // A task with a context, one inside it with another, which runs at once, and one without.
    @SuppressWarnings("deprecation") // Thread.threadId() is there from JDK 19 on
    private static void tasks() throws Exception {
        Number number = new Number();
        expect(Loupe.registerContext(Number.class));
        ExecutorService pool = Executors.newFixedThreadPool(1);
        long worker = pool.submit(() -> Thread.currentThread().getId()).get();
        number.value = 1;
        number.set();
        Future<?> task = pool.submit(() -> {
            Number inner = new Number();
            inner.value = 2;
            inner.set();
            FutureTask<?> inside = new FutureTask<>(() -> {}, null);
            inner.value = 3;
            inner.set();
            inside.run();
        });
        task.get();
        number.unset();
        pool.submit(() -> {}).get();
        pool.shutdown();
        System.out.println(Thread.currentThread().getId() + " " + worker);
    }

    /** An attribute that names requests. */
    @Name("order")
    static final class Order extends ContextType {
        @Root @Name("id") private String id;
        @Name("step") private String step;
    }

    /** The same of somebody else's class. */
    @Name("traced")
    interface Traced {
        @Root @Hex @Name("root") long root();
        @Hex @Name("span") long span();
    }

    private static final RecordingContextKey KEY = RecordingContextKey.forName("key");

    @SuppressWarnings("try")
    private static void requests() throws Exception {
        expect(Loupe.registerContext(Order.class));
        ContextAccess.forType(Traced.class);
        ExecutorService pool = Executors.newFixedThreadPool(1);
        long worker = pool.submit(() -> Thread.currentThread().getId()).get();
        request(pool); // nobody says when it begins and ends
        Request request = Request.begin();
        Request.begin().end(); // in another one
        request(pool);
        request.leave();
        request(pool); // behind it
        RecordingContext.Snapshot late;
        try (Request last = Request.begin()) {
            pool.submit(request::end).get();
            request.end(); // once more
            late = RecordingContext.snapshot();
            expect(!late.hasContext());
        }
        RecordingContext.runWithSnapshot(
                () -> RecordingContext.where(KEY, "late").build().close(), late);
        pool.shutdown();
        System.out.println(Thread.currentThread().getId() + " " + worker);
    }

    @SuppressWarnings("try")
    private static void request(ExecutorService pool) throws Exception {
        try (RecordingContext outer = RecordingContext.where(KEY, "outer").build()) {
            RecordingContext.where(KEY, "inner").build().close();
            pool.submit(() -> RecordingContext.where(KEY, "task").build().close()).get();
        }
    }

    private static void number(Number number, long value) {
        number.withValue(value).set();
        number.unset();
    }

    /** Methods in an order that is not that of their names. */
    @Name("ordered")
    interface Ordered {
        @Name("z") int zeta();
        @Name("a") long alpha();
        @Name("m") String middle();
        int notAnnotated();
        @Name("b") double beta();
    }

    /** The components come first: they are fields. */
    @Name("pair")
    record Pair(@Name("y") int y, @Name("x") long x) {
        @Name("w")
        int w() {
            return y;
        }

        @Name("v")
        int v() {
            return y;
        }
    }

    // The hidden class has no class file that could be read.
    private static void orders() throws IOException, IllegalAccessException {
        ContextAccess.forType(Ordered.class);
        ContextAccess.forType(Pair.class);
        try (InputStream file = Cases.class.getResourceAsStream("Cases$Ordered.class")) {
            ContextAccess.forType(MethodHandles.lookup()
                                          .defineHiddenClass(file.readAllBytes(), false)
                                          .lookupClass());
        }
    }

    private static void kinds() throws IOException, IllegalAccessException {
        Kinds early = new Kinds(); // before the type is registered
        expect(!early.isActive());
        expect(Loupe.registerContext(Kinds.class) && Loupe.registerContext(Kinds.class)
                && early.isActive());
        early.set();
        early.unset();
        early.unset();
        orders();
    }

    private static void texts() {
        expect(Loupe.registerContext(Texts.class));
        Texts texts = new Texts();
        texts.set();
        texts.text = "";
        texts.sequence = "\u00e9\u00e8";
        texts.set();
        texts.text = "\u20ac\ud83d\ude00";
        texts.sequence = new StringBuilder("built");
        texts.set();
        texts.text = "x".repeat(1025); // 1024 of them are left
        texts.sequence = new StringBuilder("\u00e9".repeat(513)); // 512
        texts.set();
        texts.text = "x".repeat(1023) + "\u00e9"; // 1023
        texts.sequence = "xx"
                + "\u20ac".repeat(341); // 1025 bytes: 340 are left
        texts.set();
        texts.text = "x"
                + "\ud83d\ude00".repeat(256); // 255 pairs
        texts.sequence = "\ud83d".repeat(342); // half a pair has three bytes: 341
        texts.set();
        texts.text = "x".repeat(1024);
        texts.sequence = new Failing();
        texts.set();
    }

    private static final class Failing implements CharSequence {
        @Override
        public int length() {
            throw new IllegalStateException();
        }

        @Override
        public char charAt(int index) {
            throw new IllegalStateException();
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            throw new IllegalStateException();
        }

        @Override
        public String toString() {
            throw new IllegalStateException();
        }
    }

    private static void ends() throws InterruptedException {
        expect(Loupe.registerContext(Number.class) && Loupe.registerContext(Other.class));
        Thread thread = new Thread(() -> {
            Number number = new Number();
            number.value = 1;
            number.set();
            Other other = new Other();
            other.value = 2;
            other.set();
        });
        thread.start();
        thread.join();
        Thread idle = new Thread(() -> {});
        idle.start();
        idle.join();
        for (int i = 0; i < TIDY; i++) {
            Thread tidy = new Thread(() -> number(new Number(), 3));
            tidy.start();
            tidy.join();
        }
        // One that ends while the JVM does, by an exception.
        Number last = new Number(4);
        last.set();
    }

    // Virtual threads that end with a context open, and one that lives on; returns when the ends
    // are recorded.
    private static void vanished(Path recorded) throws Exception {
        expect(Loupe.registerContext(Number.class));
        CountDownLatch isOver = new CountDownLatch(1);
        ThreadFactory factory = Load.virtualThreads();
        Thread living = factory.newThread(() -> {
            Number number = new Number();
            number.value = -1;
            number.set();
            try {
                isOver.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            number.value = -2;
            number.set();
            number.unset();
        });
        living.start();
        for (int i = 0; i < VANISHING; i++) {
            Thread thread = factory.newThread(() -> {
                Number number = new Number();
                number.value = 1;
                number.set();
            });
            thread.start();
            thread.join();
        }
        while (countEnds(recorded) < VANISHING) {
            Thread.sleep(100);
        }
        isOver.countDown();
        living.join();
    }

    private static int countEnds(Path recorded) throws IOException {
        int ends = 0;
        try (Records records = new Records(recorded)) {
            while (records.next()) {
                ends += records.kind == Records.THREAD_END ? 1 : 0;
            }
        }
        return ends;
    }

    // Overflows at every depth, so also between the reservation of a record and its completion.
    private static void stack(Path recorded) throws IOException {
        expect(Loupe.registerContext(Number.class));
        Number number = new Number();
        for (int i = 0; i < OVERFLOWS; i++) {
            try {
                dive(number, i % 64);
            } catch (StackOverflowError e) {
                number.value = -1;
            }
        }
        do {
            number(number, LAST_NUMBER);
        } while (!isAtEnd(recorded, LAST_NUMBER));
    }

    // Of records of one thread, whose contexts are numbers. Not all are read: an interpreter takes
    // seconds for them.
    private static boolean isAtEnd(Path recorded, long number) throws IOException {
        LockSupport.parkNanos(LOOK_NS);
        try (FileChannel file = FileChannel.open(recorded)) {
            long begin = Math.max(0, file.size() - LAST_BYTES);
            ByteBuffer last = ByteBuffer.allocate(LAST_BYTES).order(ByteOrder.LITTLE_ENDIAN);
            return file.read(last, begin) == LAST_BYTES
                    && last.getLong(Records.HEADER_BYTES) == number;
        }
    }

    private static boolean isRecorded(Path recorded, Predicate<Records> isIt) throws IOException {
        try (Records records = new Records(recorded)) {
            while (records.next()) {
                if (records.kind == Records.SET && isIt.test(records)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static long dive(Number number, int salt) {
        number.value = salt;
        number.set();
        long a = dive(number, salt + 1);
        number.unset();
        return a + salt;
    }

    // One instance, wrongly, from two threads at once: no harm but to the contexts themselves.
    private static void race(Path recorded) throws IOException, InterruptedException {
        expect(Loupe.registerContext(Texts.class));
        Texts texts = new Texts();
        CountDownLatch done = new CountDownLatch(1);
        Thread changer = new Thread(() -> {
            String[] all = {"", "a", "ab".repeat(100), "\u20ac".repeat(300), null, "abcdefgh"};
            for (int i = 0; done.getCount() > 0; i++) {
                texts.text = all[i % all.length];
                texts.sequence =
                        i % 5 == 0 ? new StringBuilder("built") : all[(i + 1) % all.length];
            }
        });
        changer.start();
        for (int i = 0; i < RACE_ROUNDS; i++) {
            texts.set();
            texts.unset();
        }
        done.countDown();
        changer.join();
        texts.text = LAST_TEXT;
        texts.sequence = null;
        int tries = 0;
        do {
            texts.set();
            texts.unset();
            tries++;
        } while (!isRecorded(recorded, set -> LAST_TEXT.equals(set.nextText())));
        System.out.println("tries " + tries);
    }

    // Registered twice, as those are who do it in a constructor.
    private static void unnamed() {
        for (int i = 0; i < 2; i++) {
            System.out.println(Loupe.registerContext(Secretive.class) + " "
                    + Loupe.registerContext(Nameless.class));
        }
        new Secretive().set();
        new Nameless().set();
    }

    private static void misuse() {
        expectThrown(NullPointerException.class, null);
        expectThrown(IllegalArgumentException.class, Abstract.class);
        expectThrown(IllegalArgumentException.class, Empty.class);
        expectThrown(IllegalArgumentException.class, Twice.class);
        expect(Loupe.registerContext(Kinds.class)); // eight attributes
        expect(!Loupe.registerContext(Seventeen.class) && !new Seventeen().isActive());
        expect(Loupe.registerContext(Sixteen.class) && Loupe.registerContext(Seven.class));
        expect(!Loupe.registerContext(Texts.class)); // has three, and one is left
        expect(Loupe.registerContext(Number.class));
        expect(!Loupe.registerContext(Other.class) && !new Other().isActive());
        new Other().set();
        new Other().unset();
    }

    private static void expectThrown(
            Class<? extends Exception> expected, Class<? extends ContextType> type) {
        try {
            Loupe.registerContext(type);
        } catch (NullPointerException | IllegalArgumentException e) {
            expect(expected.isInstance(e));
            return;
        }
        throw new AssertionError("nothing was thrown for " + type);
    }

    private static void bare() {
        expect(Loupe.class.getClassLoader() != null);
        expect(!Loupe.registerContext(Number.class));
        Number number = new Number();
        expect(!number.isActive());
        number(number, 1);
        Request.begin().end();
    }
}
