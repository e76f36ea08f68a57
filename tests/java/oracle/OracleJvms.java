// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import java.util.Map;
import java.util.TreeMap;
import jdk.jfr.consumer.RecordedEvent;

/**
 * Which chunks of a file are of the same JVM: those whose clocks go on, as far as
 * jdk.JVMInformation does not name different ones. A merged recording has one clock for all.
 */
final class OracleJvms {
    /** first: of the chunks whose clock it shares. */
    private record Said(int first, String jvm) {}

    private final TreeMap<Integer, Said> said = new TreeMap<>(); // by chunk

    void add(OracleFile.Chunk chunk, RecordedEvent own) {
        if (own.getEventType().getName().equals("jdk.JVMInformation")) {
            String jvm = own.getLong("pid") + " " + own.getLong("jvmStartTime");
            said.put(chunk.index(), new Said(chunk.first(), jvm));
        }
    }

    /** firstA, firstB: the first chunk with the clock of each. */
    boolean areOne(int chunkA, int firstA, int chunkB, int firstB) {
        return firstA == firstB && of(chunkA, firstA).equals(of(chunkB, firstB));
    }

    /** A chunk that does not say is of the JVM of the one before, or else of the next that says. */
    private String of(int chunk, int first) {
        Map.Entry<Integer, Said> near = said.floorEntry(chunk);
        if (near == null || near.getValue().first() != first) {
            near = said.ceilingEntry(chunk);
        }
        return near == null || near.getValue().first() != first ? "" : near.getValue().jvm();
    }
}
