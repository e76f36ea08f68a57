// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import jdk.jfr.EventType;
import jdk.jfr.ValueDescriptor;

/**
 * Which kinds of contexts a recording has by a policy, and the fields in which events show them: by
 * docs/internals/elimination.md#context-styles. Needs --add-opens jdk.jfr/jdk.jfr=ALL-UNNAMED.
 */
final class OracleKinds {
    private static final int KINDS_MAX = 64;
    private static final int ATTRIBUTES_MAX = 16;
    private static final int COLUMNS_MAX = 128;
    private static final Set<String> IMPLICIT =
            Set.of("startTime", "duration", "eventThread", "stackTrace");
    private static final Set<String> NUMBERS =
            Set.of("boolean", "byte", "short", "int", "long", "float", "double");
    private static final Set<String> PRIMITIVES = Set.of("boolean", "byte", "char", "short", "int",
            "long", "float", "double", "java.lang.String");

    /**
     * A field that events get. referenceOrNull: the type that it refers to; numberOrNull: the type
     * of a number or a boolean.
     */
    record Column(String kind, String attribute, String referenceOrNull, String numberOrNull,
            String name, String label, String description) {
        /** Whether an event that is a context of the kind has such a value. */
        boolean isIn(EventType type) {
            ValueDescriptor field = type.getField(attribute);
            return field != null && isValue(field)
                    && (referenceOrNull == null ? !isReference(field)
                                                : isReference(field)
                                            && field.getTypeName().equals(referenceOrNull));
        }

        String typeName() {
            String name = referenceOrNull != null ? referenceOrNull : numberOrNull;
            return name != null ? name : "java.lang.String";
        }
    }

    private final TreeMap<String, EventType> kinds = new TreeMap<>();
    private final OracleEvents in;
    final List<Column> columns = new ArrayList<>();

    // A type is a kind if there is an event of it, kept or not; the first ones count.
    OracleKinds(OracleEvents in, OraclePolicy policy) {
        this.in = in;
        for (int i = 0; i < in.types.size(); i++) {
            OracleEvents.Type type = in.types.get(i);
            OraclePolicy.Rule rule =
                    policy.rule(type.name(), type.isAnnotated(), type.hasDuration());
            if (rule.isContextual() && rule.isEnabled() && hasThread(in.described.get(i))
                    && kinds.size() < KINDS_MAX) {
                kinds.putIfAbsent(type.name(), in.described.get(i));
            }
        }
        kinds.values().forEach(this::addColumns);
    }

    boolean isEmpty() {
        return kinds.isEmpty();
    }

    boolean has(String type) {
        return kinds.containsKey(type);
    }

    static boolean hasThread(EventType type) {
        return type.getField("eventThread") != null || type.getField("sampledThread") != null;
    }

    private void addColumns(EventType kind) {
        List<ValueDescriptor> attributes = attributes(kind);
        if (columns.size() + attributes.size() > COLUMNS_MAX) {
            return;
        }
        boolean hasNamesake = kinds.keySet().stream().anyMatch(other
                -> !other.equals(kind.getName())
                        && lastName(other).equals(lastName(kind.getName())));
        String prefix = hasNamesake ? kind.getName() : lastName(kind.getName());
        String label = kind.getLabel() == null ? lastName(kind.getName()) : kind.getLabel();
        for (ValueDescriptor field : attributes) {
            Set<String> taken = columns.stream().map(Column::name).collect(Collectors.toSet());
            String name = (prefix + "_" + field.getName()).replaceAll("[^A-Za-z0-9_$]", "_");
            columns.add(new Column(kind.getName(), field.getName(),
                    isReference(field) ? field.getTypeName() : null,
                    numberOrNull(kind.getName(), field.getName()), free(name, taken),
                    label + ": " + (field.getLabel() == null ? field.getName() : field.getLabel()),
                    field.getDescription()));
        }
    }

    // The type of a number that the attribute is, however often its type is described.
    private String numberOrNull(String kind, String attribute) {
        Set<String> types = in.described.stream()
                                    .filter(type -> type.getName().equals(kind))
                                    .map(type -> type.getField(attribute))
                                    .filter(field -> field != null && isValue(field))
                                    .map(field -> isConstant(field) ? "" : field.getTypeName())
                                    .collect(Collectors.toSet());
        String type = types.iterator().next();
        boolean isNumber = types.size() == 1 && NUMBERS.contains(type);
        return !isNumber ? null : type.equals("byte") ? "int" : type;
    }

    private static List<ValueDescriptor> attributes(EventType kind) {
        boolean hasMarked = kind.getFields().stream().anyMatch(OracleKinds::isMarked);
        return kind.getFields()
                .stream()
                .filter(field
                        -> isValue(field)
                                && (hasMarked ? isMarked(field)
                                              : !IMPLICIT.contains(field.getName())))
                .limit(ATTRIBUTES_MAX)
                .toList();
    }

    private static boolean isMarked(ValueDescriptor field) {
        return OracleEvents.isContextual(field.getAnnotationElements());
    }

    private static boolean isValue(ValueDescriptor field) {
        return !field.isArray() && (isConstant(field) || PRIMITIVES.contains(field.getTypeName()));
    }

    /** Whether it refers to more than a text. */
    private static boolean isReference(ValueDescriptor field) {
        return isConstant(field) && !isText(field)
                && !(field.getFields().size() == 1 && isText(field.getFields().get(0)));
    }

    private static boolean isText(ValueDescriptor field) {
        return field.getTypeName().equals("java.lang.String") && !field.isArray();
    }

    // The JDK's reader knows, and does not tell.
    private static boolean isConstant(ValueDescriptor field) {
        try {
            Method method = ValueDescriptor.class.getDeclaredMethod("isConstantPool");
            method.setAccessible(true);
            return (boolean) method.invoke(field);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String lastName(String name) {
        return name.substring(name.lastIndexOf('.') + 1);
    }

    /** The name, with a number where it is taken. */
    private static String free(String name, Set<String> taken) {
        String out = name;
        for (int i = 2; taken.contains(out); i++) {
            out = name + "_" + i;
        }
        return out;
    }

    /** What the names become in a type that has fields of its own. */
    static List<String> names(List<String> wanted, List<ValueDescriptor> own) {
        Set<String> ownNames =
                own.stream().map(ValueDescriptor::getName).collect(Collectors.toSet());
        List<String> names = new ArrayList<>();
        for (String name : wanted) {
            Set<String> taken = new HashSet<>(wanted);
            taken.addAll(ownNames);
            names.add(ownNames.contains(name) ? free(name, taken) : name);
        }
        return names;
    }
}
