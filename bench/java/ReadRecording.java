// SPDX-License-Identifier: Apache-2.0

import java.nio.file.Path;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * Reads every event of a recording with the JDK's own API, and of each its time, type and thread.
 */
public final class ReadRecording {
    private ReadRecording() {}

    public static void main(String[] args) throws Exception {
        long count = 0;
        long sum = 0;
        try (RecordingFile recording = new RecordingFile(Path.of(args[0]))) {
            while (recording.hasMoreEvents()) {
                RecordedEvent event = recording.readEvent();
                sum += event.getEndTime().getNano() + event.getEventType().getId();
                sum += event.getThread() == null ? 0 : event.getThread().getId();
                count++;
            }
        }
        System.out.println(count + " events " + sum);
    }
}
