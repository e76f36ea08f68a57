// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testing;

import dev.loupe.RecordingContext;
import dev.loupe.internal.ContextSink;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The contexts that a recorder has seen. Any thread; its own lock, under which no code of the
 * application runs.
 */
final class ContextLog implements ContextSink {
    /** Takes nothing. */
    static final ContextLog CLOSED = new ContextLog();

    static {
        CLOSED.close();
    }

    private static final long NOT_ENDED = Long.MAX_VALUE;

    private final List<Entry> entries = new ArrayList<>();
    private final Map<Thread, Map<Class<?>, Entry>> open = new HashMap<>();
    private long time;
    private boolean isClosed;

    /** A context. */
    private static final class Entry {
        final String typeName;
        final Map<String, Object> attributes;
        final Thread thread = Thread.currentThread();
        final List<Entry> enclosing;
        final long begin;
        long end = NOT_ENDED;

        Entry(String typeName, Map<String, Object> attributes, List<Entry> enclosing, long begin) {
            this.typeName = typeName;
            this.attributes = attributes;
            this.enclosing = enclosing;
            this.begin = begin;
        }
    }

    @Override
    public void register(Class<?> type) {
        ContextValues.of(type);
    }

    @Override
    public void set(Class<?> type, Object context) {
        ContextValues values = ContextValues.of(type);
        begin(type, values.typeName(), values.read(context));
    }

    @Override
    public void install(String[] names, String[] values) {
        if (names == null) {
            unset(RecordingContext.class);
            return;
        }
        Map<String, Object> attributes = new LinkedHashMap<>();
        for (int i = 0; i < names.length; i++) {
            attributes.put(names[i], values[i]);
        }
        begin(RecordingContext.class, "loupe.RecordingContext", attributes);
    }

    private synchronized void begin(
            Class<?> type, String typeName, Map<String, Object> attributes) {
        if (isClosed) {
            return;
        }
        Map<Class<?>, Entry> mine =
                open.computeIfAbsent(Thread.currentThread(), thread -> new LinkedHashMap<>());
        end(mine.remove(type));
        Entry entry = new Entry(typeName, attributes, new ArrayList<>(mine.values()), ++time);
        entries.add(entry);
        mine.put(type, entry);
    }

    @Override
    public synchronized void unset(Class<?> type) {
        Map<Class<?>, Entry> mine = open.get(Thread.currentThread());
        if (!isClosed && mine != null) {
            end(mine.remove(type));
        }
    }

    private void end(Entry entry) {
        if (entry != null) {
            entry.end = ++time;
        }
    }

    synchronized void close() {
        isClosed = true;
        open.clear();
    }

    synchronized List<RecordedContext> contexts() {
        Map<Entry, RecordedContext> known = new LinkedHashMap<>();
        for (Entry entry : entries) {
            List<RecordedContext> enclosing = entry.enclosing.stream().map(known::get).toList();
            boolean isOpen = entry.end == NOT_ENDED && entry.thread.isAlive();
            known.put(entry,
                    new RecordedContext(entry.typeName, entry.attributes, entry.thread, enclosing,
                            entry.begin, entry.end, isOpen));
        }
        return List.copyOf(known.values());
    }
}
