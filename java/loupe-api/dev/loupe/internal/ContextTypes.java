// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal;

import dev.loupe.internal.agent.Native;
import dev.loupe.internal.ring.ContextLayout;
import dev.loupe.internal.ring.RingLayout;
import java.lang.annotation.AnnotationFormatError;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import jdk.internal.misc.Unsafe;
import jdk.jfr.Description;
import jdk.jfr.Label;

/**
 * The context types of this JVM: finds their attributes by reflection and registers them with the
 * agent.
 *
 * <p>There may be more than one copy of the API, see {@link Agent}. So its classes are known by
 * their names here.
 */
public final class ContextTypes {
    private static final String BASE = "dev.loupe.ContextType";
    private static final String HEX = "dev.loupe.Hex";
    private static final String ROOT = "dev.loupe.Root";

    private static final ClassValue<Entry> ENTRIES = new ClassValue<>() {
        @Override
        protected Entry computeValue(Class<?> type) {
            return new Entry(type);
        }
    };

    private ContextTypes() {}

    // The state of a class. Held by the class itself, so that it does not keep its loader alive.
    // The entry of BASE stands for its copy of the API.
    private static final class Entry {
        private final Class<?> base;
        private volatile ContextLayout layout; // null: not registered
        private boolean isRefused; // and it was logged; guarded by the entry
        private boolean areServicesStarted; // of a base; guarded by the entry
        private volatile boolean areServicesDone; // of a base; of others, known to be so

        Entry(Class<?> type) {
            Class<?> c = type;
            while (c != null && !c.getName().equals(BASE)) {
                c = c.getSuperclass();
            }
            if (c == null) { // the compiler's checks were circumvented
                throw new IllegalArgumentException(
                        "context type " + type.getName() + " does not extend " + BASE);
            }
            base = c;
        }
    }

    /** Finds the layout of a registered type; null if it is not registered. */
    public static Object find(Class<?> type) {
        return entryOf(type).layout;
    }

    /**
     * Registers a type; false if it is over a limit or none of its fields is named, which is
     * logged once.
     */
    public static boolean register(Class<?> type) {
        return register(type, entryOf(type), null);
    }

    /**
     * Registers a type whose attributes get their names while the program runs.
     *
     * @param naming from the name that an attribute has in the class to the one to register; null
     *         if the field is not to be an attribute. It decides alone: a field needs no annotation
     */
    public static boolean register(Class<?> type, UnaryOperator<String> naming) {
        return register(type, entryOf(type), naming);
    }

    /**
     * Registers a type that was registered before the agent came. A type that does not fit is
     * logged: its registration has returned already.
     */
    public static void adopt(Class<?> type) {
        try {
            register(type, ENTRIES.get(type), null);
        } catch (RuntimeException | LinkageError e) {
            Native.log(Native.LOG_WARN, "a context type is not registered: " + e);
        }
    }

    /**
     * Registers a completion: a type whose records replace one text in all contexts with the same
     * key. Its first attribute, a long, is the key, its second the text; both have their names in
     * the contexts' type. {@code set} writes the record; call {@code unset} after it.
     *
     * @param completed the contexts' type, which is registered
     * @return false if it is over a limit, which is logged
     */
    public static boolean registerCompletion(Class<?> type, Class<?> completed) {
        return register(type, entryOf(type), null, ((ContextLayout) find(completed)).id);
    }

    private static boolean register(Class<?> type, Entry entry, UnaryOperator<String> naming) {
        return register(type, entry, naming, 0);
    }

    private static boolean register(
            Class<?> type, Entry entry, UnaryOperator<String> naming, int completes) {
        synchronized (entry) {
            if (entry.layout == null && !entry.isRefused) {
                entry.layout = tryDescribe(type, entry.base, naming, completes);
                entry.isRefused = entry.layout == null;
            }
            return entry.layout != null;
        }
    }

    // Callers need no permission. Null: it is not registered, which is logged.
    @SuppressWarnings("removal") // JDK 24 and later have no security manager
    private static ContextLayout tryDescribe(
            Class<?> type, Class<?> base, UnaryOperator<String> naming, int completes) {
        try {
            return AccessController.doPrivileged(
                    (PrivilegedAction<ContextLayout>) ()
                            -> describe(type, base, naming, completes));
        } catch (SecurityException e) {
            Native.log(
                    Native.LOG_WARN, "context type " + type.getName() + " is not registered: " + e);
            return null;
        } catch (IllegalArgumentException e) {
            throw e;
        } catch (RuntimeException | LinkageError | AnnotationFormatError e) {
            throw new IllegalArgumentException(
                    "context type " + type.getName() + " cannot be inspected: " + e, e);
        }
    }

    // The services come first.
    private static Entry entryOf(Class<?> type) {
        Entry entry = ENTRIES.get(type);
        if (!entry.areServicesDone) {
            Entry api = ENTRIES.get(entry.base);
            registerServices(api);
            entry.areServicesDone = api.areServicesDone;
        }
        return entry;
    }

    /** Registers the types that services name, once for each copy of the API. */
    static void registerServices(Class<?> base) {
        Entry api = ENTRIES.get(base);
        if (!api.areServicesDone) {
            registerServices(api);
        }
    }

    // Other threads wait until the services are registered. The thread that registers them goes on
    // with what there is when a service uses the API itself.
    private static void registerServices(Entry api) {
        synchronized (api) {
            if (api.areServicesStarted) {
                return;
            }
            api.areServicesStarted = true;
            findServices(api.base);
            api.areServicesDone = true;
        }
    }

    // Callers need no permission.
    @SuppressWarnings("removal") // JDK 24 and later have no security manager
    private static void findServices(Class<?> base) {
        AccessController.doPrivileged((PrivilegedAction<Void>) () -> {
            Set<ClassLoader> loaders = new LinkedHashSet<>();
            loaders.add(Thread.currentThread().getContextClassLoader());
            loaders.add(ClassLoader.getSystemClassLoader());
            Set<Class<?>> seen = new HashSet<>();
            for (ClassLoader loader : loaders) {
                registerServices(base, loader, seen);
            }
            return null;
        });
    }

    // This class is in the boot loader, which sees no services of the application: so its loaders
    // are asked.
    private static void registerServices(Class<?> base, ClassLoader loader, Set<Class<?>> seen) {
        try {
            Class<?> registration =
                    Class.forName(BASE + "$Registration", true, base.getClassLoader());
            Method types = registration.getMethod("types");
            for (Object service : ServiceLoader.load(registration, loader)) {
                if (seen.add(service.getClass())) {
                    registerService(types, service);
                }
            }
        } catch (Exception | Error e) {
            logUnusable(e);
        }
    }

    private static void registerService(Method types, Object service) {
        try (Stream<?> stream = (Stream<?>) types.invoke(service)) {
            stream.forEach(type -> register((Class<?>) type, ENTRIES.get((Class<?>) type), null));
        } catch (InvocationTargetException e) {
            logUnusable(e.getCause());
        } catch (Exception | Error e) {
            logUnusable(e);
        }
    }

    // The first user of the API must not fail because of an exception of a service.
    private static void logUnusable(Throwable problem) {
        String text;
        try {
            text = problem.toString();
        } catch (RuntimeException | Error e) {
            text = problem.getClass().getName();
        }
        Native.log(Native.LOG_WARN, "a ContextType.Registration could not be used: " + text);
    }

    private static ContextLayout describe(
            Class<?> type, Class<?> base, UnaryOperator<String> naming, int completes) {
        List<Field> fields = ContextFields.find(type, base, naming);
        ContextLayout layout = fields.isEmpty()
                ? null
                : register(type, fields,
                        fields.stream().mapToLong(Unsafe.getUnsafe()::objectFieldOffset).toArray(),
                        naming, completes);
        boolean isOverLimit = layout == null && !fields.isEmpty();
        String problem = naming != null || isOverLimit ? null : ContextFields.explain(type, base);
        if (problem != null) {
            Native.log(Native.LOG_WARN, problem + (layout == null ? ". It is not registered" : ""));
        }
        return layout;
    }

    /**
     * Registers a type with the agent.
     *
     * @param attributes fields and methods
     * @param offsets where Rings finds the value of each
     * @param naming as above; null for none.
     * @param completes the id of the type that it completes, 0 for none
     * @return null if it is over a limit, which is logged
     */
    static ContextLayout register(Class<?> type, List<? extends Member> attributes, long[] offsets,
            UnaryOperator<String> naming, int completes) {
        int[] kinds = new int[attributes.size()];
        int[] shown = new int[kinds.length]; // what people see them as, for registerType
        List<String> texts = new ArrayList<>();
        addTexts(texts, type, ContextFields.nameOf(type, type.getName()));
        for (int i = 0; i < kinds.length; i++) {
            AnnotatedElement attribute = (AnnotatedElement) attributes.get(i);
            kinds[i] = kindOf(valueType(attributes.get(i)));
            boolean isHex = kinds[i] == RingLayout.KIND_LONG && has(attribute, HEX);
            shown[i] = isHex ? RingLayout.KIND_HEX : kinds[i];
            shown[i] |= has(attribute, ROOT) ? RingLayout.ROOT_KEY : 0;
            addTexts(texts, attribute,
                    ContextFields.nameOf(attribute, attributes.get(i).getName(), naming));
        }
        int id = Native.registerType(
                texts.stream().map(Native::utf8).toArray(byte[][] ::new), shown, completes, false);
        if (id <= 0) {
            Native.log(Native.LOG_WARN,
                    "context type " + type.getName() + " is not registered: "
                            + (id == 0 ? limitOf(kinds.length) : "out of memory"));
            return null;
        }
        boolean hasSequences =
                attributes.stream().anyMatch(a -> valueType(a) == CharSequence.class);
        return new ContextLayout(id, kinds, offsets, hasSequences);
    }

    private static String limitOf(int attributes) {
        return "it has " + attributes + " attributes, and a type can have "
                + RingLayout.TYPE_ATTRIBUTES_MAX + "; of the " + RingLayout.ATTRIBUTES_MAX
                + " of all types of this JVM " + Native.attributesLeft()
                + " are left; and there can be " + RingLayout.TYPES_MAX + " types";
    }

    /** The type of the values of a field or method. */
    static Class<?> valueType(Member member) {
        return member instanceof Field field ? field.getType() : ((Method) member).getReturnType();
    }

    private static boolean has(AnnotatedElement attribute, String name) {
        return Arrays.stream(attribute.getAnnotations())
                .anyMatch(annotation -> annotation.annotationType().getName().equals(name));
    }

    private static void addTexts(List<String> texts, AnnotatedElement element, String name) {
        Label label = element.getAnnotation(Label.class);
        Description description = element.getAnnotation(Description.class);
        texts.add(name);
        texts.add(label == null ? "" : label.value());
        texts.add(description == null ? "" : description.value());
    }

    private static int kindOf(Class<?> type) {
        if (!type.isPrimitive()) {
            return RingLayout.KIND_STRING;
        }
        switch (type.getName()) {
            case "boolean":
                return RingLayout.KIND_BOOLEAN;
            case "byte":
                return RingLayout.KIND_BYTE;
            case "char":
                return RingLayout.KIND_CHAR;
            case "short":
                return RingLayout.KIND_SHORT;
            case "int":
                return RingLayout.KIND_INT;
            case "long":
                return RingLayout.KIND_LONG;
            case "float":
                return RingLayout.KIND_FLOAT;
            default:
                return RingLayout.KIND_DOUBLE;
        }
    }
}
