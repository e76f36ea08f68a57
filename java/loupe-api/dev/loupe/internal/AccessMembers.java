// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal;

import java.lang.annotation.AnnotationFormatError;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import jdk.jfr.Name;

/**
 * Finds the attributes of a class for ContextAccess; a class that does not fit is an exception with
 * the reason. Needs no agent. Public like everything that the API calls here: if the agent is
 * loaded late, caller and callee may belong to different copies.
 */
public final class AccessMembers {
    private final Class<?> type;
    private final List<Member> members = new ArrayList<>();

    private AccessMembers(Class<?> type) {
        this.type = type;
    }

    /**
     * Finds them: fields before methods, and members of subclasses before those of superclasses
     * and then interfaces. {@link SourceOrder} sorts the methods of a class. All are accessible.
     * Callers need no permission for that.
     *
     * @return fields and methods, at least one; null if a security manager denies it to this class
     * @throws IllegalArgumentException if the class cannot be a context
     */
    @SuppressWarnings("removal") // JDK 24 and later have no security manager
    public static List<Member> find(Class<?> type) {
        AccessMembers found = new AccessMembers(type);
        try {
            return AccessController.doPrivileged((PrivilegedAction<List<Member>>) found::findAll);
        } catch (SecurityException e) {
            return null;
        } catch (IllegalArgumentException e) {
            throw e;
        } catch (RuntimeException | LinkageError | AnnotationFormatError e) {
            throw new IllegalArgumentException(found.text("cannot be inspected: " + e), e);
        }
    }

    private List<Member> findAll() {
        if (!type.isAnnotationPresent(Name.class)) {
            throw misuse("has no annotation jdk.jfr.Name");
        }
        addAll();
        check();
        return members;
    }

    private void addAll() {
        Set<Class<?>> classes = new LinkedHashSet<>();
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            classes.add(c);
        }
        for (Class<?> c : classes.toArray(Class<?>[] ::new)) {
            addInterfaces(c, classes);
        }
        for (Class<?> c : classes) {
            addFields(c);
        }
        for (Class<?> c : classes) {
            addMethods(c);
        }
    }

    private static void addInterfaces(Class<?> c, Set<Class<?>> classes) {
        for (Class<?> inherited : c.getInterfaces()) {
            classes.add(inherited);
            addInterfaces(inherited, classes);
        }
    }

    private void addFields(Class<?> c) {
        for (Field field : c.getDeclaredFields()) {
            if (field.isAnnotationPresent(Name.class)) {
                add(field, field.getType());
            }
        }
    }

    // Sorted, since the JVM may give the methods of a class in another order when it is loaded
    // again.
    private void addMethods(Class<?> c) {
        List<Method> methods = new ArrayList<>();
        for (Method method : c.getDeclaredMethods()) {
            if (method.isAnnotationPresent(Name.class) && !method.isBridge()) {
                methods.add(method);
            }
        }
        SourceOrder.sort(c, methods);
        for (Method method : methods) {
            if (method.getParameterCount() > 0) {
                throw misuse(method, "has parameters");
            }
            if (!isThereAlready(method)) {
                add(method, method.getReturnType());
            }
        }
    }

    private void add(Member member, Class<?> value) {
        if (Modifier.isStatic(member.getModifiers())) {
            throw misuse(member, "is static");
        }
        if (value == void.class) {
            throw misuse(member, "returns nothing");
        }
        if (!ContextFields.isValue(value)) {
            throw misuse(member,
                    "is of type " + value.getTypeName()
                            + ", which is not a primitive type, String or CharSequence");
        }
        members.add(member);
    }

    // javac gives the annotation of a record's component to its field and to its accessor. A method
    // that overrides another was found before it.
    private boolean isThereAlready(Method method) {
        for (Member member : members) {
            if (!member.getName().equals(method.getName())) {
                continue;
            }
            if (member instanceof Field ? member.getDeclaringClass().isRecord()
                                        : isOverridden(method, member)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isOverridden(Method method, Member by) {
        int access = method.getModifiers() | by.getModifiers();
        if (Modifier.isPrivate(access) || Modifier.isStatic(access)) {
            return false;
        }
        boolean isEverywhere =
                (method.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0;
        return isEverywhere
                || method.getDeclaringClass().getPackage() == by.getDeclaringClass().getPackage();
    }

    private void check() {
        if (members.isEmpty()) {
            throw misuse("has no field or method with the annotation jdk.jfr.Name");
        }
        Set<String> names = new HashSet<>();
        for (Member member : members) {
            String name = ((AnnotatedElement) member).getAnnotation(Name.class).value();
            if (!names.add(name)) {
                throw misuse("has two attributes named " + name);
            }
            if (!((AccessibleObject) member).trySetAccessible()) {
                throw misuse(member, howToOpen(member.getDeclaringClass()));
            }
        }
    }

    private static String howToOpen(Class<?> closed) {
        Module module = closed.getModule();
        Module own = AccessMembers.class.getModule();
        String to = own.isNamed() ? own.getName() : "ALL-UNNAMED";
        String part = closed.getPackageName();
        return "is not accessible: module " + module.getName() + " must open package " + part
                + (own.isNamed() ? " to " + to : " to the unnamed module") + ", by 'opens " + part
                + ";' in its module-info.java or by the option --add-opens " + module.getName()
                + "/" + part + "=" + to;
    }

    private IllegalArgumentException misuse(Member member, String problem) {
        String kind = member instanceof Field ? "field " : "method ";
        Class<?> declaring = member.getDeclaringClass();
        String of = declaring == type ? "" : " of " + declaring.getName();
        return misuse(kind + member.getName() + of + " " + problem);
    }

    private IllegalArgumentException misuse(String problem) {
        return new IllegalArgumentException(text(problem));
    }

    private String text(String problem) {
        return "context type " + type.getName() + ": " + problem;
    }
}
