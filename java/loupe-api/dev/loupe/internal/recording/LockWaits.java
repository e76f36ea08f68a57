// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.recording;

import dev.loupe.internal.agent.Native;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;

/**
 * Has the JVM announce lock waits of virtual threads as long as some recording wants the event.
 *
 * <p>One thread at a time uses it.
 */
final class LockWaits {
    private EventType type; // null: this JVM has no events of them, or needs none
    private boolean isEnabled;

    /** Makes the event type known. */
    void register() {
        if (Native.hasLockWaits()) {
            FlightRecorder.register(VirtualThreadMonitorEnter.class);
            EventType registered = EventType.getEventType(VirtualThreadMonitorEnter.class);
            type = Native.startLockWaits() ? registered : null;
        }
    }

    /** Switches them on or off, if recordings have changed. */
    void follow() {
        enable(type != null && type.isEnabled());
    }

    /** Switches them off, whatever recordings want. */
    void off() {
        enable(false);
    }

    private void enable(boolean isOn) {
        if (isOn != isEnabled) {
            Native.enableLockWaits(isOn);
            isEnabled = isOn;
        }
    }
}
