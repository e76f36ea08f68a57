// SPDX-License-Identifier: Apache-2.0
// agent_claim: decides which copy of the agent's library is the agent of its JVM.
//
// A JVM may load several copies of libloupe.so: an image brings one and an operator another, or
// somebody attaches a newer one. Each copy has variables of its own, but the JVM has one JFR, one
// set of Java classes and one binding of their natives. Two agents at work would hand each other's
// memory around. So one copy takes the claim before it touches the JVM, and every other one leaves
// the JVM alone.
//
// Each copy exports the variable loupe_agent_claim. The variable of the copy that was loaded first
// is the claim of the process: NULL while nobody has it, else a text for people that names the
// holder. Copies are never unloaded, so all of them agree on which was first, and the text stays
// readable. Every later version has to keep this variable's name, type and meaning: copies of
// different versions meet. (A process has one JVM in its life: JNI creates no second one.)
//
// Threads: any thread.
// Tests:   tests/unit/agent/test_agent_claim.c, tests/e2e/copies.py

#ifndef LP_AGENT_AGENT_CLAIM_H
#define LP_AGENT_AGENT_CLAIM_H

// agent_claim_take returns NULL if the caller's copy holds the claim from now on. Otherwise it
// returns the path and the version of the copy that holds it, perhaps this one; or why that is
// unknown. The text is never freed.
const char *agent_claim_take(void);

// agent_claim_release gives the claim back if the caller's copy holds it: then this copy or another
// may take it.
void agent_claim_release(void);

// agent_claim_get_name returns the path and the version of the caller's copy, for people.
const char *agent_claim_get_name(void);

#endif // LP_AGENT_AGENT_CLAIM_H
