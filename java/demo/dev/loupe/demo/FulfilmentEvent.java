// SPDX-License-Identifier: Apache-2.0
package dev.loupe.demo;

import dev.loupe.jfr.Contextual;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** The other kind of context: a JFR event that is kept only if another event fell into it. */
@Name("demo.Fulfilment")
@Description("An order being packed")
@StackTrace(false)
final class FulfilmentEvent extends Event {
    @Contextual @Name("order") long order;
}
