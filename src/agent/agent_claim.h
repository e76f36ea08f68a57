// SPDX-License-Identifier: Apache-2.0
// agent_claim: decides which copy of the agent's library is the agent of its JVM.
//
// A JVM may load several copies of libloupe.so: an image brings one and an operator another, or
// somebody attaches a newer one. Each copy has its own variables, but the JVM has one JFR, one set
// of the agent's Java classes and one binding of their natives. Two working agents would corrupt
// each other. So one copy takes the claim before it touches the JVM, and the other copies leave the
// JVM alone.
//
// Each copy exports the variable loupe_agent_claim. In the copy that was loaded first, this
// variable is the claim of the process: NULL while it is free, else a text that names the holder.
// Copies are never unloaded, so all of them agree which was first, and the text stays readable.
// Later versions must keep the variable's name, type and meaning, because a process may load copies
// of different versions. A process has one JVM in its life: JNI creates no second one.
//
// Threads: any thread.
// Tests:   tests/unit/agent/test_agent_claim.c, tests/e2e/copies.py

#pragma once

// Takes the claim for the caller's copy and returns NULL. If a copy already holds the claim,
// perhaps this one, returns the path and version of that copy, or why they are unknown. The text is
// never freed.
const char *agent_claim_take(void);

// Releases the claim if the caller's copy holds it. Any copy may take it afterwards.
void agent_claim_release(void);

// Returns the path and the version of the caller's copy, as a text for people.
const char *agent_claim_get_name(void);
