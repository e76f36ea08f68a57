// SPDX-License-Identifier: Apache-2.0
package shop;

import jdk.jfr.Event;
import jdk.jfr.Name;

/** Something that happens in a request: contexts in which nothing happens are not kept. */
@Name("shop.PriceFound")
class PriceFound extends Event {
    @Name("price") int price;
}
