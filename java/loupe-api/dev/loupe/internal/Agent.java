// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal;

/** Tells whether the agent is in this JVM. Refers to nothing that needs it. */
public final class Agent {
  /** Whether contexts are recorded. It never changes, so that the compiler can remove what does not apply. */
  public static final boolean IS_ACTIVE = Handover.isActive;

  private Agent() {}
}
