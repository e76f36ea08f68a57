// SPDX-License-Identifier: Apache-2.0
package dev.loupe.demo;

import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Name;

/** A plain event of the application: an order holds an item that is out of stock. */
@Name("demo.Backorder")
@Description("An item of an order is out of stock")
final class BackorderEvent extends Event {
    @Name("item") int item;
}
