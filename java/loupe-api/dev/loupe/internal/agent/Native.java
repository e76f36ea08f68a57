// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.agent;

import java.nio.charset.StandardCharsets;

/** The natives of the agent, which binds them when it starts. */
public final class Native {
    public static final int LOG_ERROR = 0;
    public static final int LOG_WARN = 1;
    public static final int LOG_INFO = 2;
    public static final int LOG_DEBUG = 3;

    /** Of an event type whose kind is not known yet; of one without contexts; of contexts. */
    public static final int KIND_UNKNOWN = 0;
    public static final int KIND_PLAIN = 1;
    public static final int KIND_CONTEXTUAL = 2;

    private Native() {}

    /**
     * Returns whether the agent has turned itself off, for good (agent_fuse.h). Then all other
     * methods do nothing, except for lock waits.
     */
    public static native boolean isOff();

    /**
     * Adds a context type to the registry.
     *
     * @param texts name, label and description of the type, then of each attribute, each from
     *         {@link #utf8}
     * @param kinds the kinds of the attributes, ctx_kind of ctx_record.h; with RingLayout.ROOT_KEY
     *         for one that is a key of requests
     * @param completes the id of the type that it completes, 0 for none
     * @param isRoot whether it is a type of roots (ctx_record.h)
     * @return the id of the type; 0 if it is over a limit on types or attributes, below 0 if memory
     *         ran out
     */
    public static native int registerType(
            byte[][] texts, int[] kinds, int completes, boolean isRoot);

    /** Returns how many of {@code RingLayout.ATTRIBUTES_MAX} no type has. */
    public static native int attributesLeft();

    /**
     * Lists the ids of threads that have contexts open and may end without telling: virtual ones,
     * and those without a ring.
     */
    public static native long[] openThreads();

    /**
     * Adds the built-in type of RecordingContexts.
     *
     * @return its id; 0 if there are too many types, below 0 if memory ran out
     */
    public static native int registerRecordingType();

    /**
     * Adds the built-in type of hand-overs.
     *
     * @return its id; 0 if there are too many types, below 0 if memory ran out
     */
    public static native int registerHandOverType();

    /**
     * Adds the map of a RecordingContext.
     *
     * @param packed each key and its value: the length of the text, -1 for null, as an int of this
     *         machine; the text, from {@link #utf8}; and a byte of 0
     * @return its id, above 0, that of a map with the same entries if there is one; 0 if it is not
     *         recorded
     */
    public static native long addRecording(byte[] packed);

    /** Releases a map, once for each time that its id was returned. */
    public static native void releaseRecording(long id);

    /** Counts an installation that was closed out of order or on another thread. */
    public static native void countMisclosed();

    /**
     * Sets the filter of this JVM.
     *
     * @param ticks from when on
     * @param texts the name of an event type, or none for all, and its terms, again and again, each
     *         from {@link #utf8}
     */
    public static native void setFilter(long ticks, byte[][] texts);

    /** Follows JFR's chunk files to another directory, named by {@link #utf8}. */
    public static native void moveRepository(byte[] directory);

    /** Counts that the recording was started again, as somebody had stopped it. */
    public static native void countRestart();

    /** Has the rings drained at once: one is full. On any thread; it waits for nothing. */
    public static native void drainSoon();

    /** Returns whether a chunk has so many contexts that JFR should begin another. */
    public static native boolean isChunkFull();

    /**
     * Returns the policy that the collector has for this JVM, if it has changed.
     *
     * @return null: it has not. Else a name for it, and then again and again an event type or
     *         pattern, setting and value, each as UTF-8; nothing at all if the policy that the
     *         agent was started with holds
     */
    public static native byte[][] takePolicy();

    /**
     * Lists the settings that the JVM has to get of a policy, in the order in which it has to get
     * them, as the collector does for its own policies.
     *
     * @param lines event type or pattern, setting and value again and again, each from {@link
     *         #utf8}
     * @return the same; null if the policy is over a limit or memory ran out
     */
    public static native byte[][] listSettings(byte[][] lines);

    /**
     * States the settings that this JVM has of its own, for chunks that begin at a time or later.
     *
     * @param fromNanos wall time, as JFR's chunks have it
     * @param text of a .jfc file, from {@link #utf8}; nothing at all if there are none
     * @return false if memory ran out: they are as they were
     */
    public static native boolean setOwnPolicy(long fromNanos, byte[] text);

    /**
     * Counts events of these types instead of the previous ones.
     *
     * @param types ids of event types, 16 at most; none: nothing is counted
     */
    public static native void watchEvents(long[] types);

    /**
     * Counts the events of watched types in the part of the recording that the agent has read.
     *
     * @param counts where these go: how many events there were, in how many nanoseconds, and up to
     *         when, as wall time in nanoseconds, 0: nothing was read yet
     */
    public static native void countEvents(long[] counts);

    /**
     * Returns how many a second a rate of a policy is; below 0: it is off, or no rate.
     *
     * @throws OutOfMemoryError if there is no memory to read it
     */
    public static double parseRate(String text) {
        return parseRate(utf8(text));
    }

    private static native double parseRate(byte[] text);

    /**
     * Returns how many nanoseconds a timespan of a policy is; below 0: it is none.
     *
     * @throws OutOfMemoryError if there is no memory to read it
     */
    public static long parseTimespan(String text) {
        return parseTimespan(utf8(text));
    }

    private static native long parseTimespan(byte[] text);

    /**
     * Logs a warning if a setting of Loupe's has an invalid value, where kind is KIND_UNKNOWN, or
     * else a value that is not for that kind of type.
     */
    public static void checkSetting(String event, String setting, String value, int kind) {
        checkSetting(new byte[][] {utf8(event), utf8(setting), utf8(value)}, kind);
    }

    private static native void checkSetting(byte[][] texts, int kind);

    /**
     * Returns whether this JVM has events of lock waits of virtual threads that JFR does not
     * record.
     */
    public static native boolean hasLockWaits();

    /**
     * Prepares for these events, once the event class is registered.
     *
     * @return false if that fails, which is logged
     */
    public static native boolean startLockWaits();

    /** Switches them on or off. */
    public static native void enableLockWaits(boolean isOn);

    /**
     * Has JFR pass the event classes that it makes to {@code EventClasses}, and has the agent note
     * in {@code Outside} if a class is loaded whose events may be contexts.
     *
     * @return false: that fails for good, which is logged
     * @throws OutOfMemoryError it may succeed later
     */
    public static native boolean startEvents();

    /**
     * Returns the event classes that are loaded, once startEvents has returned true.
     *
     * @return null: not now, as one that the agent noted is being loaded
     */
    public static native Class<?>[] listEvents();

    /**
     * Rewrites the class file of an event class, so that it asks {@code Outside}.
     *
     * @return null: it is to stay as it is
     */
    public static native byte[] rewriteEvent(byte[] file);

    /** Writes a line to the agent's log. */
    public static void log(int level, String text) {
        log(level, utf8(text));
    }

    private static native void log(int level, byte[] text);

    /** Returns a text in the form in which natives have it. */
    public static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
