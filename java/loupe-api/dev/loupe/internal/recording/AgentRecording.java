// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.recording;

import dev.loupe.internal.agent.Native;
import java.io.IOException;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import jdk.jfr.AnnotationElement;
import jdk.jfr.Configuration;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.RecordingState;
import jdk.jfr.ValueDescriptor;

/**
 * The agent's JFR recording. Somebody may stop it, with jcmd say; then it can be started again.
 *
 * <p>One thread at a time uses it.
 */
final class AgentRecording {
    // JFR's repository on disk is the spool for events while the collector is away.
    private static final Duration SPOOL_AGE_MAX = Duration.ofHours(1);
    private static final long SPOOL_BYTES_MAX = 256L << 20;
    // Listing all event types takes half a millisecond. If no new one was found for this many
    // looks, only one look in CALM_STEP lists them.
    private static final int CALM_LOOKS = 120;
    private static final int CALM_STEP = 5;
    private static final long FLOOR_LOGGED_NANOS = 60_000_000_000L; // between two lines about it

    private final DeniedTypes denied;
    private final String ownName; // as the agent's options have it
    private final OwnPolicy own;
    private final OtherRecordings others = new OtherRecordings();
    private Policy central; // null: none, own holds
    private final PolicyInForce inForce;
    private int looks; // at event types since the last new one
    private Map<String, Boolean> types; // of events, when settings were made last; null: not yet
    private Map<String, Boolean> listed = Map.of(); // the same, when they were looked at last
    private Map<String, String> settings;
    private final WaitFloor floor = new WaitFloor();
    private final long[] waits = new long[3]; // of Native.countEvents
    private Map<String, String> watched; // settings whose waits are counted; null: none yet
    private boolean isFloorLogged; // the last line about it says that there is one
    private long floorLoggedAt = System.nanoTime() - FLOOR_LOGGED_NANOS;
    private boolean isSetOnce; // its settings were set once while it was running
    private Recording recording; // null: none yet

    /**
     * Reads the policy, a file or the name of one that {@link DefaultPolicy} or the JDK has.
     *
     * @param denied what neither this policy nor another can enable
     */
    AgentRecording(String policy, DeniedTypes denied) throws IOException, ParseException {
        this.denied = denied;
        ownName = policy;
        own = new OwnPolicy(read(policy));
        boolean isListed = !denied.isEmpty() || own.policy() != null;
        Map<String, Boolean> now = isListed ? listTypes() : Map.of();
        denied.check(now.keySet());
        settings = complete(chosen(now), now.keySet());
        inForce = new PolicyInForce(JvmPolicy.AGENT, policy);
    }

    private static Map<String, String> read(String policy) throws IOException, ParseException {
        if (policy.equals(DefaultPolicy.NAME)) {
            return DefaultPolicy.read();
        }
        boolean isFile = policy.endsWith(".jfc") || policy.indexOf('/') >= 0;
        return (isFile ? Configuration.create(Path.of(policy))
                       : Configuration.getConfiguration(policy))
                .getSettings();
    }

    // The settings by the policy that holds.
    private Map<String, String> chosen(Map<String, Boolean> now) {
        Policy policy = policy();
        return policy == null ? own.file() : policy.settings(now);
    }

    private Policy policy() {
        return central == null ? own.policy() : central;
    }

    // jdk.Flush: its start time tells up to when a flush is complete. dev.loupe.Withheld: how many
    // events a chunk lacks. dev.loupe.JvmPolicy: which policy has chosen the rest of these. Waits
    // that are over the policy's budget are left out.
    private Map<String, String> complete(Map<String, String> chosen, Set<String> now) {
        Map<String, String> settings = denied.apply(chosen, now);
        settings.put("jdk.Flush#enabled", "true");
        settings.put("jdk.Flush#threshold", "0 ns");
        settings.put("dev.loupe.Withheld#enabled", "true");
        settings.put("dev.loupe.Withheld#period", "endChunk");
        settings.put("dev.loupe.JvmPolicy#enabled", "true");
        settings.put("dev.loupe.JvmPolicy#period", "beginChunk");
        double budget = waitBudget();
        floor.bound(budget, budget < 0 ? Long.MAX_VALUE : Waits.least(settings));
        Waits.raise(settings, floor.nanos());
        return settings;
    }

    private double waitBudget() {
        Policy policy = policy();
        if (policy != null) {
            return policy.waitBudget();
        }
        return ownName.equals(DefaultPolicy.NAME) ? DefaultPolicy.WAIT_BUDGET : -1;
    }

    /** Starts it, the first time or again. Events are recorded when it returns. */
    void start() {
        Recording next = new Recording(settings);
        try {
            next.setName("loupe");
            next.setToDisk(true);
            next.setMaxAge(SPOOL_AGE_MAX);
            next.setMaxSize(SPOOL_BYTES_MAX);
            others.except(next);
            next.start();
        } catch (Throwable e) {
            next.close();
            throw e;
        }
        close();
        recording = next;
    }

    /** Records by a policy from now on; null: by the one that the agent was started with. */
    void follow(Policy policy) throws ReflectiveOperationException {
        boolean wasCentral = isCentral();
        central = policy;
        choose();
        if (isCentral()) {
            inForce.change(JvmPolicy.COLLECTOR, central.id(), floor.nanos());
        } else {
            inForce.change(JvmPolicy.AGENT, ownName, floor.nanos());
        }
        if (isCentral() && !wasCentral && !own.isEmpty()) {
            Native.log(Native.LOG_INFO,
                    "the collector has a policy for this service: it goes before the settings of "
                            + "this JVM's own");
        }
    }

    // Has the settings of the policy that holds.
    private void choose() throws ReflectiveOperationException {
        types = null;
        if (needsTypes()) {
            useTypes();
        } else {
            use(chosen(Map.of()), Set.of());
        }
    }

    /** Raises the thresholds of waits while there are more than the policy's budget. */
    void followWaits() throws ReflectiveOperationException {
        if (watched != settings) {
            Native.watchEvents(floor.hasBudget() ? Waits.ids(settings) : new long[0]);
            watched = settings;
        }
        if (floor.hasBudget()) {
            floor.limit(others.leastWait(settings), wallNanos());
            Native.countEvents(waits);
            floor.judge(waits[0], waits[1], waits[2]);
        }
        if (floor.nanos() != inForce.floor()) {
            choose();
            inForce.raise(floor.nanos());
        }
        logFloor();
    }

    private void logFloor() {
        boolean isRaised = floor.nanos() > 0;
        if (isRaised == isFloorLogged || System.nanoTime() - floorLoggedAt < FLOOR_LOGGED_NANOS) {
            return;
        }
        isFloorLogged = isRaised;
        floorLoggedAt = System.nanoTime();
        Native.log(Native.LOG_INFO,
                isRaised ? "there are more waits than the policy's wait-budget: those shorter than "
                                + floor.nanos() / 1000 + " us are not recorded for now"
                         : "waits are recorded by the policy's thresholds again");
    }

    /** Returns the collector's policy; null: it has none. */
    Policy central() {
        return central;
    }

    /** Returns a setting that it has, by its key; empty if it has none. */
    String setting(String key) {
        return settings.getOrDefault(key, "");
    }

    /** Returns whether it is this recording. */
    boolean is(Recording other) {
        return other.getId() == recording.getId();
    }

    /** Returns whether the collector has a policy for this JVM. */
    boolean isCentral() {
        return central != null;
    }

    /**
     * Begins to look at the settings that this JVM has of its own, once the recording runs.
     *
     * @return those that hold from the first chunk on, in the form for the collector
     */
    byte[] beginOwn() {
        others.watch(); // first: nothing comes between it and the look
        return own.begin(others.look());
    }

    /** Passes settings on that have changed with a recording, and waits for one for so long. */
    void followOwn(long nanos) throws InterruptedException {
        OtherRecordings.Seen seen = others.await(nanos);
        if (seen != null) {
            own.state(seen.settings, seen.fromNanos);
        }
    }

    /**
     * Passes settings on that have changed otherwise: they count from the next chunk on.
     *
     * @return whether there are such settings
     */
    boolean lookAtOwn() {
        for (OtherRecordings.Seen seen; (seen = others.poll()) != null;) {
            own.state(seen.settings, seen.fromNanos);
        }
        OtherRecordings.Seen now = new OtherRecordings.Seen(others.look(), Instant.now());
        return own.state(now.settings, now.fromNanos);
    }

    private boolean needsTypes() {
        return denied.needsTypes() || (policy() != null && policy().needsTypes());
    }

    /**
     * Applies the settings to new event types. JFR itself does so only for named types, and not if
     * settings change at the same time: JDK 17 leaves such a type the old settings, and skips it
     * when it applies the new ones. So they are set once more. Logs mistakes in the JVM's own
     * settings.
     */
    void followTypes() throws ReflectiveOperationException {
        if (isSetOnce) {
            apply(settings);
            isSetOnce = false;
        }
        boolean isDue = denied.needsTypes() || looks < CALM_LOOKS || looks % CALM_STEP == 0;
        if (isDue && needsTypes()) {
            useTypes();
        } else if (isDue && !own.isEmpty()) {
            listTypes();
        }
        looks++;
        if (!own.isEmpty()) {
            own.check(listed);
        }
    }

    // Sets the policy's settings of the existing types, if these have changed since the last time.
    private void useTypes() throws ReflectiveOperationException {
        Map<String, Boolean> now = listTypes();
        if (!now.equals(types)) {
            use(chosen(now), now.keySet());
            types = now;
        }
    }

    private Map<String, Boolean> listTypes() {
        Map<String, Boolean> now = new HashMap<>();
        for (EventType type : FlightRecorder.getFlightRecorder().getEventTypes()) {
            Boolean known = listed.get(type.getName());
            now.put(type.getName(), known == null ? isContextual(type) : known);
        }
        if (!now.equals(listed)) {
            listed = now;
            looks = 0;
        }
        return listed;
    }

    // By an annotation of that simple name, on the type or on one of its fields.
    static boolean isContextual(EventType type) {
        boolean isSo = hasContextual(type.getAnnotationElements());
        for (ValueDescriptor field : type.getFields()) {
            isSo |= hasContextual(field.getAnnotationElements());
        }
        return isSo;
    }

    private static boolean hasContextual(List<AnnotationElement> annotations) {
        for (AnnotationElement annotation : annotations) {
            String name = annotation.getTypeName();
            int simple = Math.max(name.lastIndexOf('.'), name.lastIndexOf('$')) + 1;
            if (name.substring(simple).equals("Contextual")) {
                return true;
            }
        }
        return false;
    }

    private void use(Map<String, String> chosen, Set<String> now)
            throws ReflectiveOperationException {
        Map<String, String> next = complete(chosen, now);
        if (next.equals(settings)) {
            return;
        }
        boolean hasSameWaits = Waits.areSame(settings, next);
        apply(next);
        settings = next;
        isSetOnce = true;
        if (!hasSameWaits) {
            floor.applied(wallNanos());
        }
    }

    private static long wallNanos() {
        return TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
    }

    private void apply(Map<String, String> next) throws ReflectiveOperationException {
        Recorded.include(); // JFR records the settings in events of this thread
        try {
            recording.setSettings(next);
        } finally {
            Recorded.exclude();
        }
    }

    boolean isRunning() {
        return recording.getState() == RecordingState.RUNNING;
    }

    /** Stops it; its files stay until it is started again or ended. */
    void stop() {
        recording.stop();
    }

    /** Closes it for good. */
    void end() {
        others.unwatch();
        inForce.end();
        close();
    }

    /** Ends it; JFR deletes what only this recording wanted to keep. */
    void close() {
        if (recording != null) {
            recording.close();
        }
    }
}
