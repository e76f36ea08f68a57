// SPDX-License-Identifier: Apache-2.0
package dev.loupe.mdc;

import dev.loupe.ContextType;
import dev.loupe.Loupe;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.util.List;

/** A context type whose attributes are known at run time only. Any thread. */
final class MdcType {
    private final Constructor<? extends ContextType> constructor;
    private final Field[] fields;
    private final ContextType any; // for the properties that all have in common

    MdcType(List<String> attributes) {
        try {
            Class<? extends ContextType> type = MethodHandles.lookup()
                                                        .defineClass(MdcClassFile.of(attributes))
                                                        .asSubclass(ContextType.class);
            constructor = type.getConstructor();
            fields = new Field[attributes.size()];
            for (int i = 0; i < fields.length; i++) {
                fields[i] = type.getField(MdcClassFile.fieldOf(i));
            }
            any = constructor.newInstance();
            Loupe.registerContext(type);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns whether contexts are recorded. */
    boolean isActive() {
        return any.isActive();
    }

    /** Begins a context with these values, or none if all of them are null. */
    void set(String[] values) {
        try {
            ContextType context = null;
            for (int i = 0; i < values.length; i++) {
                if (values[i] != null) {
                    context = context == null ? constructor.newInstance() : context;
                    fields[i].set(context, values[i]);
                }
            }
            if (context == null) {
                any.unset();
            } else {
                context.set();
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e); // all of it is public
        }
    }
}
