// SPDX-License-Identifier: Apache-2.0

import dev.loupe.*;
import java.nio.file.Files;
import java.nio.file.Path;
import jdk.jfr.*;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * Records events that carry Loupe's look-alike of Contextual, and events that carry the JDK's own:
 * run from its source by the JDK under test, which has the lines marked with "JDK 25:" uncommented
 * where it can. All of dev.loupe and jdk.jfr is imported, and nothing is ambiguous. OldEvent was
 * compiled with the annotation's former place, and is found by its name. Writes the recording to
 * the first argument and prints which of its events carry which annotation.
 */
public final class ContextualEvents {
    @Name("test.Field")
    static final class FieldEvent extends Event {
        @dev.loupe.jfr.Contextual String traceId = "loupe";
        String plain = "";
    }

    @Name("test.Type")
    @dev.loupe.jfr.Contextual
    static final class TypeEvent extends Event {}

    // JDK 25: @Name("test.Jdk") static final class JdkEvent extends Event {
    // JDK 25: @Contextual String traceId = "jdk"; }

    @Name("test.Work")
    static final class WorkEvent extends Event {}

    public static void main(String[] args) throws Exception {
        Path file = Path.of(args[0]);
        try (Recording recording = new Recording()) {
            recording.start();
            FieldEvent field = new FieldEvent();
            field.begin();
            TypeEvent type = new TypeEvent();
            type.begin();
            // JDK 25: JdkEvent jdk = new JdkEvent(); jdk.begin();
            Event old = (Event) Class.forName("OldEvent").getConstructor().newInstance();
            old.begin();
            new WorkEvent().commit();
            old.commit();
            // JDK 25: jdk.commit();
            type.commit();
            field.commit();
            recording.dump(file);
        }
        for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
            StringBuilder line = new StringBuilder(event.getEventType().getName());
            event.getEventType().getAnnotationElements().forEach(a -> add(line, "type", a));
            for (ValueDescriptor value : event.getFields()) {
                value.getAnnotationElements().forEach(a -> add(line, value.getName(), a));
            }
            System.out.println(line);
        }
    }

    private static void add(StringBuilder line, String what, AnnotationElement annotation) {
        if (annotation.getTypeName().endsWith("Contextual")) {
            line.append(' ').append(what).append(' ').append(annotation.getTypeName());
        }
    }
}
