// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import dev.loupe.testapps.OracleKinds.Column;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import jdk.jfr.consumer.RecordedEvent;

/** The events dev.loupe.ContextAttribute, which describe the columns in each chunk of an output. */
final class OracleAttributes {
    static final String TYPE = "dev.loupe.ContextAttribute";

    private OracleAttributes() {}

    /** What is wrong with those of an output that has these columns, or null. */
    static String compare(Path path, List<Column> columns) throws IOException {
        TreeMap<Integer, List<String>> found = new TreeMap<>(); // by chunk
        OracleFile.readAll(path, (chunk, shown, own) -> {
            List<String> ofChunk = found.computeIfAbsent(chunk.index(), i -> new ArrayList<>());
            if (own.getEventType().getName().equals(TYPE)) {
                ofChunk.add(text(own));
            }
        });
        List<String> expected = columns.stream().map(OracleAttributes::text).toList();
        for (var chunk : found.entrySet()) {
            if (!chunk.getValue().equals(expected)) {
                return "chunk " + chunk.getKey() + " describes " + chunk.getValue() + " instead of "
                        + expected;
            }
        }
        return null;
    }

    private static String text(RecordedEvent event) {
        return String.join("|", event.getString("contextType"), event.getString("attribute"),
                event.getString("type"), event.getString("field"), event.getString("label"),
                event.getString("description"));
    }

    private static String text(Column column) {
        String description = column.description() == null ? "" : column.description();
        return String.join("|", column.kind(), column.attribute(), column.typeName(), column.name(),
                column.label(), description);
    }
}
