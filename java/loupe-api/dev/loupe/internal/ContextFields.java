// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import jdk.jfr.Name;

/** Finds the attributes of a subclass of ContextType. Needs no agent. */
public final class ContextFields {
    private ContextFields() {}

    /**
     * Finds them: those of subclasses before those of superclasses.
     *
     * @param base ContextType
     * @param naming as in {@link ContextTypes#register}
     * @return at least one
     * @throws IllegalArgumentException if the type is abstract, has no attribute or two of the same
     *         name
     */
    public static List<Field> find(Class<?> type, Class<?> base, UnaryOperator<String> naming) {
        if (Modifier.isAbstract(type.getModifiers())) {
            throw new IllegalArgumentException("context type " + type.getName() + " is abstract");
        }
        List<Field> fields = findAll(type, base);
        fields.removeIf(field -> !isValue(field.getType()));
        fields.removeIf(field -> naming.apply(nameOf(field, field.getName())) == null);
        if (fields.isEmpty()) {
            throw new IllegalArgumentException("context type " + type.getName()
                    + " has no field of a primitive type, String or CharSequence");
        }
        Set<String> names = new HashSet<>();
        for (Field field : fields) {
            String name = naming.apply(nameOf(field, field.getName()));
            if (!names.add(name)) {
                throw new IllegalArgumentException(
                        "context type " + type.getName() + " has two attributes named " + name);
            }
        }
        return fields;
    }

    /** Returns the fields whose types are not supported. */
    static List<Field> findOmitted(Class<?> type, Class<?> base) {
        List<Field> fields = findAll(type, base);
        fields.removeIf(field -> isValue(field.getType()) || field.isSynthetic());
        return fields;
    }

    // As JFR does for events: no private fields of superclasses.
    private static List<Field> findAll(Class<?> type, Class<?> base) {
        List<Field> fields = new ArrayList<>();
        for (Class<?> c = type; c != base; c = c.getSuperclass()) {
            for (Field field : c.getDeclaredFields()) {
                int modifiers = field.getModifiers();
                boolean isHidden = c != type && Modifier.isPrivate(modifiers);
                if (!isHidden && !Modifier.isStatic(modifiers)
                        && !Modifier.isTransient(modifiers)) {
                    fields.add(field);
                }
            }
        }
        return fields;
    }

    /** Returns whether an attribute can be of a type. */
    static boolean isValue(Class<?> type) {
        return type.isPrimitive() && type != void.class || type == String.class
                || type == CharSequence.class;
    }

    /** Finds the name of a class, field or method by its annotation. */
    public static String nameOf(AnnotatedElement element, String defaultName) {
        Name name = element.getAnnotation(Name.class);
        return name == null ? defaultName : name.value();
    }
}
