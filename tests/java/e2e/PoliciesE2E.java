// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import dev.loupe.jfr.Contextual;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.SettingControl;
import jdk.jfr.SettingDefinition;

/**
 * Requests in which a thread waits and writes, requests in which it does nothing, and the same
 * waits and writes outside of them. The command line says which events are recorded.
 */
public final class PoliciesE2E {
    private static final int REQUESTS = 20;
    private static final long TINY_NANOS = 50_000; // shorter than the threshold of loupe.jfc
    private static final int SHORT_MS = 2; // longer than that
    private static final int LONG_MS = 30; // longer than the JDK's threshold

    private final FileOutputStream out;

    private PoliciesE2E(FileOutputStream out) {
        this.out = out;
    }

    @Name("e2e.Request")
    static final class Request extends Event {
        @Contextual int number;
    }

    /** Declares Loupe's setting, so that JFR writes into the recording which value it has. */
    @Name("e2e.Item")
    static final class Item extends Event {
        @Name("select")
        @SettingDefinition
        boolean select(Select select) {
            return true;
        }
    }

    /** JFR records all; the value is for who reads the recording. */
    public static final class Select extends SettingControl {
        private String value = "all";

        @Override
        public String combine(Set<String> values) {
            return values.iterator().next();
        }

        @Override
        public void setValue(String value) {
            this.value = value;
        }

        @Override
        public String getValue() {
            return value;
        }
    }

    public static void main(String[] args) throws Exception {
        try (FileOutputStream out = new FileOutputStream(args[0])) {
            PoliciesE2E test = new PoliciesE2E(out);
            for (int i = 0; i < REQUESTS; i++) {
                test.serve(i);
                Ticks.between();
                test.work();
                Ticks.between();
            }
        }
    }

    private void serve(int number) throws Exception {
        Request request = new Request();
        request.number = number;
        request.begin();
        if (number % 2 == 0) {
            work();
            Ticks.between();
        }
        request.commit();
    }

    private void work() throws IOException, InterruptedException {
        new Item().commit();
        LockSupport.parkNanos(this, TINY_NANOS);
        LockSupport.parkNanos(this, SHORT_MS * 1_000_000L);
        LockSupport.parkNanos(this, LONG_MS * 1_000_000L);
        synchronized (this) {
            wait(SHORT_MS);
            wait(LONG_MS);
        }
        Thread.sleep(SHORT_MS);
        Thread.sleep(LONG_MS);
        out.write(1);
    }
}
