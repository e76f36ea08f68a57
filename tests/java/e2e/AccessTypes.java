// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import dev.loupe.Hex;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** Classes that are contexts by their annotations, as tests of ContextAccess need them. */
final class AccessTypes {
    private AccessTypes() {}

    /** Half of the fields are those of a superclass, all are private. */
    abstract static class FieldsBase {
        private final long hidden = -1;
        @Name("id") private final long id;
        @Name("flag") private final boolean flag;
        @Name("float") private final float single;
        @Name("double") private final double value;

        FieldsBase(long id, boolean flag, float single, double value) {
            this.id = id;
            this.flag = flag;
            this.single = single;
            this.value = value;
        }

        long hidden() {
            return hidden + id + (flag ? 1 : 0) + (long) (single + value);
        }
    }

    /** Eight fields of every primitive type, and some that are none. */
    @Name("e2e.Fields")
    @Label("Fields")
    @Description("A class with fields")
    static final class Fields extends FieldsBase {
        static final long ID = -1;
        private final Object hidden = this;
        // The same Java name as in the superclass.
        @Name("byte") private final byte id;
        @Name("char") @Label("A character") private final char letter;
        @Name("short") private transient short small;
        @Name("int") private volatile int whole;
        public String notNamed = "not named";

        Fields(long id, boolean flag, float single, double value, byte b, char letter, short small,
                int whole) {
            super(id, flag, single, value);
            this.id = b;
            this.letter = letter;
            this.small = small;
            this.whole = whole;
        }

        long sum() {
            return hidden() + id + letter + small + whole + (hidden == null ? 1 : 0);
        }
    }

    /** Has an id. */
    interface Identified {
        @Name("id") long id();

        /** Not annotated. */
        int other();
    }

    /** Has one more, by default. */
    interface Measured extends Identified {
        @Name("double")
        default double value() {
            return id() / 3.0;
        }
    }

    /** Has methods that are overridden, and one that cannot be. */
    abstract static class MethodsBase implements Measured {
        final long bits;

        MethodsBase(long bits) {
            this.bits = bits;
        }

        @Name("another name")
        boolean flag() {
            throw new AssertionError();
        }

        @Name("byte")
        private byte small() {
            return (byte) bits;
        }

        @Name("short") protected abstract short number();

        byte callSmall() {
            return small();
        }
    }

    /** Eight methods of every primitive type, at all levels. */
    @Name("e2e.Methods")
    static final class Methods extends MethodsBase {
        private final long id;

        Methods(long id, long bits) {
            super(bits);
            this.id = id;
        }

        @Override
        public long id() {
            return id;
        }

        @Override
        public int other() {
            throw new AssertionError("nobody asked for it");
        }

        @Override
        @Name("flag")
        boolean flag() {
            return bits < 0;
        }

        // Overrides nothing.
        byte small() {
            throw new AssertionError("the private one is asked for");
        }

        @Override
        protected short number() {
            return (short) (bits >> 8);
        }

        @Name("char")
        private char letter() {
            return (char) (bits >> 24 & 0x7fff);
        }

        @Name("int")
        synchronized int whole() throws Exception {
            return (int) (bits >> 32);
        }

        @Name("float")
        public float single() {
            return bits / 7.0f;
        }

        char callLetter() {
            return letter();
        }
    }

    /** Has a name. */
    interface Named {
        @Name("name") CharSequence name();
    }

    /** A record with texts, some of its values by methods that fail. */
    @Name("e2e.Texts")
    record Texts(@Name("id") long id, @Name("text") String text, @Name("chars") CharSequence chars,
            String given) implements Named {
        // There is a bridge with the annotation, too.
        @Override
        @Name("name")
        public String name() {
            return given;
        }

        @Name("thrown")
        String thrown() throws Exception {
            throw given == null ? new Exception("checked") : new IllegalStateException("unchecked");
        }

        @Name("thrown-number")
        int thrownNumber() {
            return Integer.parseInt("no number");
        }
    }

    /** Made into a hidden class. */
    @Name("e2e.Hidden")
    static final class Hidden implements Identified {
        private final long id;
        private final long span;

        Hidden(long id, long span) {
            this.id = id;
            this.span = span;
        }

        @Override
        public long id() {
            return id;
        }

        @Override
        public int other() {
            throw new AssertionError("nobody asked for it");
        }

        @Hex
        @Name("span")
        private long span() {
            return span;
        }
    }

    /** One attribute too many where the others are registered. */
    @Name("e2e.Over")
    record Over(@Name("id") int id) {}

    /** More attributes than can ever be registered. */
    @Name("e2e.Many")
    record Many(@Name("1") int a, @Name("2") int b, @Name("3") int c, @Name("4") int d,
            @Name("5") int e, @Name("6") int f, @Name("7") int g, @Name("8") int h,
            @Name("9") int i, @Name("10") int j, @Name("11") int k, @Name("12") int l,
            @Name("13") int m, @Name("14") int n, @Name("15") int o, @Name("16") String p) {
        @Name("17")
        int q() {
            throw new AssertionError("nobody asked for it");
        }
    }
}
