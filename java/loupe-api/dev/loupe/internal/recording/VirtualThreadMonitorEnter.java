// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.recording;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/**
 * A virtual thread waited for a monitor and was unmounted meanwhile, of which JFR records nothing.
 * Made and committed by the agent, see jvmti_waits.h.
 */
@Name("dev.loupe.VirtualThreadMonitorEnter")
@Label("Virtual Thread Blocked")
@Description("A virtual thread waited, unmounted, to enter a monitor")
@Category({"Java Application"})
@Enabled(false)
@StackTrace(true)
final class VirtualThreadMonitorEnter extends Event {
    @Label("Monitor Class") Class<?> monitorClass;
}
