// SPDX-License-Identifier: Apache-2.0
package com.rabbitmq.client.impl;

/** A task whose class has the name of what drains a queue of many submitters. */
public final class ConsumerWorkService implements Runnable {
    private final Runnable work;

    public ConsumerWorkService(Runnable work) {
        this.work = work;
    }

    @Override
    public void run() {
        work.run();
    }
}
