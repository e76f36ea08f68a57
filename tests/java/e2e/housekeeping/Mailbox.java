// SPDX-License-Identifier: Apache-2.0
package akka.dispatch;

import java.util.concurrent.RecursiveAction;

/** A task of a ForkJoinPool whose class has the name of what drains a queue of many submitters. */
public final class Mailbox extends RecursiveAction {
    private static final long serialVersionUID = 1;
    private final transient Runnable work;

    public Mailbox(Runnable work) {
        this.work = work;
    }

    @Override
    protected void compute() {
        work.run();
    }
}
