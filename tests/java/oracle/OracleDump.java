// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import java.nio.file.Path;
import java.util.List;
import jdk.jfr.ValueDescriptor;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedObject;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;

/**
 * Writes the events of a recording as lines, for a test to judge: type, its id, whether it is
 * contextual, start and duration in ticks, start as the JDK prints it, thread id, then the names
 * and values of its fields as in a Journal.
 *
 * <pre>OracleDump RECORDING.jfr [PREFIX]...</pre>
 *
 * Fields (but no structures) are written for types whose name starts with one of the prefixes.
 */
public final class OracleDump {
    private static final List<String> IMPLICIT =
            List.of("startTime", "duration", "eventThread", "stackTrace");

    private OracleDump() {}

    static int run(String[] args) throws Exception {
        try (RecordingFile file = new RecordingFile(Path.of(args[0]))) {
            StringBuilder line = new StringBuilder();
            while (file.hasMoreEvents()) {
                RecordedEvent event = file.readEvent();
                line.setLength(0);
                append(line, event, args);
                System.out.println(line);
            }
        }
        return 0;
    }

    private static void append(StringBuilder line, RecordedEvent event, String[] args) {
        String type = event.getEventType().getName();
        line.append(type).append('\t').append(event.getEventType().getId());
        line.append('\t').append(OracleEvents.isAnnotated(event.getEventType()) ? 1 : 0);
        line.append('\t').append((long) event.getValue("startTime"));
        line.append('\t').append(
                event.hasField("duration") ? (long) event.getValue("duration") : 0);
        line.append('\t').append(event.getStartTime());
        line.append('\t').append(thread(event));
        for (int i = 1; i < args.length; i++) {
            if (type.startsWith(args[i])) {
                appendFields(line, event);
                return;
            }
        }
    }

    private static void appendFields(StringBuilder line, RecordedEvent event) {
        for (ValueDescriptor field : event.getFields()) {
            if (!IMPLICIT.contains(field.getName())) {
                Object value = event.getValue(field.getName());
                if (value instanceof RecordedObject || value instanceof Object[]) {
                    continue;
                }
                line.append('\t').append(field.getName()).append('\t').append(Journal.text(value));
            }
        }
    }

    // Java thread id, or the negative one of the operating system, or 0.
    private static long thread(RecordedEvent event) {
        String field = event.hasField("eventThread") ? "eventThread" : "sampledThread";
        RecordedThread thread = event.hasField(field) ? event.getThread(field) : null;
        if (thread == null) {
            return 0;
        }
        return thread.getJavaThreadId() > 0 ? thread.getJavaThreadId() : -thread.getOSThreadId();
    }
}
