// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import dev.loupe.ContextType;
import dev.loupe.Loupe;
import java.util.concurrent.ThreadFactory;
import jdk.jfr.Event;

/** Threads of both kinds set and unset contexts, some around events and some around nothing. */
public final class ContextsE2E extends JournaledRun {
    private static final int STEPS = 250;
    private static final int VIRTUAL_STEPS = 40;

    private ContextsE2E(String[] args) {
        super(args);
    }

    public static void main(String[] args) throws Exception {
        ContextsE2E test = new ContextsE2E(args);
        test.register(test.isLong ? Marks.Kinds.class : Marks.Order.class);
        test.register(Marks.Span.class);
        test.register(Marks.Most.class);
        test.register(Marks.Rest.class);
        test.register(Marks.Over.class);
        test.record();
    }

    private void register(Class<? extends ContextType> type) {
        head.add("REGISTER", type.getSimpleName(), Loupe.registerContext(type));
    }

    @Override
    Worker worker(int seed, boolean isPatient, ThreadFactory factory) {
        return new Actor(seed, isPatient, factory);
    }

    /** One of the threads. */
    private final class Actor extends Worker {
        private final boolean isPatient;
        private final Marks.Order order = new Marks.Order();
        private final Marks.Kinds kinds = new Marks.Kinds();
        private final Marks.Span span = new Marks.Span();
        private final Marks.Over over = new Marks.Over();

        Actor(int seed, boolean isPatient, ThreadFactory factory) {
            super(seed, factory);
            this.isPatient = isPatient;
        }

        @Override
        void work() {
            if (isPatient) {
                beSlow();
            } else {
                repeat(factory == null ? STEPS : VIRTUAL_STEPS, this::act);
            }
            // Half of the threads leave their contexts open: the end of the thread ends them.
            if (random.nextBoolean()) {
                unset("first");
                unset("span");
            }
        }

        // One context with an event at both ends, and inside it one without any, over all chunks.
        private void beSlow() {
            setFirst();
            mark();
            setSpan();
            awaitEnd();
            unset("span");
            mark();
            unset("first");
        }

        private void act() {
            switch (random.nextInt(12)) {
                case 0:
                case 1:
                    setFirst();
                    break;
                case 2:
                case 3:
                    setSpan();
                    break;
                case 4:
                    unset("first");
                    break;
                case 5:
                    unset("span");
                    break;
                case 6:
                    mark();
                    break;
                case 7:
                    traced(random.nextInt(3));
                    break;
                case 8:
                    nested();
                    break;
                case 9:
                    Thread.yield();
                    break;
                case 10:
                    overlapping();
                    break;
                default:
                    empty();
            }
        }

        // Around nothing: must not be in the result.
        private void empty() {
            setFirst();
            unset("first");
            setSpan();
            unset("span");
        }

        private void nested() {
            setFirst();
            setSpan();
            if (random.nextBoolean()) {
                mark();
            }
            unset("span");
            if (random.nextInt(3) == 0) {
                mark();
            }
            unset("first");
        }

        private void overlapping() {
            setSpan();
            if (random.nextBoolean()) {
                mark();
            }
            setFirst();
            unset("span");
            if (random.nextInt(3) == 0) {
                mark();
            }
            unset("first");
        }

        // An event that is a context itself, around some events, none, or another one.
        private void traced(int events) {
            int id = contextIds.incrementAndGet();
            Event trace;
            boolean isNative = NativeTrace.isThere() && random.nextBoolean();
            Ticks.between();
            if (isNative) {
                trace = NativeTrace.create(id);
                trace.begin();
            } else {
                Marks.Trace own = new Marks.Trace();
                own.id = id;
                own.user = TEXTS[random.nextInt(TEXTS.length)];
                own.plain = -id;
                own.begin();
                trace = own;
            }
            for (int i = 0; i < events; i++) {
                mark();
            }
            if (random.nextInt(4) == 0) {
                traced(random.nextInt(2));
            }
            Ticks.between();
            trace.commit();
            journal.add("TRACE", threadId, isNative ? "e2e.NativeTrace" : "e2e.Trace", id,
                    Ticks.between());
        }

        private void mark() {
            Marks.Mark mark = new Marks.Mark();
            mark.text = TEXTS[random.nextInt(TEXTS.length)];
            mark.span = random.nextInt(7);
            mark.type = random.nextBoolean() ? null : Worker.class;
            mark.other = Thread.currentThread();
            mark(mark);
        }

        // SET thread type begin-from begin-to id attribute=value...
        private void setFirst() {
            int id = contextIds.incrementAndGet();
            String text = TEXTS[random.nextInt(TEXTS.length)];
            if (isLong) {
                kinds.id = id * 0x1_0000_0001L;
                kinds.small = (short) random.nextInt();
                kinds.ratio = random.nextInt(5) == 0 ? -0.0f : random.nextFloat();
                kinds.text = text;
                long from = Ticks.between();
                kinds.set();
                journal.add("SET", threadId, "e2e-kinds", from, Ticks.between(), id, "id", kinds.id,
                        "small", kinds.small, "ratio", kinds.ratio, "text", text);
            } else {
                order.number = -id;
                order.text = text;
                order.amount = random.nextInt(5) == 0 ? Double.MIN_VALUE : random.nextDouble();
                order.prio = (byte) random.nextInt();
                long from = Ticks.between();
                order.set();
                journal.add("SET", threadId, "e2e-order", from, Ticks.between(), id, "id",
                        order.number, "text", text, "amount", order.amount, "priority", order.prio);
            }
            if (over.isActive()) {
                throw new AssertionError("a type over the limit of attributes is active");
            }
            over.set();
        }

        private void setSpan() {
            String name = TEXTS[random.nextInt(TEXTS.length)];
            span.id = contextIds.incrementAndGet();
            span.root = random.nextBoolean();
            span.grade = (char) random.nextInt(0xd800);
            span.name = name == null ? null : new StringBuilder(name);
            long from = Ticks.between();
            span.set();
            journal.add("SET", threadId, "e2e.Span", from, Ticks.between(), span.id, "id", span.id,
                    "root", span.root, "grade", span.grade, "name", name);
        }

        private void unset(String which) {
            ContextType type = which.equals("span") ? span : isLong ? kinds : order;
            String name = which.equals("span") ? "e2e.Span" : isLong ? "e2e-kinds" : "e2e-order";
            long from = Ticks.between();
            type.unset();
            journal.add("UNSET", threadId, name, from, Ticks.between());
        }
    }
}
