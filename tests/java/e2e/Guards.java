// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import dev.loupe.Loupe;
import java.security.AccessController;
import java.security.Permission;

/** Security managers, which JDK 24 and later do not have. */
final class Guards {
    private Guards() {}

    @SuppressWarnings("removal")
    static void set(String kind) {
        // What it needs is loaded before it is asked about loading.
        if (!isDenied(new Class<?>[] {AccessController.class, Loupe.class, Guards.class})
                || isDenied(new Class<?>[] {AccessController.class, Object.class})) {
            throw new AssertionError();
        }
        System.setSecurityManager(kind.equals("later") ? new SecurityManager() : new Denying());
    }

    /**
     * Denies all that Loupe asks for. What the JDK asks for by itself, in its own name, is fine.
     */
    @SuppressWarnings("removal")
    private static final class Denying extends SecurityManager {
        @Override
        public void checkPermission(Permission permission) {
            check(permission);
        }

        @Override
        public void checkPermission(Permission permission, Object context) {
            check(permission);
        }

        private void check(Object what) {
            if (isDenied(getClassContext())) {
                throw new SecurityException("denied: " + what);
            }
        }
    }

    @SuppressWarnings("removal")
    private static boolean isDenied(Class<?>[] frames) {
        for (int i = 0; i + 1 < frames.length; i++) {
            if (frames[i] == AccessController.class && frames[i + 1] != AccessController.class
                    && frames[i + 1].getModule().isNamed()) {
                return false;
            }
            String name = frames[i].getName();
            if (name.startsWith("dev.loupe.") && !name.startsWith("dev.loupe.testapps.")) {
                return true;
            }
        }
        return false;
    }
}
