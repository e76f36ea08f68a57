// SPDX-License-Identifier: Apache-2.0
package dev.loupe.demo;

import dev.loupe.ContextType;
import jdk.jfr.Description;
import jdk.jfr.Name;

/** Open on a thread for as long as it serves one HTTP request. */
@Name("demo.Request")
@Description("One HTTP request of the checkout service")
public final class RequestContext extends ContextType {
    @Name("traceid") @Description("The caller's trace") public String traceid;

    @Name("endpoint") public String endpoint;

    @Name("tenant") public String tenant;
}
