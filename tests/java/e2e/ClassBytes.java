// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import java.io.IOException;
import java.io.InputStream;

/** The class file of a class, to be defined once more. */
final class ClassBytes {
    private ClassBytes() {}

    static byte[] of(Class<?> type) throws IOException {
        String name = type.getName();
        try (InputStream in = type.getResourceAsStream(
                     name.substring(name.lastIndexOf('.') + 1) + ".class")) {
            return in.readAllBytes();
        }
    }
}
