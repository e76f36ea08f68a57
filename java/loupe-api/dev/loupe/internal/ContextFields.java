// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import jdk.jfr.Name;

/** Finds the attributes of a subclass of ContextType. Needs no agent. */
public final class ContextFields {
    private static final String ALL_FIELDS = "dev.loupe.AllFields"; // of any copy of the API

    /**
     * Whether fields without a name are attributes of every type: the agent's option {@code
     * fields=all}. Set by the agent before the first type is registered.
     */
    public static volatile boolean areUnnamedRecorded;

    private ContextFields() {}

    /**
     * Finds the attributes, subclasses before superclasses.
     *
     * @param base ContextType
     * @param naming as in {@link ContextTypes#register}. If it is null, a field needs a {@code
     *         @Name}, unless its class or the agent's option takes all fields.
     * @return empty if the type has fields that could be attributes, and none of them is one.
     * @throws IllegalArgumentException if the type is abstract, has no field that could be an
     *         attribute, or two attributes of the same name
     */
    public static List<Field> find(Class<?> type, Class<?> base, UnaryOperator<String> naming) {
        if (Modifier.isAbstract(type.getModifiers())) {
            throw new IllegalArgumentException("context type " + type.getName() + " is abstract");
        }
        List<Field> fields = findAll(type, base);
        fields.removeIf(field -> !isValue(field.getType()));
        if (naming != null) {
            fields.removeIf(field -> nameOf(field, field.getName(), naming) == null);
        }
        if (fields.isEmpty()) {
            throw new IllegalArgumentException("context type " + type.getName()
                    + " has no field of a primitive type, String or CharSequence");
        }
        if (naming == null) {
            fields.removeIf(field -> !isAskedFor(field) && !areUnnamedRecorded);
        }
        Set<String> names = new HashSet<>();
        for (Field field : fields) {
            String name = nameOf(field, field.getName(), naming);
            if (!names.add(name)) {
                throw new IllegalArgumentException(
                        "context type " + type.getName() + " has two attributes named " + name);
            }
        }
        return fields;
    }

    /**
     * Returns one line for the author of a type about fields that have no name or cannot be
     * recorded; null if there are none.
     */
    public static String explain(Class<?> type, Class<?> base) {
        List<String> sentences = new ArrayList<>();
        List<Field> fields = findAll(type, base);
        String unfit =
                fields.stream()
                        .filter(field -> isAskedFor(field) && !isValue(field.getType()))
                        .map(field -> field.getName() + " (" + field.getType().getTypeName() + ")")
                        .collect(Collectors.joining(", "));
        if (!unfit.isEmpty()) {
            sentences.add("not recorded: " + unfit + ". An attribute is of a primitive type, "
                    + "String or CharSequence; declare other fields transient");
        }
        String unnamed = fields.stream()
                                 .filter(field -> !isAskedFor(field) && isValue(field.getType()))
                                 .map(Field::getName)
                                 .collect(Collectors.joining(", "));
        if (!unnamed.isEmpty()) {
            sentences.add(
                    (areUnnamedRecorded ? "the option fields=all records" : "not recorded are")
                    + " fields without @Name: " + unnamed
                    + ". Annotate each attribute with jdk.jfr.Name, or the class with jdk.jfr.Name "
                    + "and dev.loupe.AllFields; declare other fields transient"
                    + (areUnnamedRecorded ? "" : ". The agent's option fields=all records all"));
        }
        return sentences.isEmpty()
                ? null
                : "context type " + type.getName() + ": " + String.join(". ", sentences);
    }

    private static boolean isAskedFor(Field field) {
        Class<?> owner = field.getDeclaringClass();
        return field.isAnnotationPresent(Name.class)
                || owner.isAnnotationPresent(Name.class)
                && Arrays.stream(owner.getDeclaredAnnotations())
                           .anyMatch(a -> a.annotationType().getName().equals(ALL_FIELDS));
    }

    // As JFR does for events: no private fields of superclasses. None that the compiler made.
    private static List<Field> findAll(Class<?> type, Class<?> base) {
        List<Field> fields = new ArrayList<>();
        for (Class<?> c = type; c != base; c = c.getSuperclass()) {
            for (Field field : c.getDeclaredFields()) {
                int modifiers = field.getModifiers();
                boolean isHidden = c != type && Modifier.isPrivate(modifiers);
                if (!isHidden && !Modifier.isStatic(modifiers) && !Modifier.isTransient(modifiers)
                        && !field.isSynthetic()) {
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

    /** Finds the name under which an attribute is recorded; naming may be null. */
    static String nameOf(
            AnnotatedElement element, String defaultName, UnaryOperator<String> naming) {
        String name = nameOf(element, defaultName);
        return naming == null ? name : naming.apply(name);
    }
}
