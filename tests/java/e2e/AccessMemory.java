// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import com.sun.management.ThreadMXBean;
import dev.loupe.ContextAccess;
import dev.loupe.Loupe;
import java.lang.management.ManagementFactory;
import jdk.jfr.Name;

/**
 * Prints how many bytes a thread allocates for a context, by ContextAccess and of a ContextType, in
 * the best of several rounds. All of them together fit into the agent's rings.
 */
public final class AccessMemory {
    private static final int ROUNDS = 3;
    private static final int PAIRS = 10_000;

    @Name("e2e.Fields")
    record Fields(@Name("id") long id, @Name("text") String text) {}

    /** Has methods, one of which is not that of its class. */
    @Name("e2e.Methods")
    record Methods(long given, String name) implements AccessTypes.Identified {
        @Override
        public long id() {
            return given;
        }

        @Override
        public int other() {
            throw new AssertionError("nobody asked for it");
        }

        @Name("text")
        String text() {
            return name;
        }

        @Name("sequence")
        CharSequence sequence() {
            return name;
        }

        @Name("ratio")
        double ratio() {
            return given / 3.0;
        }
    }

    private static final ContextAccess<Fields> FIELDS = ContextAccess.forType(Fields.class);
    private static final ContextAccess<Methods> METHODS = ContextAccess.forType(Methods.class);

    private AccessMemory() {}

    @SuppressWarnings("deprecation") // Thread.threadId() is there from JDK 19 on
    public static void main(String[] args) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().getId();
        Fields fields = new Fields(1, "a text of 20 letters");
        Methods methods = new Methods(1, "a text of 20 letters");
        Loupe.registerContext(Marks.Order.class);
        Marks.Order order = new Marks.Order();
        order.text = "a text of 20 letters";
        long least = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            long before = threads.getThreadAllocatedBytes(thread);
            for (int i = 0; i < PAIRS; i++) {
                FIELDS.set(fields);
                METHODS.set(methods);
                order.set();
                FIELDS.unset();
                METHODS.unset();
                order.unset();
            }
            least = Math.min(least, threads.getThreadAllocatedBytes(thread) - before);
        }
        System.out.println("bytes " + least / (3 * PAIRS));
    }
}
