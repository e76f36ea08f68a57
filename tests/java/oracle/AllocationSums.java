// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * Adds up what the events of allocations of a recording say, as the JDK's reader shows them: a line
 * for each event type and class, with how many events there are, and their bytes, divided by
 * tabulators.
 *
 * <pre>AllocationSums IN.jfr</pre>
 */
public final class AllocationSums {
    private static final Map<String, String> BYTES =
            Map.of("jdk.ObjectAllocationSample", "weight", "jdk.ObjectAllocationInNewTLAB",
                    "tlabSize", "jdk.ObjectAllocationOutsideTLAB", "allocationSize");

    private AllocationSums() {}

    static int run(String[] args) throws Exception {
        Map<String, long[]> sums = new TreeMap<>();
        try (RecordingFile file = new RecordingFile(Path.of(args[0]))) {
            while (file.hasMoreEvents()) {
                RecordedEvent event = file.readEvent();
                String type = event.getEventType().getName();
                if (BYTES.containsKey(type)) {
                    RecordedClass of = event.getClass("objectClass");
                    long[] sum = sums.computeIfAbsent(
                            type + '\t' + (of == null ? "" : of.getName()), unused -> new long[2]);
                    sum[0]++;
                    sum[1] += event.getLong(BYTES.get(type));
                }
            }
        }
        sums.forEach((key, sum) -> System.out.println(key + '\t' + sum[0] + '\t' + sum[1]));
        return 0;
    }
}
