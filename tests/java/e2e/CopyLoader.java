// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import java.io.IOException;

/**
 * Defines its own copies of the test programs' classes whose names begin with one of the prefixes.
 */
final class CopyLoader extends ClassLoader {
    private final String[] prefixes;

    CopyLoader(String... prefixes) {
        super(CopyLoader.class.getClassLoader());
        this.prefixes = prefixes;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!isCopied(name)) {
            return super.loadClass(name, resolve);
        }
        Class<?> loaded = findLoadedClass(name);
        try {
            byte[] bytes = ClassBytes.of(Class.forName(name));
            return loaded != null ? loaded : defineClass(name, bytes, 0, bytes.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    private boolean isCopied(String name) {
        for (String prefix : prefixes) {
            if (name.startsWith("dev.loupe.testapps." + prefix)) {
                return true;
            }
        }
        return false;
    }
}
