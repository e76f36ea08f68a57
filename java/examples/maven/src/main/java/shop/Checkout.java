// SPDX-License-Identifier: Apache-2.0
package shop;

import dev.loupe.Loupe;

/** Serves requests, each in its context. Without Loupe's agent it does the same. */
public final class Checkout {
    static {
        Loupe.registerContext(RequestContext.class);
    }

    private long served;

    public long serve(String traceid) {
        RequestContext context = new RequestContext();
        context.traceid = traceid;
        context.endpoint = "/checkout";
        context.set();
        try {
            return count();
        } finally {
            context.unset();
        }
    }

    private synchronized long count() {
        OrderServed event = new OrderServed();
        event.number = ++served;
        event.commit();
        return served;
    }

    public static void main(String[] args) {
        System.out.println("served " + new Checkout().serve("4bf92f35"));
    }
}
