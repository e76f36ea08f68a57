// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import dev.loupe.Loupe;
import dev.loupe.RecordingContext;
import dev.loupe.RecordingContextKey;

/**
 * Contexts of every kind, short and long ones and with different attributes, each with an event in
 * it. Prints a line for each context: a number, its kind, two moments between which it began, two
 * between which it ended, its attribute, and the number of the context around it or -1.
 */
public final class MattersE2E {
    private static final int ROUNDS = 25;
    private static final int LONG_MS = 120;
    private static final RecordingContextKey ROUTE = RecordingContextKey.forName("route");
    private static final RecordingContextKey NUMBER = RecordingContextKey.forName("number");

    private int count;

    private MattersE2E() {}

    public static void main(String[] args) throws Exception {
        if (!Loupe.registerContext(Marks.Order.class) || !Loupe.registerContext(Marks.Span.class)) {
            throw new IllegalStateException("context types were not registered");
        }
        MattersE2E test = new MattersE2E();
        for (int i = 0; i < ROUNDS; i++) {
            boolean isLong = i % 5 == 0;
            test.span(isLong, false);
            test.span(isLong, true);
            test.trace(isLong, -1);
            test.order(i % 2 == 0 ? "gold-" + i : "silver");
            test.install(i % 2 == 0 ? "/pay" : "/payment");
        }
    }

    private void span(boolean isLong, boolean hasTrace) throws Exception {
        Marks.Span span = new Marks.Span();
        span.id = count++;
        long from = Ticks.between();
        span.set();
        long begun = Ticks.between();
        happen(span.id, isLong);
        if (hasTrace) {
            trace(false, span.id);
        }
        long ending = Ticks.between();
        span.unset();
        tell(span.id, "span", from, begun, ending, "-", -1);
    }

    private void trace(boolean isLong, int around) throws Exception {
        Marks.Trace trace = new Marks.Trace();
        int number = count++;
        trace.id = number;
        long from = Ticks.between();
        trace.begin();
        long begun = Ticks.between();
        happen(number, isLong);
        long ending = Ticks.between();
        trace.commit();
        tell(number, "trace", from, begun, ending, "-", around);
    }

    private void order(String text) throws Exception {
        Marks.Order order = new Marks.Order();
        order.number = count++;
        order.text = text;
        long from = Ticks.between();
        order.set();
        long begun = Ticks.between();
        happen((int) order.number, false);
        long ending = Ticks.between();
        order.unset();
        tell((int) order.number, "order", from, begun, ending, text, -1);
    }

    private void install(String route) throws Exception {
        int number = count++;
        long from = Ticks.between();
        RecordingContext context = RecordingContext.where(ROUTE, route)
                                           .where(NUMBER, Integer.toString(number))
                                           .build();
        long begun = Ticks.between();
        happen(number, false);
        long ending = Ticks.between();
        context.close();
        tell(number, "recording", from, begun, ending, route, -1);
    }

    // A mark needs a context, a tick does not.
    private static void happen(int number, boolean isLong) throws Exception {
        if (isLong) {
            Thread.sleep(LONG_MS);
        }
        Marks.Mark mark = new Marks.Mark();
        mark.seq = number;
        mark.commit();
        Marks.Tick tick = new Marks.Tick();
        tick.seq = number;
        tick.commit();
    }

    private static void tell(int number, String kind, long from, long begun, long ending,
            String attribute, int around) {
        System.out.println(number + " " + kind + " " + from + " " + begun + " " + ending + " "
                + Ticks.between() + " " + attribute + " " + around);
    }
}
