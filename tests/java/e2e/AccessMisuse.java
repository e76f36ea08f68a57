// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import dev.loupe.ContextAccess;
import jdk.jfr.Name;

/**
 * Classes that cannot be contexts, and what is said about each.
 *
 * <pre>AccessMisuse all            expects all of them to be refused
 * AccessMisuse none           expects that nothing is looked at (there is no module jdk.jfr)
 * AccessMisuse class NAME...  prints a line of what is said about each class, "fine" if
 * nothing</pre>
 */
public final class AccessMisuse {
    private AccessMisuse() {}

    static final class NoName { @Name("a") int a; }

    static final class Inherited extends AccessTypes.FieldsBase {
        Inherited() {
            super(1, true, 2, 3);
        }
    }

    @Name("empty")
    static final class Empty {
        int a;
    }

    @Name("twice")
    static final class Twice {
        @Name("x") int a;

        @Name("x")
        int b() {
            return 0;
        }
    }

    /** Private methods are not overridden, even by one of the same name. */
    static class PrivateBase {
        @Name("y")
        private int a() {
            return 0;
        }

        int callA() {
            return a();
        }
    }

    @Name("private-twice")
    static final class PrivateTwice extends PrivateBase {
        @Name("y")
        private int a() {
            return 1;
        }

        @Override
        int callA() {
            return a();
        }
    }

    @Name("unsupported")
    static final class Unsupported {
        @Name("boxed") Long boxed;
    }

    @Name("unsupported-method")
    static final class UnsupportedMethod {
        @Name("bytes")
        byte[] bytes() {
            return null;
        }
    }

    @Name("parameter")
    static final class Parameter {
        @Name("with")
        int with(int a) {
            return a;
        }
    }

    @Name("void")
    static final class Nothing {
        @Name("nothing")
        void nothing() {}
    }

    @Name("static")
    static final class Static {
        @Name("constant") static int constant;
    }

    @Name("broken")
    static final class Broken {
        private static final Error ERROR = new Error();

        @Name("a")
        int a() {
            throw ERROR;
        }
    }

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "all":
                all();
                break;
            case "none":
                none();
                break;
            default:
                for (int i = 1; i < args.length; i++) {
                    System.out.println(saidOf(Class.forName(args[i])));
                }
        }
    }

    private static String saidOf(Class<?> type) {
        try {
            ContextAccess.forType(type);
            return "fine";
        } catch (IllegalArgumentException e) {
            return e.getMessage();
        }
    }

    private static void all() {
        expect(NoName.class, "no annotation jdk.jfr.Name");
        expect(Inherited.class, "no annotation jdk.jfr.Name");
        expect(int.class, "int: has no annotation");
        expect(Object[].class, "no annotation");
        expect(Empty.class, "no field or method with the annotation");
        expect(Twice.class, "two attributes named x");
        expect(PrivateTwice.class, "two attributes named y");
        expect(Unsupported.class, "field boxed is of type java.lang.Long");
        expect(UnsupportedMethod.class, "method bytes is of type byte[]");
        expect(Parameter.class, "method with has parameters");
        expect(Nothing.class, "method nothing returns nothing");
        expect(Static.class, "field constant is static");
        expectNull();
        expectWrongClass();
        expectError();
    }

    private static void none() {
        ContextAccess<NoName> access = ContextAccess.forType(NoName.class);
        access.set(new NoName());
        access.set(null);
        access.unset();
    }

    private static void expect(Class<?> type, String words) {
        String said = saidOf(type);
        if (!said.contains(words) || !said.contains(type.getName())) {
            throw new AssertionError(type + ": " + said);
        }
    }

    private static void expectNull() {
        try {
            ContextAccess.forType(null);
        } catch (NullPointerException e) {
            return;
        }
        throw new AssertionError("null is a type");
    }

    // Where somebody went round the compiler's checks, nothing may be read from another class.
    @SuppressWarnings({"unchecked", "rawtypes"})
    private static void expectWrongClass() {
        ContextAccess access = ContextAccess.forType(AccessTypes.Over.class);
        try {
            access.set("not an Over");
        } catch (ClassCastException e) {
            return;
        }
        if (Boolean.getBoolean("e2e.agent")) {
            throw new AssertionError("an instance of another class is taken");
        }
    }

    // An Error of the application's is not ours to hide. Without the agent no getter is called.
    private static void expectError() {
        ContextAccess<Broken> access = ContextAccess.forType(Broken.class);
        Error found = null;
        try {
            access.set(new Broken());
        } catch (Error e) {
            found = e;
        }
        if (found != (Boolean.getBoolean("e2e.agent") ? Broken.ERROR : null)) {
            throw new AssertionError(found);
        }
    }
}
