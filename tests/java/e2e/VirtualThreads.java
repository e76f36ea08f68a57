// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import java.util.concurrent.ThreadFactory;

/** Virtual threads by reflection: these programs are compiled for 17. */
final class VirtualThreads {
    private VirtualThreads() {}

    static boolean areThere() {
        return Runtime.version().feature() >= 21;
    }

    static ThreadFactory factory() throws ReflectiveOperationException {
        Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
        Class<?> type = Class.forName("java.lang.Thread$Builder");
        return (ThreadFactory) type.getMethod("factory").invoke(builder);
    }
}
