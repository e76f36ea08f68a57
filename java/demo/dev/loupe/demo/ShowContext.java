// SPDX-License-Identifier: Apache-2.0
package dev.loupe.demo;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * Prints the first event of a type together with the context around it, for JDKs whose jfr tool
 * shows no contexts by itself.
 *
 * <p>Usage: ShowContext FILE EVENT_TYPE CONTEXT_TYPE
 */
public final class ShowContext {
    private ShowContext() {}

    public static void main(String[] args) throws IOException {
        List<RecordedEvent> all = RecordingFile.readAllEvents(Path.of(args[0]));
        List<RecordedEvent> contexts =
                all.stream().filter(e -> e.getEventType().getName().equals(args[2])).toList();
        for (RecordedEvent event : all) {
            if (!event.getEventType().getName().equals(args[1])) {
                continue;
            }
            for (RecordedEvent context : contexts) {
                if (applies(context, event)) {
                    System.out.println(event.toString().strip());
                    System.out.println(context.toString().strip());
                    return;
                }
            }
        }
        System.err.println("no " + args[1] + " lies in a " + args[2]);
        System.exit(1);
    }

    private static boolean applies(RecordedEvent context, RecordedEvent event) {
        Instant commit = event.getEndTime();
        return context.getThread() != null && event.getThread() != null
                && context.getThread().getJavaThreadId() == event.getThread().getJavaThreadId()
                && !commit.isBefore(context.getStartTime())
                && !commit.isAfter(context.getEndTime());
    }
}
