// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

/** Takes all memory that the heap has left, down to the last object. */
final class Hog {
    private static final int LARGEST_BYTES = 1 << 20;

    private Object[] eaten;

    /** Returns the error that was thrown when no memory was left. Nothing can be allocated then. */
    OutOfMemoryError eat() {
        OutOfMemoryError last = null;
        for (int size = LARGEST_BYTES; size > 0; size /= 4) {
            try {
                for (;;) {
                    Object[] link = new Object[] {eaten, null};
                    eaten = link;
                    link[1] = new byte[size];
                }
            } catch (OutOfMemoryError e) {
                last = e;
            }
        }
        return last;
    }

    void free() {
        eaten = null;
    }
}
