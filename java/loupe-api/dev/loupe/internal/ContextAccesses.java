// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal;

import dev.loupe.internal.agent.Native;
import dev.loupe.internal.ring.AccessValues;
import dev.loupe.internal.ring.ContextLayout;
import dev.loupe.internal.ring.RingLayout;
import dev.loupe.internal.ring.RingTexts;
import java.lang.annotation.AnnotationFormatError;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.ForceInline;

/**
 * The classes that are contexts without extending ContextType. Where all attributes are fields,
 * {@link Rings} reads them by itself. Otherwise a method handle takes the values, with code of the
 * application, before Rings gets them: none of that may run while a record is being written.
 */
public final class ContextAccesses {
    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
    // Of Rings.set.
    private static final MethodType RECORD =
            MethodType.methodType(void.class, ContextLayout.class)
                    .appendParameterTypes(Collections.nCopies(AccessValues.COUNT, long.class))
                    .appendParameterTypes(Collections.nCopies(AccessValues.COUNT, String.class));
    private static final MethodType BITS_OF_OBJECT =
            MethodType.methodType(long.class, Object.class);
    private static final MethodType TEXT_OF_OBJECT =
            MethodType.methodType(String.class, Object.class);

    private static final ClassValue<Slot> SLOTS = new ClassValue<>() {
        @Override
        protected Slot computeValue(Class<?> type) {
            return new Slot();
        }
    };

    private ContextAccesses() {}

    // The state of a class. Held by the class itself, so that it does not keep its loader alive.
    private static final class Slot {
        private Writer writer; // null: not tried; guarded by the slot
    }

    // How contexts of a class are recorded. A record, because compiled code trusts the components
    // of one that it knows.
    private record Writer(ContextLayout layout, // null: refused, nothing is recorded
            MethodHandle setter /* null: Rings reads the fields */) {}

    /**
     * Registers a class, or finds that it is.
     *
     * @param base the caller's copy of ContextType
     * @param members the attributes, accessible fields and methods; null if they are unknown: then
     *         nothing is recorded, which is logged
     * @return what set and unset take
     */
    public static Object register(Class<?> base, Class<?> type, List<Member> members) {
        ContextTypes.registerServices(base);
        Slot slot = SLOTS.get(type);
        synchronized (slot) {
            if (slot.writer == null) {
                slot.writer = tryDescribe(type, members);
            }
            return slot.writer;
        }
    }

    /**
     * Ends the current thread's context and begins one with the values that {@code context} has.
     */
    @ForceInline
    public static void set(Object registered, Object context) {
        Writer writer = (Writer) registered;
        if (writer.setter != null) {
            call(writer.setter, context);
        } else if (writer.layout != null) {
            Rings.set(writer.layout, context);
        }
    }

    /** Ends the current thread's context. */
    public static void unset(Object registered) {
        Writer writer = (Writer) registered;
        if (writer.layout != null) {
            Rings.unset(writer.layout);
        }
    }

    @ForceInline
    private static void call(MethodHandle setter, Object context) {
        try {
            setter.invokeExact(context);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e); // the getters' own were caught
        }
    }

    // Callers need no permission.
    @SuppressWarnings("removal") // JDK 24 and later have no security manager
    private static Writer tryDescribe(Class<?> type, List<Member> members) {
        if (members == null) {
            return refuse(type, "its attributes cannot be found");
        }
        try {
            return AccessController.doPrivileged(
                    (PrivilegedAction<Writer>) () -> describe(type, members));
        } catch (RuntimeException | LinkageError | AnnotationFormatError e) {
            return refuse(type, e.toString());
        }
    }

    private static Writer refuse(Class<?> type, String why) {
        Native.log(
                Native.LOG_WARN, "context type " + type.getName() + " is not registered: " + why);
        return new Writer(null, null);
    }

    private static Writer describe(Class<?> type, List<Member> members) {
        boolean areFields = members.stream().allMatch(Field.class ::isInstance);
        long[] offsets = areFields ? offsetsIn(members) : offsetsOf(members);
        ContextLayout layout = ContextTypes.register(type, members, offsets, null, 0);
        boolean hasSetter = layout != null && !areFields;
        return new Writer(layout, hasSetter ? setter(layout, members) : null);
    }

    private static long[] offsetsIn(List<Member> fields) {
        return fields.stream()
                .mapToLong(field -> Unsafe.getUnsafe().objectFieldOffset((Field) field))
                .toArray();
    }

    // A type with more than COUNT attributes is not registered, whatever its offsets.
    private static long[] offsetsOf(List<Member> members) {
        long[] offsets = new long[members.size()];
        for (int i = 0; i < offsets.length; i++) {
            boolean isText = !ContextTypes.valueType(members.get(i)).isPrimitive();
            offsets[i] = AccessValues.offsetOf(i % AccessValues.COUNT, isText);
        }
        return offsets;
    }

    // (Object)void: takes the values from its argument, one after the other, and records them.
    private static MethodHandle setter(ContextLayout layout, List<Member> members) {
        try {
            MethodHandle[] getters = new MethodHandle[2 * AccessValues.COUNT];
            Arrays.fill(getters, 0, AccessValues.COUNT, MethodHandles.empty(BITS_OF_OBJECT));
            Arrays.fill(getters, AccessValues.COUNT, getters.length,
                    MethodHandles.empty(TEXT_OF_OBJECT));
            for (int i = 0; i < members.size(); i++) {
                boolean isText = layout.kinds[i] == RingLayout.KIND_STRING;
                getters[isText ? AccessValues.COUNT + i : i] = getter(members.get(i));
            }
            MethodHandle record = LOOKUP.findStatic(Rings.class, "set", RECORD);
            MethodHandle each = MethodHandles.filterArguments(record.bindTo(layout), 0, getters);
            return MethodHandles.permuteArguments(
                    each, MethodType.methodType(void.class, Object.class), new int[getters.length]);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    // BITS_OF_OBJECT or TEXT_OF_OBJECT.
    private static MethodHandle getter(Member member) throws ReflectiveOperationException {
        MethodHandle value = member instanceof Field field ? LOOKUP.unreflectGetter(field)
                                                           : LOOKUP.unreflect((Method) member);
        Class<?> type = value.type().returnType();
        if (type == float.class || type == double.class) {
            value = convert(value, AccessValues.class, "bitsOf", type, long.class);
        } else if (type == CharSequence.class) {
            value = convert(value, RingTexts.class, "textOf", type, String.class);
        }
        MethodType wanted = type.isPrimitive() ? BITS_OF_OBJECT : TEXT_OF_OBJECT;
        value = MethodHandles.explicitCastArguments(value, wanted);
        if (member instanceof Field) {
            return value;
        }
        MethodHandle nothing =
                MethodHandles.dropArguments(MethodHandles.empty(wanted), 0, Exception.class);
        return MethodHandles.catchException(value, Exception.class, nothing);
    }

    private static MethodHandle convert(MethodHandle value, Class<?> converter, String name,
            Class<?> from, Class<?> to) throws ReflectiveOperationException {
        return MethodHandles.filterReturnValue(
                value, LOOKUP.findStatic(converter, name, MethodType.methodType(to, from)));
    }
}
