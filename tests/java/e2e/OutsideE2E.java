// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import dev.loupe.ContextAccess;
import dev.loupe.Loupe;
import dev.loupe.RecordingContext;
import dev.loupe.RecordingContextKey;
import dev.loupe.jfr.Contextual;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.AccessControlException;
import java.security.Permission;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import jdk.jfr.AnnotationElement;
import jdk.jfr.Event;
import jdk.jfr.EventFactory;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Name;
import jdk.jfr.Recording;
import jdk.jfr.StackTrace;
import jdk.jfr.ValueDescriptor;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * Commits events in and out of contexts, where the policy wants those in contexts only. The journal
 * has of each whether a context applies to it at its commit time: the program knows.
 *
 * With {@code wait} it prints a line and goes on when it reads one, with {@code virtual} it runs
 * the cases on a virtual thread, too, and with {@code off} tasks carry no contexts. At the end
 * there is a context that is an event: of a class of the application, with {@code factory} of one
 * that JFR makes, and with {@code boot} of one of the boot loader.
 *
 * <pre>OutsideE2E JOURNAL [wait] [virtual] [off] [factory | boot]</pre>
 */
@SuppressWarnings({"try", "removal"})
public final class OutsideE2E {
    private static final int ROUNDS = 50;
    private static final int OUTSIDE = 20; // events of a round between contexts
    private static final int LIMIT_S = 60;
    private static final RecordingContextKey KEY = RecordingContextKey.forName("endpoint");

    /** A context by ContextAccess. */
    @Name("e2e.Visit")
    record Visit(@Name("path") String path) {}

    /** With a duration; the fields of Base are in a superclass. */
    abstract static class Base extends Event { long seq; }

    @Name("e2e.Mark")
    static class Mark extends Base {}

    /** Its superclass is an event type, too. */
    @Name("e2e.Other")
    @StackTrace(false)
    static final class Other extends Mark {}

    /** Of a type that the policy wants all of. */
    @Name("e2e.All")
    static final class All extends Base {}

    /** Uses an event type that is not loaded before, and that the policy wants in contexts only. */
    static final class Late {
        private Late() {}

        @Name("e2e.Late")
        static final class LateMark extends Base {}

        static Base make() {
            return new LateMark();
        }
    }

    /** The same, of a type that the policy wants all of. */
    static final class Guarded {
        private Guarded() {}

        @Name("e2e.Guarded")
        static final class GuardedMark extends Base {}

        static Base make() {
            return new GuardedMark();
        }
    }

    /** Names the annotation of contexts, and is no event type. */
    static final class Bean extends Plain { @Contextual long id; }

    static class Plain {}

    /** Makes contexts that are events, of a type that is not loaded before. */
    static final class Traces {
        private Traces() {}

        /** Its superclass is loaded after it. */
        @Name("e2e.LateTrace")
        static final class LateTrace extends TraceBase {
            @Contextual long id;
        }

        abstract static class TraceBase extends Event {}

        static Event make() {
            return new LateTrace();
        }
    }

    /** In a jar of the boot class path. */
    @Name("e2e.BootTrace")
    public static final class BootTrace extends Event {
        @Contextual public long id;
    }

    static final class BootTraces {
        private BootTraces() {}

        static Event make() {
            return new BootTrace();
        }
    }

    /** Another agent. */
    static final class Agent {
        private static Instrumentation jvm;

        private Agent() {}

        public static void premain(String arguments, Instrumentation given) {
            jvm = given;
        }
    }

    private final Journal journal = new Journal();
    private final Marks.Order order = new Marks.Order();
    private final ContextAccess<Visit> access = ContextAccess.forType(Visit.class);
    private final List<String> options;
    private final boolean areTasksIn;
    private EventFactory factory; // null: not made yet
    private long seq;

    private OutsideE2E(List<String> options) {
        this.options = options;
        areTasksIn = !options.contains("off");
    }

    public static void main(String[] args) throws Exception {
        Loupe.registerContext(Marks.Order.class);
        List<String> options = List.of(args);
        if (options.contains("wait")) {
            new Mark().commit(); // before the agent comes: JFR has not begun
            System.out.println("ready");
            System.in.read();
        }
        OutsideE2E test = new OutsideE2E(options);
        test.warmUp();
        test.rounds();
        if (options.contains("virtual")) {
            Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
            ((Thread) start.invoke(null, (Runnable) test::rounds)).join();
        }
        test.late();
        test.guarded();
        test.beside(Path.of(args[0] + ".jfr"));
        FlightRecorder.register(Late.LateMark.class);
        test.otherPolicy();
        test.inEvents();
        Journal.write(Path.of(args[0]), List.of(test.journal));
    }

    // Commits events of all types until the JVM withholds those that are outside.
    private void warmUp() throws Exception {
        commit(new Other(), false);
        commit(new All(), true);
        waitUntilWithheld();
        new Bean();
        waitUntilWithheld();
    }

    private void waitUntilWithheld() throws Exception {
        waitFor(() -> {
            commit(new Mark(), false);
            return isWithholding() && isWanted(Mark.class) && isWanted(Other.class);
        });
    }

    private static void waitFor(Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + LIMIT_S * 1_000_000_000L;
        while (!condition.call()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("what is withheld does not change");
            }
            Thread.sleep(20);
        }
    }

    private static Object call(String method, Class<?>[] types, Object... arguments)
            throws Exception {
        Class<?> outside = Class.forName("dev.loupe.internal.outside.Outside");
        return outside.getMethod(method, types).invoke(null, arguments);
    }

    private static boolean isWithholding() throws Exception {
        return (Boolean) call("isWithholding", new Class<?>[ 0 ]);
    }

    private static boolean isWanted(Class<?> event) throws Exception {
        Object type = call("of", new Class<?>[] {Class.class}, event);
        Field field = type.getClass().getDeclaredField("isWanted");
        field.setAccessible(true);
        return field.getBoolean(type);
    }

    private Base numbered(Base event, boolean isInside) {
        event.seq = ++seq;
        journal.add(event.seq, event.getClass().getAnnotation(Name.class).value(), isInside);
        return event;
    }

    private void commit(Base event, boolean isInside) {
        numbered(event, isInside).commit();
    }

    private void rounds() {
        try {
            for (int i = 0; i < ROUNDS; i++) {
                round();
            }
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private void round() throws Exception {
        for (int i = 0; i < OUTSIDE; i++) {
            commit(i % 2 == 0 ? new Mark() : new Other(), false);
            Base event = numbered(new Mark(), false);
            event.begin();
            event.commit();
        }
        commit(new All(), true);
        inContexts();
        across();
        handedOver();
    }

    private void inContexts() {
        try (RecordingContext c = RecordingContext.where(KEY, "/pay").build()) {
            commit(new Mark(), true);
            commit(new Other(), true);
            try (RecordingContext inner = RecordingContext.where(KEY, "/inner").build()) {
                commit(new Mark(), true);
            }
            commit(new Mark(), true);
        }
        order.set();
        commit(new Mark(), true);
        order.unset();
        commit(new Mark(), false);
        access.set(new Visit("/visit"));
        order.set();
        order.unset();
        commit(new Mark(), true); // in one of two
        access.unset();
        commit(new Other(), false);
    }

    // The commit time counts: the end of the event, or its commit where that is its end.
    private void across() {
        Base before = new Mark();
        Base ended = new Mark();
        Base over = new Mark();
        Base outside = numbered(new Mark(), false);
        before.begin();
        over.begin();
        outside.begin();
        outside.end();
        order.set();
        numbered(before, true).commit();
        Base inside = new Mark();
        inside.begin();
        ended.begin();
        ended.end();
        over.end();
        outside.commit(); // it ended before
        order.unset();
        numbered(inside, false).commit(); // it ends here
        numbered(ended, true).commit(); // it ended in the context
        numbered(over, true).commit();
        commit(new Mark(), false);
    }

    private void handedOver() throws Exception {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        try (RecordingContext c = RecordingContext.where(KEY, "/task").build()) {
            pool.submit(() -> commit(new Mark(), areTasksIn)).get();
            order.set();
            Base begun = numbered(new Mark(), areTasksIn);
            begun.begin();
            pool.submit(begun::commit).get();
            order.unset();
        }
        pool.submit(() -> commit(new Mark(), false)).get();
        pool.shutdown();
    }

    // JFR makes the class with the edit as it is loaded, and again for the agent and for another.
    private void late() throws Exception {
        Class<?> type = Late.make().getClass();
        waitFor(() -> {
            commit(Late.make(), false);
            return isWithholding() && isWanted(type);
        });
        lateInAndOut();
        Agent.jvm.retransformClasses(type);
        lateInAndOut();
        // The number of those that were withheld is not lost.
        FlightRecorder.unregister(type.asSubclass(Event.class));
    }

    private void lateInAndOut() {
        commit(Late.make(), false); // JFR may record the first one behind a context
        for (int i = 0; i < OUTSIDE; i++) {
            commit(Late.make(), false);
        }
        order.set();
        commit(Late.make(), true);
        order.unset();
    }

    // Nobody has to allow an application to commit an event.
    private void guarded() {
        if (Runtime.version().feature() > 17) {
            return;
        }
        Base event = numbered(Guarded.make(), true);
        System.setSecurityManager(new SecurityManager() {
            @Override
            public void checkPermission(Permission permission) {
                if (permission.getName().equals("accessDeclaredMembers")) {
                    throw new AccessControlException("no reflection", permission);
                }
            }
        });
        try {
            event.commit();
        } finally {
            System.setSecurityManager(null);
        }
    }

    // Another recording gets all events, from when it was started.
    private void beside(Path path) throws Exception {
        try (Recording other = new Recording()) {
            other.enable(Mark.class).withoutThreshold();
            other.start();
            long first = seq + 1;
            for (int i = 0; i < OUTSIDE; i++) {
                commit(new Mark(), false);
            }
            other.stop();
            other.dump(path);
            check(path, first);
        }
        Files.delete(path);
        waitUntilWithheld();
        commit(new Mark(), false);
    }

    private void check(Path path, long first) throws IOException {
        long found = 0;
        for (RecordedEvent event : RecordingFile.readAllEvents(path)) {
            found += event.getEventType().getName().equals("e2e.Mark")
                            && event.getLong("seq") >= first
                    ? 1
                    : 0;
        }
        if (found != OUTSIDE) {
            throw new AssertionError(found + " of " + OUTSIDE + " are in another recording");
        }
    }

    // The policy changes, and wants all events of a type.
    private void otherPolicy() throws Exception {
        commit(new All(), true); // behind all that the first policy decides
        System.out.println("change " + seq);
        waitFor(() -> !isWanted(Mark.class) && isWithholding());
        for (int i = 0; i < OUTSIDE; i++) {
            commit(new Mark(), true);
            commit(new Other(), false);
        }
    }

    // From the first event on nothing is withheld, as a context may be open that JFR alone knows.
    private void inEvents() {
        for (int i = 0; i < OUTSIDE; i++) {
            Event trace = makeTrace();
            trace.begin();
            commit(new Other(), true);
            trace.commit();
            commit(new Other(), false);
        }
    }

    private Event makeTrace() {
        if (options.contains("boot")) {
            return BootTraces.make();
        }
        if (!options.contains("factory")) {
            return Traces.make();
        }
        if (factory == null) {
            List<AnnotationElement> contextual = List.of(new AnnotationElement(Contextual.class));
            factory =
                    EventFactory.create(List.of(new AnnotationElement(Name.class, "e2e.MadeTrace")),
                            List.of(new ValueDescriptor(long.class, "id", contextual)));
        }
        return factory.newEvent();
    }
}
