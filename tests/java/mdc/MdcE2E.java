// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import java.util.Map;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/** Changes SLF4J's MDC in all ways. In between it makes events, and logs what they expect. */
final class MdcE2E {
    private static final Logger LOGGER = LoggerFactory.getLogger(MdcE2E.class);

    private MdcE2E() {}

    /** An event that says in which context it is. */
    @Name("e2e.Work")
    @StackTrace(false)
    static final class Work extends Event {
        String expected;
    }

    private static void work(String expected) {
        Work work = new Work();
        work.expected = expected;
        work.commit();
        LOGGER.info(expected);
    }

    private static void change() {
        work("");
        MDC.put("user", "anna");
        work("user=anna");
        MDC.put("other", "thing");
        work("user=anna");
        try (MDC.MDCCloseable closeable = MDC.putCloseable("order.id", "7")) {
            work("user=anna,order.id=7");
        }
        work("user=anna");
        MDC.put("user", "bert");
        MDC.remove("other");
        work("user=bert");
        MDC.remove("user");
        work("");
        MDC.put("order.id", "8");
        MDC.clear();
        work("");
        MDC.setContextMap(Map.of("user", "carl", "order.id", "9", "other", "thing"));
        work("user=carl,order.id=9");
        MDC.setContextMap(Map.of("other", "thing"));
        work("");
        MDC.put("user", "dora");
        work("user=dora");
    }

    public static void main(String[] args) throws Exception {
        change();
        Map<String, String> copy = MDC.getCopyOfContextMap();
        Thread thread = new Thread(() -> {
            work("");
            MDC.setContextMap(copy);
            work("user=dora");
        });
        thread.start();
        thread.join();
        work("user=dora");
        MDC.clear();
        work("");
    }
}
