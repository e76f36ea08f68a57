// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.recording;

import dev.loupe.jfr.ContextAware;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import jdk.jfr.Timestamp;

/**
 * By which policy this JVM records: at the begin of each chunk, and when that, or the floor of
 * waits, is another one.
 */
@Name("dev.loupe.JvmPolicy")
@Label("Policy of the JVM")
@Description("The policy by which the JVM records from this time on")
@Category({"Java Application"})
@Enabled(false)
@Period("beginChunk")
@StackTrace(false)
@ContextAware(false) // it is not of what its thread does
final class JvmPolicy extends Event {
    static final String AGENT = "agent";
    static final String COLLECTOR = "collector";

    @Label("Origin")
    @Description("collector: it has a policy for this service; agent: that of the agent's options")
    String origin;

    @Label("Policy")
    @Description("The agent's option policy, or the id that the collector's policy has there")
    String policy;

    @Label("Since") @Timestamp(Timestamp.MILLISECONDS_SINCE_EPOCH) long since;

    @Label("Floor")
    @Description("Waits shorter than this are not recorded, as the JVM had more than the policy's "
            + "wait-budget")
    @Timespan(Timespan.NANOSECONDS)
    long floor;

    @Label("Floor Since") @Timestamp(Timestamp.MILLISECONDS_SINCE_EPOCH) long floorSince;
}
