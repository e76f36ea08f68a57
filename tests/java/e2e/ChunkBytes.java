// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes a chunk of a recording by hand: types, threads and events that no JVM would write just so.
 *
 * Events come first, then the constants, then the metadata.
 */
final class ChunkBytes {
    private static final int HEADER_BYTES = 68;
    private static final int METADATA = 0;
    private static final int CHECKPOINT = 1;
    private static final int UTF8 = 3;

    /** An element of the metadata's tree. */
    static final class Element {
        final String name;
        final Map<String, String> attributes = new LinkedHashMap<>();
        final List<Element> children = new ArrayList<>();

        Element(String name, String... attributes) {
            this.name = name;
            for (int i = 0; i < attributes.length; i += 2) {
                this.attributes.put(attributes[i], attributes[i + 1]);
            }
        }

        Element add(Element child) {
            children.add(child);
            return this;
        }
    }

    /** Values, in the order in which they are written. */
    static final class Values {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        Values number(long value) {
            for (int i = 0; i < 8 && (value & ~0x7fL) != 0; i++) {
                bytes.write((int) (value & 0x7f | 0x80));
                value >>>= 7;
            }
            bytes.write((int) value);
            return this;
        }

        Values text(String text) {
            byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
            bytes.write(UTF8);
            number(utf8.length);
            bytes.writeBytes(utf8);
            return this;
        }

        Values raw(int value) {
            bytes.write(value);
            return this;
        }
    }

    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private final OracleFile.Clock clock;

    ChunkBytes(OracleFile.Clock clock) {
        this.clock = clock;
    }

    /** Returns the offset of the event. */
    long event(long type, Values values) {
        long offset = HEADER_BYTES + body.size();
        int rest = new Values().number(type).bytes.size() + values.bytes.size();
        int size = rest + 1;
        while (new Values().number(size).bytes.size() + rest != size) {
            size++;
        }
        body.writeBytes(new Values().number(size).number(type).bytes.toByteArray());
        body.writeBytes(values.bytes.toByteArray());
        return offset;
    }

    /** One checkpoint with one pool: a key and the fields of each constant. */
    private long checkpoint(long poolType, Map<Long, Values> constants) {
        Values values = new Values().number(clock.startTicks()).number(0).number(0).raw(0);
        values.number(constants.isEmpty() ? 0 : 1);
        if (!constants.isEmpty()) {
            values.number(poolType).number(constants.size());
            constants.forEach((key, value) -> {
                values.number(key);
                values.bytes.writeBytes(value.bytes.toByteArray());
            });
        }
        return event(CHECKPOINT, values);
    }

    private long metadata(long id, Element root) {
        Map<String, Integer> strings = new LinkedHashMap<>();
        Values tree = new Values();
        element(tree, strings, root);
        Values values = new Values().number(clock.startTicks()).number(0).number(id);
        values.number(strings.size());
        strings.keySet().forEach(values::text);
        values.bytes.writeBytes(tree.bytes.toByteArray());
        return event(METADATA, values);
    }

    private static void element(Values out, Map<String, Integer> strings, Element element) {
        out.number(index(strings, element.name)).number(element.attributes.size());
        element.attributes.forEach(
                (key, value) -> { out.number(index(strings, key)).number(index(strings, value)); });
        out.number(element.children.size());
        element.children.forEach(child -> element(out, strings, child));
    }

    private static int index(Map<String, Integer> strings, String text) {
        return strings.computeIfAbsent(text, unused -> strings.size());
    }

    /** The whole chunk; nothing can be added any more. */
    byte[] finish(long metadataId, Element root, long poolType, Map<Long, Values> constants) {
        long checkpointAt = checkpoint(poolType, constants);
        long metadataAt = metadata(metadataId, root);
        ByteBuffer out = ByteBuffer.allocate(HEADER_BYTES + body.size());
        out.put(new byte[] {'F', 'L', 'R', 0}).putShort((short) 2).putShort((short) 1);
        out.putLong(out.capacity()).putLong(checkpointAt).putLong(metadataAt);
        out.putLong(clock.startNanos()).putLong(0);
        out.putLong(clock.startTicks()).putLong(clock.ticksPerSecond());
        out.putInt(1); // finished, with compressed integers
        out.put(body.toByteArray());
        return out.array();
    }
}
