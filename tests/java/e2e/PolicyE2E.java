// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import dev.loupe.jfr.Contextual;
import java.io.IOException;
import java.security.Permission;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderPermission;
import jdk.jfr.Name;
import jdk.jfr.Recording;

/**
 * Events of which somebody changes what JFR records.
 *
 * <p>A hundred times a second it commits one of each type, all with the same number. It prints
 * "NAME on", "NAME short" (only longer ones are recorded) or "NAME off" at the beginning and
 * whenever that changes, and "NAME#throttle RATE", or none, by what the agent's recording is set
 * to. "r" on standard input makes it register more types, "o" start a recording of its own that
 * asks for e2e.Beta only in contexts and has patterns, and "p" end that one, which print
 * "own-from SEQ" and "own-to SEQ", the last numbers before, "w" starts threads that do nothing but
 * park for a bit more than a millisecond, and "e" ends these, "c" makes it print "cycle 750" and
 * "cycle 1500" once it has committed so many from then on, "s" ends it; after "f" and "failing
 * next" the next chunk that the agent begins fails as there is no memory, and "failed now" is
 * printed. That is for JDK 17.
 */
public final class PolicyE2E {
    private static final long CYCLE_NANOS = 10_000_000;
    private static final long COUNTED_CYCLES = 750;
    private static final long CYCLES_PER_LOOK = 10; // at settings: a policy may have many
    private static final int PARKERS = 4;
    private static final long PARKED_NANOS = 1_050_000;

    abstract static class Numbered extends Event { long seq; }

    @Name("e2e.Alpha")
    static final class Alpha extends Numbered {}

    @Name("e2e.Beta")
    static final class Beta extends Numbered {}

    @Name("e2e.LateName")
    static final class LateName extends Numbered {}

    @Name("e2e.late.Pattern")
    static final class LatePattern extends Numbered {}

    @Name("e2e.LateContext")
    static final class LateContext extends Numbered {
        @Contextual long id;
    }

    private final List<Supplier<Numbered>> types = new ArrayList<>(List.of(Alpha::new, Beta::new));
    private final Map<String, String> states = new HashMap<>(); // by what is told of
    private Map<String, String> settings;
    private Recording own;
    private volatile boolean isParking;
    private long seq;
    private long countedFrom = Long.MAX_VALUE;

    private PolicyE2E() {}

    public static void main(String[] args) throws IOException {
        PolicyE2E test = new PolicyE2E();
        long next = System.nanoTime();
        for (int command = 0; command != 's';) {
            test.cycle();
            next += CYCLE_NANOS;
            LockSupport.parkNanos(next - System.nanoTime());
            command = System.in.available() > 0 ? System.in.read() : 0;
            if (command == 'f') {
                failOnce();
            }
            if (command == 'c') {
                test.countedFrom = test.seq;
            }
            if (command == 'o') {
                test.own = new Recording();
                test.own.enable(Beta.class).with("select", "if-context");
                test.own.enable("e2e.late.Pat*").with("contextual", "true");
                test.own.enable("e2e.late.Pattern").with("select", "if-context");
                enablePatterns(test.own);
                test.own.start();
                System.out.println("own-from " + test.seq);
            }
            if (command == 'p') {
                test.own.close();
                System.out.println("own-to " + test.seq);
            }
            if (command == 'w') {
                test.isParking = true;
                for (int i = 0; i < PARKERS; i++) {
                    new Thread(test::park).start();
                }
            }
            if (command == 'e') {
                test.isParking = false;
            }
            if (command == 'r') {
                test.types.add(LateName::new);
                test.types.add(LatePattern::new);
                test.types.add(LateContext::new);
            }
        }
        System.out.println("last " + test.seq);
    }

    private void park() {
        while (isParking) {
            LockSupport.parkNanos(PARKED_NANOS);
        }
    }

    // JFR keeps them in no order. Only the longest says true.
    private static void enablePatterns(Recording recording) {
        String name = "e2e.LateName";
        for (int length = name.length() - 1; length > 3; length--) {
            recording.enable(name.substring(0, length) + '*')
                    .with("withContext", String.valueOf(length == name.length() - 1));
        }
    }

    // JFR asks the security manager before it does anything for the agent's thread.
    @SuppressWarnings("removal")
    private static void failOnce() {
        AtomicBoolean isOver = new AtomicBoolean();
        System.setSecurityManager(new SecurityManager() {
            @Override
            public void checkPermission(Permission permission) {
                if (permission instanceof FlightRecorderPermission
                        && Thread.currentThread().getName().equals("Loupe Housekeeping")
                        && isOver.compareAndSet(false, true)) {
                    System.out.println("failed now");
                    throw new OutOfMemoryError("as it were");
                }
            }
        });
        System.out.println("failing next");
    }

    private void cycle() {
        seq++;
        long counted = seq - countedFrom;
        if (counted == COUNTED_CYCLES || counted == 2 * COUNTED_CYCLES) {
            System.out.println("cycle " + counted);
        }
        if (seq % CYCLES_PER_LOOK == 1) {
            settings = settings();
        }
        for (Supplier<Numbered> type : types) {
            Numbered event = type.get();
            event.seq = seq;
            event.begin();
            event.end();
            String name = event.getClass().getAnnotation(Name.class).value();
            tell(name, !event.isEnabled() ? "off" : event.shouldCommit() ? "on" : "short");
            tell(name + "#throttle", settings.getOrDefault(name + "#throttle", "none"));
            event.commit();
        }
    }

    private static Map<String, String> settings() {
        for (Recording recording : FlightRecorder.getFlightRecorder().getRecordings()) {
            if (recording.getName().equals("loupe")) {
                return recording.getSettings();
            }
        }
        return Map.of();
    }

    private void tell(String name, String state) {
        if (!state.equals(states.put(name, state))) {
            System.out.println(name + " " + state);
        }
    }
}
