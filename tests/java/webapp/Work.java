// SPDX-License-Identifier: Apache-2.0
package webapp;

import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** An event that says which entries its context has to have, joined by commas; none: no context. */
@Name("e2e.Work")
@StackTrace(false)
final class Work extends Event {
    String expected;

    static void commit(String expected) {
        Work work = new Work();
        work.expected = expected;
        work.commit();
    }
}
