// SPDX-License-Identifier: Apache-2.0

import one.jfr.JfrReader;
import one.jfr.event.Event;

/**
 * Reads a recording with async-profiler's JfrReader: of the types of MakeRecording time and thread,
 * of others what it knows. It passes over the rest.
 */
public final class ReadJfrReader {
    private ReadJfrReader() {}

    /** Of the fields that every event of Java code has the first three. */
    public static final class Own extends Event {
        public Own(JfrReader reader) {
            this(reader.getVarlong(), reader.getVarlong(), reader.getVarint());
        }

        private Own(long start, long duration, int thread) {
            super(start + duration, thread, 0);
        }
    }

    public static void main(String[] args) throws Exception {
        long count = 0;
        long sum = 0;
        try (JfrReader reader = new JfrReader(args[0])) {
            for (String name : new String[] {"Request", "Step", "Transfer", "Query"}) {
                reader.registerEvent("bench." + name, Own.class);
            }
            for (Event event; (event = reader.readEvent()) != null;) {
                sum += event.time + event.tid;
                count++;
            }
        }
        System.out.println(count + " events " + sum);
    }
}
