// SPDX-License-Identifier: Apache-2.0
package shop;

import dev.loupe.ContextType;
import jdk.jfr.Name;

/** The request that a thread is working on. */
@Name("shop.Request")
public class RequestContext extends ContextType {
    @Name("traceid") public String traceid;
    @Name("endpoint") public String endpoint;
}
