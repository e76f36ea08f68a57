// SPDX-License-Identifier: Apache-2.0
package com.zaxxer.hikari;

/** A task whose class has the name of a library's housekeeping. */
public final class Housekeeper implements Runnable {
    private final Runnable work;

    public Housekeeper(Runnable work) {
        this.work = work;
    }

    @Override
    public void run() {
        work.run();
    }
}
