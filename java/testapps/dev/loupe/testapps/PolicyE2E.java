// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import jdk.jfr.Event;
import jdk.jfr.Name;

/**
 * Events of which somebody changes what JFR records.
 *
 * <p>A hundred times a second it commits one of each type, all with the same number. It prints
 * "NAME on", "NAME short" (only longer ones are recorded) or "NAME off" at the beginning and
 * whenever that changes. "r" on standard input makes it register more types, "s" ends it.
 */
public final class PolicyE2E {
    private static final long CYCLE_NANOS = 10_000_000;

    abstract static class Numbered extends Event { long seq; }

    @Name("e2e.Alpha")
    static final class Alpha extends Numbered {}

    @Name("e2e.Beta")
    static final class Beta extends Numbered {}

    @Name("e2e.LateName")
    static final class LateName extends Numbered {}

    @Name("e2e.late.Pattern")
    static final class LatePattern extends Numbered {}

    private final List<Supplier<Numbered>> types = new ArrayList<>(List.of(Alpha::new, Beta::new));
    private final Map<Class<?>, String> states = new HashMap<>();
    private long seq;

    private PolicyE2E() {}

    public static void main(String[] args) throws IOException {
        PolicyE2E test = new PolicyE2E();
        long next = System.nanoTime();
        for (int command = 0; command != 's';) {
            test.cycle();
            next += CYCLE_NANOS;
            LockSupport.parkNanos(next - System.nanoTime());
            command = System.in.available() > 0 ? System.in.read() : 0;
            if (command == 'r') {
                test.types.add(LateName::new);
                test.types.add(LatePattern::new);
            }
        }
        System.out.println("last " + test.seq);
    }

    private void cycle() {
        seq++;
        for (Supplier<Numbered> type : types) {
            Numbered event = type.get();
            event.seq = seq;
            event.begin();
            event.end();
            tell(event);
            event.commit();
        }
    }

    private void tell(Numbered event) {
        String state = !event.isEnabled() ? "off" : event.shouldCommit() ? "on" : "short";
        if (!state.equals(states.put(event.getClass(), state))) {
            String name = event.getClass().getAnnotation(Name.class).value();
            System.out.println(name + " " + state);
        }
    }
}
