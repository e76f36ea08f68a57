// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedThread;

/**
 * Says whether a slice has exactly the events of recordings that docs/find/ask.md promises,
 * each as it was there ({@link MergeEquals}).
 *
 * <pre>OracleSlice SLICE.jfr within|around SELECTION FILE.jfr...</pre>
 *
 * SELECTION: as of OracleQuery, its parameters one after the other with line breaks between them.
 * Exit status: as of MergeEquals.
 */
final class OracleSlice {
    private static final Set<String> PAUSES = Set.of("jdk.GarbageCollection", "jdk.GCPhasePause",
            "jdk.GCPhasePauseLevel1", "jdk.GCPhasePauseLevel2", "jdk.GCPhasePauseLevel3",
            "jdk.GCPhasePauseLevel4", "jdk.SafepointBegin", "jdk.SafepointStateSynchronization",
            "jdk.SafepointCleanup", "jdk.SafepointCleanupTask", "jdk.SafepointEnd",
            "jdk.ExecuteVMOperation");

    private static final class Row {
        int chunk;
        int jvm;
        String type;
        long typeId;
        long namedTypeId;
        long period; // that a setting says; 0: none
        String thread;
        long begin;
        long commit;
        boolean isContext;
        boolean isPause;
        String ownerOrNull;
    }

    private final List<Row> rows = new ArrayList<>();
    private final OracleJvms jvms = new OracleJvms();
    private final Map<String, List<OracleQuery.Open>> contexts = new HashMap<>(); // by thread
    private final Map<String, List<OracleQuery.Open>> waits = new HashMap<>(); // by owner

    private OracleSlice() {}

    static int run(String[] args) throws IOException {
        boolean isAround = args[1].equals("around");
        List<String> selection = args[2].isEmpty() ? List.of() : List.of(args[2].split("\n"));
        Map<String, BitSet> wanted = new HashMap<>();
        List<String> compared = new ArrayList<>(List.of(args[0]));
        for (int i = 3; i < args.length; i++) {
            wanted.put(args[i], new OracleSlice().choose(Path.of(args[i]), selection, isAround));
            compared.add(args[i]);
        }
        return MergeEquals.compare(compared.toArray(String[] ::new), wanted);
    }

    private BitSet choose(Path file, List<String> selection, boolean isAround) throws IOException {
        for (OracleQuery.Open open : OracleQuery.contexts(file, selection)) {
            contexts.computeIfAbsent(open.thread(), unused -> new ArrayList<>()).add(open);
        }
        OracleFile.read(file, this::add);
        for (Row row : rows) {
            if (isAround && row.ownerOrNull != null && isIn(contexts, row.thread, row.commit)) {
                waits.computeIfAbsent(row.ownerOrNull, unused -> new ArrayList<>())
                        .add(new OracleQuery.Open(row.ownerOrNull, row.begin, row.commit));
            }
        }
        BitSet wanted = new BitSet();
        Map<Integer, Set<Long>> typesOfChunk = new HashMap<>();
        for (int i = 0; i < rows.size(); i++) {
            Row row = rows.get(i);
            if (!row.type.equals("jdk.ActiveSetting") && isWanted(row, isAround)) {
                wanted.set(i);
                typesOfChunk.computeIfAbsent(row.chunk, unused -> new HashSet<>()).add(row.typeId);
            }
        }
        for (int setting : neededPeriods(wanted)) {
            wanted.set(setting);
            typesOfChunk.computeIfAbsent(rows.get(setting).chunk, unused -> new HashSet<>());
        }
        for (int i = 0; i < rows.size(); i++) {
            Row row = rows.get(i);
            Set<Long> types = typesOfChunk.getOrDefault(row.chunk, Set.of());
            boolean isSetting =
                    row.type.equals("jdk.ActiveSetting") && types.contains(row.namedTypeId);
            boolean isOfJvm =
                    row.type.equals("jdk.JVMInformation") && typesOfChunk.containsKey(row.chunk);
            if (isSetting || isOfJvm) {
                wanted.set(i);
            }
        }
        return wanted;
    }

    /** The settings that say the period of wanted samples in whose chunk there is none. */
    private Set<Integer> neededPeriods(BitSet wanted) {
        Set<Long> sampleTypes = new HashSet<>();
        rows.stream()
                .filter(row -> row.type.equals("jdk.ExecutionSample"))
                .forEach(row -> sampleTypes.add(row.typeId));
        TreeMap<Integer, List<Integer>> settings = new TreeMap<>(); // by chunk
        for (int i = 0; i < rows.size(); i++) {
            Row row = rows.get(i);
            if (row.period > 0 && sampleTypes.contains(row.namedTypeId)) {
                settings.computeIfAbsent(row.chunk, unused -> new ArrayList<>()).add(i);
            }
        }
        Comparator<Integer> byTime = Comparator.comparingLong(i -> rows.get(i).commit);
        settings.values().forEach(list -> list.sort(byTime));
        Set<Integer> needed = new HashSet<>();
        wanted.stream().mapToObj(rows::get).forEach(row -> {
            if (row.type.equals("jdk.ExecutionSample") && !settings.containsKey(row.chunk)) {
                TreeMap<Integer, List<Integer>> ofJvm = new TreeMap<>(settings);
                ofJvm.values().removeIf(list -> {
                    Row other = rows.get(list.get(0));
                    return !jvms.areOne(other.chunk, other.jvm, row.chunk, row.jvm);
                });
                Map.Entry<Integer, List<Integer>> before = ofJvm.lowerEntry(row.chunk);
                if (before != null) {
                    needed.add(before.getValue().get(before.getValue().size() - 1));
                } else if (!ofJvm.isEmpty()) {
                    needed.add(ofJvm.firstEntry().getValue().get(0));
                }
            }
        });
        return needed;
    }

    private void add(OracleFile.Chunk chunk, RecordedEvent shown, RecordedEvent own) {
        jvms.add(chunk, own);
        Row row = new Row();
        row.chunk = chunk.index();
        row.jvm = chunk.first();
        row.type = own.getEventType().getName();
        row.typeId = own.getEventType().getId();
        row.namedTypeId = row.type.equals("jdk.ActiveSetting") ? own.getLong("id") : 0;
        row.period = row.type.equals("jdk.ActiveSetting") ? OracleQuery.periodOf(own) : 0;
        row.isContext = OracleEvents.isAnnotated(own.getEventType());
        row.begin = OracleFile.ticks(own);
        row.commit = row.begin + (own.hasField("duration") ? (long) own.getValue("duration") : 0);
        row.begin = Math.min(row.begin, row.commit);
        RecordedThread thread = OracleQuery.thread(own) == null ? OracleQuery.thread(shown)
                                                                : OracleQuery.thread(own);
        row.thread = thread == null ? null : OracleQuery.identity(thread, chunk);
        row.isPause = PAUSES.contains(row.type)
                && (!own.hasField("safepoint") || own.getBoolean("safepoint"));
        if (row.type.equals("jdk.JavaMonitorEnter")) {
            RecordedThread owner = own.getThread("previousOwner");
            owner = owner == null ? shown.getThread("previousOwner") : owner;
            row.ownerOrNull = owner == null ? null : OracleQuery.identity(owner, chunk);
        }
        rows.add(row);
    }

    private static boolean isIn(
            Map<String, List<OracleQuery.Open>> open, String thread, long commit) {
        return thread != null
                && open.getOrDefault(thread, List.of())
                           .stream()
                           .anyMatch(in -> in.begin() <= commit && commit <= in.end());
    }

    private boolean isWanted(Row row, boolean isAround) {
        if (row.isContext) {
            return row.thread != null
                    && contexts.getOrDefault(row.thread, List.of())
                               .stream()
                               .anyMatch(in -> in.begin() <= row.begin && row.commit <= in.end());
        }
        return isIn(contexts, row.thread, row.commit)
                || (isAround
                        && (isIn(waits, row.thread, row.commit)
                                || (row.isPause && isPauseOfContext(row))));
    }

    private boolean isPauseOfContext(Row row) {
        return contexts.keySet()
                .stream()
                .filter(thread
                        -> thread.startsWith(row.jvm + "java") || thread.startsWith(row.jvm + "os"))
                .anyMatch(thread -> isIn(contexts, thread, row.commit));
    }
}
