// SPDX-License-Identifier: Apache-2.0
package dev.loupe.mdc;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * The class that a person would write to declare a context type, with attributes that are known at
 * run time only:
 *
 * <pre>{@code
 * @Name("slf4j.MDC")
 * public class MdcContext extends ContextType {
 *   @Name("userId") public String value0;
 *   @Name("orderId") public String value1;
 * }
 * }</pre>
 */
final class MdcClassFile {
    private static final String TYPE_NAME = "slf4j.MDC";

    private static final int MAGIC = 0xCAFEBABE;
    private static final int MAJOR_VERSION = 61; // Java 17
    private static final int ACC_PUBLIC = 1;
    private static final int ACC_SUPER = 0x20;
    private static final int UTF8 = 1;
    private static final int CLASS = 7;
    private static final int METHOD_REF = 10;
    private static final int NAME_AND_TYPE = 12;
    private static final int ALOAD_0 = 0x2A;
    private static final int INVOKESPECIAL = 0xB7;
    private static final int RETURN = 0xB1;

    // The constant pool; the texts that each field needs follow, two of each.
    private static final int THIS = 2;
    private static final int SUPER = 4;
    private static final int INIT = 5;
    private static final int NO_ARGUMENTS = 6;
    private static final int SUPER_INIT = 8;
    private static final int CODE = 9;
    private static final int ANNOTATIONS = 10;
    private static final int NAME_ANNOTATION = 11;
    private static final int VALUE = 12;
    private static final int STRING = 13;
    private static final int TYPE_NAME_TEXT = 14;
    private static final int FIRST_FIELD = 15;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final DataOutputStream out = new DataOutputStream(bytes);

    private MdcClassFile() {}

    /** Returns the class file. */
    static byte[] of(List<String> attributes) {
        try {
            MdcClassFile file = new MdcClassFile();
            file.write(attributes);
            return file.bytes.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a key of over 65,535 bytes
        }
    }

    /** Returns the name of the field of an attribute. */
    static String fieldOf(int index) {
        return "value" + index;
    }

    private void write(List<String> attributes) throws IOException {
        out.writeInt(MAGIC);
        write(0, MAJOR_VERSION);
        writeConstants(attributes);
        write(ACC_PUBLIC | ACC_SUPER, THIS, SUPER, 0);
        write(attributes.size());
        for (int i = 0; i < attributes.size(); i++) {
            write(ACC_PUBLIC, FIRST_FIELD + 2 * i, STRING, 1);
            writeName(FIRST_FIELD + 2 * i + 1);
        }
        writeConstructor();
        write(1);
        writeName(TYPE_NAME_TEXT);
    }

    private void writeConstants(List<String> attributes) throws IOException {
        write(FIRST_FIELD + 2 * attributes.size());
        writeText("dev/loupe/mdc/MdcContext");
        writeReference(CLASS, THIS - 1);
        writeText("dev/loupe/ContextType");
        writeReference(CLASS, SUPER - 1);
        writeText("<init>");
        writeText("()V");
        writeReference(NAME_AND_TYPE, INIT, NO_ARGUMENTS);
        writeReference(METHOD_REF, SUPER, SUPER_INIT - 1);
        writeText("Code");
        writeText("RuntimeVisibleAnnotations");
        writeText("Ljdk/jfr/Name;");
        writeText("value");
        writeText("Ljava/lang/String;");
        writeText(TYPE_NAME);
        for (int i = 0; i < attributes.size(); i++) {
            writeText(fieldOf(i));
            writeText(attributes.get(i));
        }
    }

    private void writeText(String text) throws IOException {
        out.writeByte(UTF8);
        out.writeUTF(text);
    }

    private void writeReference(int tag, int... indices) throws IOException {
        out.writeByte(tag);
        write(indices);
    }

    // An attribute with the annotation @Name.
    private void writeName(int text) throws IOException {
        write(ANNOTATIONS);
        out.writeInt(11);
        write(1, NAME_ANNOTATION, 1, VALUE);
        out.writeByte('s');
        write(text);
    }

    // Calls that of the superclass.
    private void writeConstructor() throws IOException {
        write(1, ACC_PUBLIC, INIT, NO_ARGUMENTS, 1, CODE);
        out.writeInt(17);
        write(1, 1);
        out.writeInt(5);
        out.writeByte(ALOAD_0);
        out.writeByte(INVOKESPECIAL);
        write(SUPER_INIT);
        out.writeByte(RETURN);
        write(0, 0);
    }

    private void write(int... shorts) throws IOException {
        for (int value : shorts) {
            out.writeShort(value);
        }
    }
}
