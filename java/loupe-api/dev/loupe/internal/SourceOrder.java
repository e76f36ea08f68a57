// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The order of methods in the source of their class. The JVM does not keep it, but compilers write
 * methods into the class file in that order. Needs no agent.
 */
final class SourceOrder {
    private static final int MAGIC = 0xCAFEBABE;
    private static final int CLASS_TEXTS = 3; // access, class, superclass: 2 bytes each

    private final DataInputStream in;
    private String[] texts; // of the constant pool
    private final List<String> methods = new ArrayList<>();

    private SourceOrder(InputStream in) {
        this.in = new DataInputStream(new BufferedInputStream(in));
    }

    /**
     * Sorts methods of a class by their order in the source. Methods that its class file does not
     * have come last, by name: all of them, if the class loader has no class file.
     */
    static void sort(Class<?> type, List<Method> methods) {
        List<String> order = methods.size() < 2 ? List.of() : find(type);
        methods.sort(Comparator
                             .comparingInt((Method method) -> {
                                 int index = order.indexOf(keyOf(method));
                                 return index < 0 ? order.size() : index;
                             })
                             .thenComparing(Method::getName));
    }

    private static String keyOf(Method method) {
        return method.getName()
                + MethodType.methodType(method.getReturnType(), method.getParameterTypes())
                          .toMethodDescriptorString();
    }

    // Returns an empty list if there is no class file, or none that can be read.
    private static List<String> find(Class<?> type) {
        String name = type.getName();
        try (InputStream file = type.isHidden()
                        ? null
                        : type.getResourceAsStream(
                                name.substring(name.lastIndexOf('.') + 1) + ".class")) {
            if (file == null) {
                return List.of();
            }
            SourceOrder reader = new SourceOrder(file);
            reader.read();
            return reader.methods;
        } catch (IOException | RuntimeException e) { // also of a loader of the application's
            return List.of();
        }
    }

    private void read() throws IOException {
        if (in.readInt() != MAGIC) {
            throw new IOException("no class file");
        }
        in.readInt(); // the version
        readConstants();
        in.skipNBytes(CLASS_TEXTS * Short.BYTES);
        in.skipNBytes((long) Short.BYTES * in.readUnsignedShort()); // interfaces
        readMembers(new ArrayList<>()); // fields
        readMembers(methods);
    }

    private void readConstants() throws IOException {
        texts = new String[in.readUnsignedShort()];
        for (int i = 1; i < texts.length; i++) {
            int tag = in.readUnsignedByte();
            switch (tag) {
                case 1: // Utf8
                    texts[i] = in.readUTF();
                    break;
                case 5: // Long
                case 6: // Double; each has two places
                    in.skipNBytes(8);
                    i++;
                    break;
                case 15: // MethodHandle
                    in.skipNBytes(3);
                    break;
                case 7: // Class
                case 8: // String
                case 16: // MethodType
                case 19: // Module
                case 20: // Package
                    in.skipNBytes(2);
                    break;
                default: // numbers and pairs of references
                    in.skipNBytes(4);
            }
        }
    }

    private void readMembers(List<String> out) throws IOException {
        int count = in.readUnsignedShort();
        for (int i = 0; i < count; i++) {
            in.readUnsignedShort(); // access
            out.add(texts[in.readUnsignedShort()] + texts[in.readUnsignedShort()]);
            int attributes = in.readUnsignedShort();
            for (int k = 0; k < attributes; k++) {
                in.readUnsignedShort();
                in.skipNBytes(Integer.toUnsignedLong(in.readInt()));
            }
        }
    }
}
