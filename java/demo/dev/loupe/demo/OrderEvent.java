// SPDX-License-Identifier: Apache-2.0
package dev.loupe.demo;

import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Name;

/** A plain event of the application: an order was paid and written down. */
@Name("demo.Order")
@Description("A paid order")
final class OrderEvent extends Event {
    @Name("order") long order;

    @Name("cents") long cents;
}
