// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import dev.loupe.ContextAccess;
import dev.loupe.ContextType;
import dev.loupe.Loupe;
import dev.loupe.RecordingContext;
import dev.loupe.RecordingContextFilter;
import dev.loupe.RecordingContextKey;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import jdk.jfr.EventType;

/**
 * Calls every public method of the API with all kinds of arguments, and looks what it throws.
 *
 * <pre>HostileApi SECURITY CLASS... METHOD=EXCEPTION...</pre>
 *
 * SECURITY says who is asked for permissions: "none" nobody, or whom the command line named;
 * "later" a security manager that is set once the API was used; "denying" one that is set then,
 * too, and that denies whatever Loupe asks for. The classes are the API's. METHOD=EXCEPTION is what
 * the documentation says that a method throws: dev.loupe.Loupe.wrap=IllegalStateException. Besides,
 * a method may throw what it declares, NullPointerException if an argument is null, and what the
 * program's own code has thrown in it.
 *
 * <p>Prints "called N times M methods, recording IS_RECORDING", whether a type could be registered
 * once there was a security manager, and each throwable that nobody has documented.
 */
public final class HostileApi {
    private static final int ROUNDS = 4; // each with what those before it have returned
    private static final int INSTANCES_MAX = 6; // of each class, as receivers and arguments
    private static final int COMBINATIONS_MAX = 400; // of the arguments of a method
    private static final Object[] NO_VALUES = {null};

    private final Map<String, Set<String>> documented = new HashMap<>();
    // Receivers and arguments, by what they can be used as; those that calls have returned, too.
    private final Map<Class<?>, List<Object>> values = new HashMap<>();
    private final Set<Object> known = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Set<String> wrong = new HashSet<>();
    private final Set<Executable> called = new HashSet<>();
    private int calls;

    private HostileApi() {}

    public static void main(String[] args) throws Exception {
        HostileApi test = new HostileApi();
        List<Class<?>> classes = new ArrayList<>();
        for (String arg : Arrays.copyOfRange(args, 1, args.length)) {
            String[] parts = arg.split("=");
            if (parts.length == 1) {
                Class<?> type = Class.forName(arg);
                if (isPublic(type)) {
                    classes.add(type);
                }
            } else {
                test.documented.computeIfAbsent(parts[0], name -> new HashSet<>()).add(parts[1]);
            }
        }
        Hostile.setUp();
        test.addValues();
        if (!args[0].equals("none")) {
            Loupe.registerContext(Hostile.Plain.class);
            Guards.set(args[0]);
        }
        boolean isRecording = Loupe.registerContext(Hostile.Late.class);
        ContextAccess.forType(Hostile.AccessLate.class).set(new Hostile.AccessLate(1));
        for (int i = 0; i < ROUNDS; i++) {
            test.callAll(classes);
        }
        test.useExecutors();
        test.findForgotten(classes);
        System.out.println("called " + test.calls + " times " + test.called.size()
                + " methods, recording " + isRecording);
        test.wrong.stream().sorted().forEach(System.out::println);
        System.exit(0); // also where threads of an executor wait
    }

    private static boolean isPublic(Class<?> type) {
        return Modifier.isPublic(type.getModifiers())
                && (type.getDeclaringClass() == null || isPublic(type.getDeclaringClass()));
    }

    private void addValues() {
        Object[] texts = {"", "a", "k", "\0", "\ud800", "x".repeat(70_000)};
        values.put(String.class, new ArrayList<>(List.of(texts)));
        for (Object type : Hostile.types()) {
            add(Class.class, type);
        }
        for (Object context : Hostile.contexts()) {
            add(context.getClass(), context);
            add(ContextType.class, context);
        }
        Hostile.instances().forEach(instance -> add(Object.class, instance));
        add(ContextType.Registration.class, new HostileRegistration());
        add(Runnable.class, (Runnable) () -> {});
        add(Runnable.class, (Runnable) Hostile::fail);
        add(Callable.class, (Callable<Object>) () -> "done");
        add(Callable.class, (Callable<Object>) () -> {
            Hostile.fail();
            return null;
        });
        add(Consumer.class, (Consumer<Object>) x -> {});
        add(Consumer.class, (Consumer<Object>) x -> Hostile.fail());
        add(Consumer.class, (Consumer<Object>) HostileApi::fill);
        add(Consumer.class, (Consumer<Object>) this::addResult);
        add(RecordingContextKey.class, RecordingContextKey.forName("k"));
        try {
            add(EventType.class, EventType.getEventType(Marks.Tick.class));
        } catch (LinkageError e) {
            // JFR may not look at an event of this program
        }
        ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();
        add(Executor.class, (Executor) Runnable::run);
        add(ExecutorService.class, executor);
        add(ScheduledExecutorService.class, executor);
    }

    // More conditions than a filter has of a type.
    private static void fill(Object terms) {
        try {
            for (int i = 0; i < 20; i++) {
                ((RecordingContextFilter.PerTypeBuilder) terms)
                        .hasKey(RecordingContextKey.forName("k" + i));
            }
        } catch (IllegalArgumentException e) {
            throw Hostile.thrown(e);
        }
    }

    private void add(Class<?> as, Object value) {
        values.computeIfAbsent(as, c -> new ArrayList<>()).add(value);
    }

    private void addResult(Object value) {
        if (value == null || !value.getClass().getName().startsWith("dev.loupe.")
                || values.getOrDefault(value.getClass(), List.of()).size() >= INSTANCES_MAX) {
            return;
        }
        if (known.add(value)) {
            add(value.getClass(), value);
        }
    }

    private void callAll(List<Class<?>> classes) {
        for (Class<?> type : classes) {
            for (Constructor<?> constructor : type.getConstructors()) {
                if (!Modifier.isAbstract(type.getModifiers())) {
                    callWithAll(constructor, NO_VALUES);
                }
            }
            for (Method method : type.getMethods()) {
                if (method.getDeclaringClass() == type) {
                    callWithAll(method,
                            Modifier.isStatic(method.getModifiers())
                                    ? NO_VALUES
                                    : values.getOrDefault(type, List.of()).toArray());
                }
            }
        }
    }

    // With each of the receivers, and with all combinations of arguments or the first of them.
    private void callWithAll(Executable executable, Object[] receivers) {
        Class<?>[] types = executable.getParameterTypes();
        Object[][] choices = new Object[types.length][];
        long count = 1;
        for (int i = 0; i < types.length; i++) {
            List<Object> of = new ArrayList<>(values.getOrDefault(types[i], List.of()));
            of.add(null);
            choices[i] = of.toArray();
            count *= choices[i].length;
        }
        for (Object receiver : receivers) {
            for (long n = 0; n < Math.min(count, COMBINATIONS_MAX); n++) {
                Object[] arguments = new Object[types.length];
                long rest = n;
                for (int i = 0; i < types.length; i++) {
                    arguments[i] = choices[i][(int) (rest % choices[i].length)];
                    rest /= choices[i].length;
                }
                call(executable, receiver, arguments);
            }
        }
    }

    private void call(Executable executable, Object receiver, Object... arguments) {
        calls++;
        called.add(executable);
        try {
            addResult(executable instanceof Method method
                            ? method.invoke(receiver, arguments)
                            : ((Constructor<?>) executable).newInstance(arguments));
        } catch (InvocationTargetException e) {
            if (!isDocumented(executable, e.getCause(), arguments)) {
                wrong.add(nameOf(executable) + " throws " + describe(e.getCause()));
            }
        } catch (ReflectiveOperationException | RuntimeException e) {
            wrong.add(nameOf(executable) + " cannot be called: " + e);
        }
    }

    private static String nameOf(Executable executable) {
        String owner = executable.getDeclaringClass().getName();
        return executable instanceof Method ? owner + "." + executable.getName() : owner;
    }

    private boolean isDocumented(Executable executable, Throwable thrown, Object[] arguments) {
        if (thrown instanceof NullPointerException && Arrays.asList(arguments).contains(null)
                || Hostile.hasThrown(thrown)) {
            return true;
        }
        for (Class<?> declared : executable.getExceptionTypes()) {
            if (declared.isInstance(thrown) && declared != Exception.class) {
                return true;
            }
        }
        return documented.getOrDefault(nameOf(executable), Set.of())
                .contains(thrown.getClass().getSimpleName());
    }

    private static String describe(Throwable thrown) {
        StackTraceElement[] stack = thrown.getStackTrace();
        String first = Arrays.stream(stack)
                               .filter(frame -> frame.getClassName().startsWith("dev.loupe."))
                               .findFirst()
                               .map(Object::toString)
                               .orElse("?");
        return thrown + " at " + first;
    }

    private void findForgotten(List<Class<?>> classes) {
        for (Class<?> type : classes) {
            List<Executable> all = new ArrayList<>(Arrays.asList(type.getMethods()));
            all.removeIf(method -> method.getDeclaringClass() != type || type.isAnnotation());
            all.removeAll(called);
            all.forEach(method -> wrong.add(nameOf(method) + " was not called"));
        }
    }

    // The executors that the API returns pass on everything.
    private void useExecutors() throws Exception {
        ScheduledExecutorService executor = Loupe.wrap(
                (ScheduledExecutorService) values.get(ScheduledExecutorService.class).get(0));
        RecordingContext context =
                RecordingContext.where(RecordingContextKey.forName("k"), "v").build();
        if (!"done".equals(executor.submit(() -> "done").get())
                || !executor.invokeAny(List.of(() -> "any")).equals("any")) {
            wrong.add("an executor does not run its tasks");
        }
        context.close();
        if (executor instanceof AutoCloseable closeable) { // since JDK 19
            closeable.close();
        }
        ContextAccess<Hostile.Access> access = ContextAccess.forType(Hostile.Access.class);
        access.set(new Hostile.Access());
        access.unset();
    }
}
