// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

/** Processes that native code makes: tests/e2e/support/forks.c. */
final class Forks {
    static final int WAYS = 3;

    private Forks() {}

    /**
     * Forks, waits for the child, and returns its exit status. The child leaves by _exit (0) or
     * exit (1), or becomes a shell that lists its descriptors in file (2).
     */
    static native int fork(int how, String file);
}
