// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.recording;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;

/**
 * How many events of a type the JVM has not recorded in a chunk, as they were outside of all
 * contexts. The engine adds the number to its account, and drops the event.
 */
@Name("dev.loupe.Withheld")
@Label("Events Withheld")
@Description("Events of a type that the JVM did not record: they were outside of all contexts")
@Category({"Java Application"})
@Enabled(false)
@Period("endChunk")
@StackTrace(false)
final class Withheld extends Event {
    @Label("Event Type") @Description("The id of the event type") long eventType;
    @Label("Count") long count;
}
