// SPDX-License-Identifier: Apache-2.0
package dev.loupe.rings;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads a file of context records, as ctx_record.h describes them. */
final class Records implements AutoCloseable {
    static final int SET = 1;
    static final int UNSET = 2;
    static final int THREAD_END = 3;
    static final long ALL_THREADS = 0;
    static final int HEADER_BYTES = 24;

    int type;
    int kind;
    long thread;
    long time;
    ByteBuffer values;
    private final DataInputStream in;

    Records(Path path) throws IOException {
        in = new DataInputStream(new BufferedInputStream(Files.newInputStream(path), 1 << 20));
    }

    boolean next() throws IOException {
        byte[] head = in.readNBytes(HEADER_BYTES);
        if (head.length < HEADER_BYTES) {
            return false; // of a file that is being written, the rest comes later
        }
        ByteBuffer header = ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN);
        int size = header.getInt();
        type = header.getShort();
        kind = header.getShort();
        thread = header.getLong();
        time = header.getLong();
        byte[] body = in.readNBytes(size - HEADER_BYTES);
        if (body.length < size - HEADER_BYTES) {
            return false;
        }
        values = ByteBuffer.wrap(body).order(ByteOrder.LITTLE_ENDIAN);
        return true;
    }

    long nextLong() {
        return values.getLong();
    }

    String nextText() {
        int length = values.getInt();
        int coder = values.getInt();
        if (length == -1) {
            return null;
        }
        byte[] bytes = new byte[length];
        values.get(bytes);
        while (values.position() % 8 != 0) {
            if (values.get() != 0) {
                throw new AssertionError("padding is not 0");
            }
        }
        // A decoder of UTF-16 would not give back half a pair.
        return coder == 0
                ? new String(bytes, StandardCharsets.ISO_8859_1)
                : ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asCharBuffer().toString();
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
