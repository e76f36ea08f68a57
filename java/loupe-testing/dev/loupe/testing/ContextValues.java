// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testing;

import dev.loupe.ContextType;
import dev.loupe.internal.AccessMembers;
import dev.loupe.internal.ContextFields;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the attributes of a type's instances, with the results that the agent would get. */
final class ContextValues {
    private static final ClassValue<ContextValues> ALL = new ClassValue<>() {
        @Override
        protected ContextValues computeValue(Class<?> type) {
            return new ContextValues(type);
        }
    };

    private final String typeName;
    private final Map<String, Member> members = new LinkedHashMap<>();

    private ContextValues(Class<?> type) {
        typeName = ContextFields.nameOf(type, type.getName());
        boolean isContextType = ContextType.class.isAssignableFrom(type);
        List<? extends Member> found = isContextType
                ? ContextFields.find(type, ContextType.class, null)
                : AccessMembers.find(type);
        if (found.isEmpty()) {
            throw new IllegalArgumentException(ContextFields.explain(type, ContextType.class));
        }
        for (Member member : found) {
            if (isContextType) {
                ((Field) member).setAccessible(true);
            }
            members.put(ContextFields.nameOf((AnnotatedElement) member, member.getName()), member);
        }
    }

    /** Returns the reader of a type; throws IllegalArgumentException if it does not fit. */
    static ContextValues of(Class<?> type) {
        return ALL.get(type);
    }

    String typeName() {
        return typeName;
    }

    /** Returns the values that the attributes of context have now, by name. */
    Map<String, Object> read(Object context) {
        Map<String, Object> values = new LinkedHashMap<>();
        members.forEach((name, member) -> values.put(name, read(member, context)));
        return values;
    }

    private static Object read(Member member, Object context) {
        try {
            Object value = member instanceof Field field ? field.get(context)
                                                         : ((Method) member).invoke(context);
            return value instanceof CharSequence ? value.toString() : value;
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            return nothing(member);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e); // it was made accessible
        } catch (RuntimeException e) {
            return nothing(member); // of a CharSequence
        }
    }

    // Stands for a value that could not be read.
    private static Object nothing(Member member) {
        Class<?> type = member instanceof Method method ? method.getReturnType() : Object.class;
        return type.isPrimitive() ? Array.get(Array.newInstance(type, 1), 0) : null;
    }
}
