// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import dev.loupe.testapps.OraclePolicy.Match;
import java.io.IOException;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import jdk.jfr.EventType;
import jdk.jfr.consumer.RecordedEvent;

/** Which contexts of a recording have the attribute that the policy asks for. */
final class OracleMatches {
    private OracleMatches() {}

    /** The numbers of the events, in file order, that do not. */
    static BitSet mismatches(Path path, OraclePolicy policy) throws IOException {
        BitSet found = new BitSet();
        if (!policy.hasMatches()) {
            return found;
        }
        Map<EventType, Optional<Match>> matches = new IdentityHashMap<>();
        int[] count = {0};
        OracleFile.read(path, (chunk, shown, own) -> {
            Optional<Match> match = matches.computeIfAbsent(
                    own.getEventType(), type -> Optional.ofNullable(matchOf(type, policy)));
            found.set(count[0]++, match.isPresent() && !is(match.get(), own));
        });
        return found;
    }

    private static Match matchOf(EventType type, OraclePolicy policy) {
        return policy.rule(type.getName(), OracleEvents.isAnnotated(type), true).match();
    }

    private static boolean is(Match match, RecordedEvent event) {
        return match.is(text(event, match.attribute()));
    }

    /** The text of a field that is a text or a number, else null. */
    static String text(RecordedEvent event, String field) {
        if (field.contains(".") || !event.hasField(field)) {
            return null;
        }
        Object value = event.getValue(field);
        return value instanceof String || value instanceof Number || value instanceof Boolean
                        || value instanceof Character
                ? value.toString()
                : null;
    }
}
