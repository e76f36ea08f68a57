// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import dev.loupe.ContextAccess;
import dev.loupe.Loupe;
import dev.loupe.internal.Agent;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Recording;

/**
 * Threads of both kinds make contexts of classes that know nothing of Loupe, and write down which
 * values they had. A recording of the program's own keeps every raw event for comparison.
 *
 * <pre>-De2e.case=(fields | methods | texts) AccessE2E JOURNAL REFERENCE.jfr</pre>
 *
 * The agent can come late: with -De2e.late=loaded the class ContextAccess is loaded before, with
 * -De2e.late=used accesses have been made and used.
 */
public final class AccessE2E {
    private static final int PLATFORM_THREADS = 3;
    private static final int VIRTUAL_THREADS = 20;
    private static final int STEPS = 150;
    private static final String[] TEXTS = {null, "", "plain", "\u00e9\u00ff", "\u20ac\ud83d\ude00",
            "nul:\u0000:nul", "x".repeat(300)};

    private static final String LATE = System.getProperty("e2e.late");
    private static final ContextAccess<AccessTypes.Over> OVER;
    private static final ContextAccess<AccessTypes.Many> MANY;
    private static final List<Kind> KINDS = new ArrayList<>();

    private final List<Journal> journals = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger ids = new AtomicInteger();
    private final AtomicLong sequence = new AtomicLong();

    // The contexts of this run: made before main, as applications do.
    static {
        try {
            if ("loaded".equals(LATE)) {
                Class.forName(
                        ContextAccess.class.getName(), false, AccessE2E.class.getClassLoader());
                waitForAgent();
            }
            switch (System.getProperty("e2e.case")) {
                case "fields":
                    KINDS.add(new FieldsKind());
                    break;
                case "methods":
                    KINDS.add(new MethodsKind());
                    break;
                default:
                    KINDS.add(new TextsKind());
                    KINDS.add(new HiddenKind());
            }
        } catch (Exception e) {
            throw new ExceptionInInitializerError(e);
        }
        Loupe.registerContext(Marks.Most.class);
        Loupe.registerContext(Marks.Rest.class);
        OVER = ContextAccess.forType(AccessTypes.Over.class);
        MANY = ContextAccess.forType(AccessTypes.Many.class);
    }

    private AccessE2E() {}

    /** A type of contexts: makes an instance, and says what its values are. */
    private interface Kind {
        String name();

        /** Adds names and values to values and returns what sets the context. */
        Runnable prepare(long id, Random random, List<Object> values);

        void unset(Random random);
    }

    public static void main(String[] args) throws Exception {
        if ("used".equals(LATE)) {
            use();
            waitForAgent();
            // The first use in its presence registers.
            KINDS.forEach(kind -> kind.unset(new Random(1)));
        }
        AccessE2E test = new AccessE2E();
        Journal head = new Journal();
        test.journals.add(head);
        // All attributes are taken.
        head.add("REGISTER", "Beside", Loupe.registerContext(Marks.Over.class));
        try (Recording raw = new Recording()) {
            raw.start();
            head.add("FROM", Ticks.between());
            test.run();
            test.mark(head);
            head.add("TO", Ticks.between());
            // The first dump ends the chunk, so that the second one also has what was stamped in it
            // and stored later.
            raw.dump(Path.of(args[1]));
            raw.dump(Path.of(args[1]));
        }
        Journal.write(Path.of(args[0]), test.journals);
    }

    // Without the agent.
    private static void use() {
        Random random = new Random(1);
        for (Kind kind : KINDS) {
            kind.prepare(-1, random, new ArrayList<>()).run();
            kind.unset(random);
        }
    }

    private static void waitForAgent() {
        System.out.println("ready");
        while (!Agent.isActive) {
            LockSupport.parkNanos(10_000_000);
        }
    }

    private void run() throws Exception {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < PLATFORM_THREADS; i++) {
            int seed = i;
            threads.add(new Thread(() -> work(seed, false)));
        }
        if (VirtualThreads.areThere()) {
            ThreadFactory factory = VirtualThreads.factory();
            for (int i = 0; i < VIRTUAL_THREADS; i++) {
                int seed = PLATFORM_THREADS + i;
                threads.add(factory.newThread(() -> work(seed, true)));
            }
        }
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    @SuppressWarnings("deprecation") // Thread.threadId() is there from JDK 19 on
    private void work(int seed, boolean isVirtual) {
        Journal journal = new Journal();
        journals.add(journal);
        Random random = new Random(seed);
        for (int step = 0; step < STEPS; step++) {
            Kind kind = KINDS.get(random.nextInt(KINDS.size()));
            set(kind, random, journal);
            if (random.nextInt(3) > 0) {
                mark(journal);
            }
            if (random.nextBoolean()) {
                unset(kind, random, journal);
            }
            OVER.set(new AccessTypes.Over(step));
            MANY.set(new AccessTypes.Many(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, "16"));
        }
        // Half of the threads end with a context open.
        if (random.nextBoolean()) {
            KINDS.forEach(kind -> unset(kind, random, journal));
        }
        journal.add("END", Thread.currentThread().getId(), Ticks.between(), isVirtual);
    }

    @SuppressWarnings("deprecation") // Thread.threadId() is there from JDK 19 on
    private void set(Kind kind, Random random, Journal journal) {
        long id = ids.incrementAndGet();
        List<Object> values = new ArrayList<>();
        Runnable setter = kind.prepare(id, random, values);
        long from = Ticks.between();
        setter.run();
        List<Object> line = new ArrayList<>(List.of("SET", Thread.currentThread().getId(),
                kind.name(), from, Ticks.between(), id, "id", id));
        line.addAll(values);
        journal.add(line.toArray());
    }

    @SuppressWarnings("deprecation") // Thread.threadId() is there from JDK 19 on
    private static void unset(Kind kind, Random random, Journal journal) {
        long from = Ticks.between();
        kind.unset(random);
        journal.add("UNSET", Thread.currentThread().getId(), kind.name(), from, Ticks.between());
    }

    @SuppressWarnings("deprecation") // Thread.threadId() is there from JDK 19 on
    private void mark(Journal journal) {
        Marks.Mark mark = new Marks.Mark();
        mark.seq = sequence.incrementAndGet();
        Ticks.between();
        mark.commit();
        journal.add("EVENT", Thread.currentThread().getId(), mark.seq, Ticks.between());
    }

    private static <T> void unset(ContextAccess<T> access, Random random) {
        if (random.nextBoolean()) {
            access.unset();
        } else {
            access.set(null); // means the same
        }
    }

    private static String text(Random random) {
        return TEXTS[random.nextInt(TEXTS.length)];
    }

    private static final class FieldsKind implements Kind {
        private final ContextAccess<AccessTypes.Fields> access =
                ContextAccess.forType(AccessTypes.Fields.class);

        @Override
        public String name() {
            return "e2e.Fields";
        }

        @Override
        public Runnable prepare(long id, Random random, List<Object> values) {
            boolean flag = random.nextBoolean();
            float single = random.nextInt(4) == 0 ? -0.0f : random.nextFloat();
            double value = random.nextInt(4) == 0 ? Double.MIN_VALUE : random.nextGaussian();
            byte b = (byte) random.nextInt();
            char letter = (char) random.nextInt(0xd800);
            short small = (short) random.nextInt();
            int whole = random.nextInt();
            values.addAll(List.of("flag", flag, "float", single, "double", value, "byte", b, "char",
                    letter, "short", small, "int", whole));
            AccessTypes.Fields fields =
                    new AccessTypes.Fields(id, flag, single, value, b, letter, small, whole);
            return () -> access.set(fields);
        }

        @Override
        public void unset(Random random) {
            AccessE2E.unset(access, random);
        }
    }

    private static final class MethodsKind implements Kind {
        private final ContextAccess<AccessTypes.Methods> access =
                ContextAccess.forType(AccessTypes.Methods.class);

        @Override
        public String name() {
            return "e2e.Methods";
        }

        @Override
        public Runnable prepare(long id, Random random, List<Object> values) {
            long bits = random.nextLong();
            values.addAll(List.of("flag", bits < 0, "byte", (byte) bits, "short",
                    (short) (bits >> 8), "char", (char) (bits >> 24 & 0x7fff), "int",
                    (int) (bits >> 32), "float", bits / 7.0f, "double", id / 3.0));
            AccessTypes.Methods methods = new AccessTypes.Methods(id, bits);
            return () -> access.set(methods);
        }

        @Override
        public void unset(Random random) {
            AccessE2E.unset(access, random);
        }
    }

    private static final class TextsKind implements Kind {
        private final ContextAccess<AccessTypes.Texts> access =
                ContextAccess.forType(AccessTypes.Texts.class);

        @Override
        public String name() {
            return "e2e.Texts";
        }

        @Override
        public Runnable prepare(long id, Random random, List<Object> values) {
            String text = text(random);
            String chars = text(random);
            String given = text(random);
            Collections.addAll(values, "text", text, "chars", chars, "name", given, "thrown", null,
                    "thrown-number", 0);
            CharSequence sequence =
                    chars == null || random.nextBoolean() ? chars : new StringBuilder(chars);
            AccessTypes.Texts texts = new AccessTypes.Texts(id, text, sequence, given);
            return () -> access.set(texts);
        }

        @Override
        public void unset(Random random) {
            AccessE2E.unset(access, random);
        }
    }

    private static final class HiddenKind implements Kind {
        private final Constructor<?> constructor;
        private final ContextAccess<Object> access;

        @SuppressWarnings("unchecked")
        HiddenKind() throws Exception {
            Class<?> hidden =
                    MethodHandles.lookup()
                            .defineHiddenClass(ClassBytes.of(AccessTypes.Hidden.class), true)
                            .lookupClass();
            constructor = hidden.getDeclaredConstructor(long.class, long.class);
            access = ContextAccess.forType((Class<Object>) hidden);
        }

        @Override
        public String name() {
            return "e2e.Hidden";
        }

        @Override
        public Runnable prepare(long id, Random random, List<Object> values) {
            long span = random.nextLong();
            Collections.addAll(values, "span", String.format("%016x", span));
            try {
                Object instance = constructor.newInstance(id, span);
                return () -> access.set(instance);
            } catch (ReflectiveOperationException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public void unset(Random random) {
            AccessE2E.unset(access, random);
        }
    }
}
