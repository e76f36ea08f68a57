// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import dev.loupe.AllFields;
import dev.loupe.ContextType;
import dev.loupe.Hex;
import java.io.IOException;
import java.lang.annotation.RetentionPolicy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import jdk.jfr.Name;

/** Classes and contexts that nobody should make. */
final class Hostile {
    // What code of this program has thrown.
    private static final Set<Throwable> THROWN =
            Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));

    private static final List<Object> LOADED = new ArrayList<>();

    private Hostile() {}

    /** An exception that cannot even be shown. */
    static final class Mute extends RuntimeException {
        private static final long serialVersionUID = 1;

        @Override
        public String toString() {
            throw new IllegalStateException("nothing is said");
        }
    }

    static final class Plain extends ContextType {
        @Name("text") public String text = "text";
        @Name("number") int number;
    }

    static final class Late extends ContextType { @Name("late") private int number; }

    @Name("hostile-late")
    record AccessLate(@Name("late") int number) {}

    static final class Texts extends ContextType {
        @Name("failing") CharSequence failing = new Failing();
        @Name("text") String text;
    }

    /** Its constructor fails after the one of ContextType. */
    static final class FailingConstructor extends ContextType {
        @Name("number") int number = 1;

        FailingConstructor() {
            fail();
        }
    }

    static final class FailingClass extends ContextType {
        static final int NUMBER = fail();
        @Name("number") int number;
    }

    @Name("wide")
    @AllFields
    static final class Wide extends ContextType {
        long a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q;
    }

    @Name("")
    static final class NoName extends ContextType {
        @Name("") @Hex int number;
    }

    @Name("\u0000\ud800 x")
    static final class OddName extends ContextType {
        @Name("\u0000") String text;
    }

    static final class NoFields extends ContextType {}

    static final class Odd extends ContextType {
        @Name("object") Object object;
        @Name("array") int[] array;
        @Name("nothing") Void nothing;
        @Name("choice") RetentionPolicy choice;
    }

    static final class Twice extends ContextType {
        @Name("a") int a;
        @Name("a") int b;
    }

    abstract static class Unfinished extends ContextType { @Name("number") int number; }

    /** One of its fields is of a class that is missing where Gaps loads it. */
    static final class Gap extends ContextType {
        Missing missing;
        @Name("number") int number;
    }

    static final class Missing {}

    @Name("gap")
    static final class AccessGap {
        Missing missing;
        @Name("number") int number;
    }

    @Name("hostile-access")
    static final class Access {
        @Name("a")
        int a() {
            return fail();
        }

        @Name("b")
        private CharSequence b() {
            return new Failing();
        }
    }

    @Name("hostile-error")
    static final class AccessError {
        @Name("a")
        int a() {
            throw thrown(new StackOverflowError());
        }
    }

    @Name("hostile-fields")
    record AccessRecord(@Name("a") int a, @Name("b") CharSequence b) {}

    @Name("hostile-static")
    static final class AccessStatic {
        @Name("a") static int a;
    }

    @Name("hostile-enum")
    enum AccessEnum {
        ONE;

        @Name("a") int a;
    }

    static final class Failing implements CharSequence {
        @Override
        public int length() {
            return fail();
        }

        @Override
        public char charAt(int index) {
            return (char) fail();
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            fail();
            return null;
        }

        @Override
        public String toString() {
            fail();
            return null;
        }
    }

    /** Throws what is known to be this program's own. */
    static int fail() {
        throw thrown(new Mute());
    }

    static <T extends Throwable> T thrown(T problem) {
        THROWN.add(problem);
        return problem;
    }

    static boolean hasThrown(Throwable problem) {
        return THROWN.contains(problem);
    }

    /** Loads the classes with gaps, which is not the API's doing. */
    static void setUp() throws ClassNotFoundException {
        ClassLoader gaps = new Gaps();
        LOADED.add(gaps.loadClass(Gap.class.getName()));
        LOADED.add(gaps.loadClass(AccessGap.class.getName()));
        LOADED.add(Class.forName("jdk.jfr.events.FileReadEvent")); // of a module that is closed
    }

    private static final class Gaps extends ClassLoader {
        Gaps() {
            super(Hostile.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.equals(Missing.class.getName())) {
                throw new ClassNotFoundException(name);
            }
            if (!name.endsWith("Gap")) {
                return super.loadClass(name, resolve);
            }
            try {
                byte[] bytes = ClassBytes.of(Class.forName(name));
                Class<?> loaded = findLoadedClass(name);
                return loaded != null ? loaded : defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    /** Contexts, and classes that are none: the compiler's checks can be circumvented. */
    static List<Object> types() {
        List<Object> types = new ArrayList<>(LOADED);
        types.addAll(List.of(Plain.class, Texts.class, FailingConstructor.class, FailingClass.class,
                Wide.class, NoName.class, OddName.class, NoFields.class, Odd.class, Twice.class,
                Unfinished.class, ContextType.class, Access.class, AccessError.class,
                AccessRecord.class, AccessStatic.class, AccessEnum.class, Name.class, String.class,
                Object.class, Runnable.class, int.class, void.class, int[].class, Plain[].class,
                Thread.class, ClassLoader.class, new ContextType() { int x; }.getClass()));
        return types;
    }

    static List<Object> contexts() {
        return List.of(new Plain(), new Texts(), new NoName(), new Wide(), new Odd());
    }

    /** Instances for ContextAccess, of fitting classes and of others. */
    static List<Object> instances() {
        return List.of(new Access(), new AccessError(), new AccessRecord(1, new Failing()),
                AccessEnum.ONE, new Plain(), "a text");
    }

    static Stream<Class<? extends ContextType>> failingStream() {
        return Stream.of(Plain.class, Unfinished.class).map(type -> {
            if (type == Unfinished.class) {
                throw thrown(new AssertionError("of a service"));
            }
            return type;
        });
    }
}
