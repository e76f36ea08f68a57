// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import jakarta.servlet.ServletException;
import java.io.IOException;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;

/**
 * Makes events on threads of requests before these come to an application, and when they have left
 * it.
 */
final class OutsideValve extends ValveBase {
    OutsideValve() {
        super(true);
    }

    /** An event that says which entries its context has to have, joined by commas. */
    @Name("e2e.Work")
    @StackTrace(false)
    static final class Work extends Event {
        String expected;
    }

    static void commit(String expected) {
        Work work = new Work();
        work.expected = expected;
        work.commit();
    }

    @Override
    public void invoke(Request request, Response response) throws IOException, ServletException {
        commit("");
        try {
            getNext().invoke(request, response);
        } finally {
            commit("");
        }
    }
}
