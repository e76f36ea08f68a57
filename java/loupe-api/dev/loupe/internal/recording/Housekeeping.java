// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.recording;

import dev.loupe.internal.Recordings;
import dev.loupe.internal.agent.Native;
import dev.loupe.internal.carry.CarryMain;
import dev.loupe.internal.outside.Outside;
import java.io.File;
import java.util.concurrent.TimeUnit;
import jdk.jfr.FlightRecorder;

/**
 * The agent's one Java thread. It leaves no events in the recording. Every second it checks:
 * <ul>
 * <li>whether the agent has turned itself off;
 * <li>whether the disk with JFR's repository is nearly full, or somebody has stopped the recording;
 * <li>whether the collector has another policy;
 * <li>whether there are more waits than the policy's budget;
 * <li>which events to withhold, and whether to record lock waits of virtual threads;
 * <li>whether a chunk is old or full enough to be rotated;
 * <li>whether threads have died with contexts open;
 * <li>whether JFR's repository was moved;
 * <li>whether RecordingContexts were released;
 * <li>whether tasks wait with contexts.
 * </ul>
 */
final class Housekeeping {
    private static final long TICK_MILLIS = 1000;
    private static final long BEHIND_LOGGED_MILLIS = 1000;
    // Looking for dead threads may have this part of a processor.
    private static final long DEAD_THREADS_PART = 100;

    // JFR ends the JVM when it cannot write, so the recording is stopped before that.
    private static final long DISK_LEAST_BYTES = 32L << 20;
    private static final long DISK_AGAIN_BYTES = 2 * DISK_LEAST_BYTES;
    private static final int KEPT_TICKS = 10; // of a stopped recording, for the agent to read it

    private interface Step {
        void run() throws Exception;
    }

    // Made beforehand, and sleep is the last: later there may be no memory to link and initialise
    // their classes, and a class whose initialisation fails once fails for good.
    private final Step[] first = {this::readClock, this::obeyFuse};
    private final Step[] work = {this::mindDisk, this::keepRecording, this::followPolicy,
            this::followWaits, this::followWithholding, this::followLockWaits, this::rotate,
            this::endDeadThreads, this::followRepository, Recordings::endRests,
            Recordings::releaseAll, CarryMain::keepOrder};
    private final Step[] last = {this::sleep};
    private final AgentRecording recording;
    private final LockWaits lockWaits;
    private final Withholding withholding;
    private final ChunkClock clock = new ChunkClock();
    private final long segmentNanos;
    private String repository = System.getProperty("jdk.jfr.repository");
    private final DeadThreads deadThreads = DeadThreads.create();
    private long rotateAt;
    private long deadThreadsAt;
    private int shortTicks; // 0: the disk has room; else since when it has not
    private byte[][] nextPolicy; // null: none that the recording does not have
    private boolean isBehind; // the wall clock: no chunk must begin
    private boolean isBehindLogged;
    private boolean isOff; // the agent has turned itself off
    private boolean isOver;

    Housekeeping(AgentRecording recording, LockWaits lockWaits, int segmentSeconds) {
        this.recording = recording;
        this.lockWaits = lockWaits;
        this.withholding = new Withholding(recording);
        this.segmentNanos = TimeUnit.SECONDS.toNanos(segmentSeconds);
    }

    /** The directory of JFR's chunk files when this was made. */
    String repository() {
        return repository;
    }

    /** Starts the thread. */
    void start() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        while (group.getParent() != null) {
            group = group.getParent();
        }
        Thread thread = new Thread(group, this::run, "Loupe Housekeeping", 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(null);
        thread.start();
    }

    private void run() {
        attempt(Recorded::exclude);
        deadThreadsAt = System.nanoTime();
        rotateAt = deadThreadsAt + segmentNanos;
        while (!isOver) {
            attempt(first);
            if (!isOff) {
                attempt(work);
            }
            attempt(last);
        }
    }

    private void attempt(Step[] steps) {
        for (int i = 0; i < steps.length && !isOver; i++) {
            attempt(steps[i]);
        }
    }

    // A step that fails, also where memory is short, is tried again.
    private static void attempt(Step step) {
        try {
            step.run();
        } catch (Throwable e) {
            try {
                Native.log(Native.LOG_DEBUG, "housekeeping: " + e);
            } catch (Throwable again) {
                // there is not even memory to say so
            }
        }
    }

    // Recordings that start or stop meanwhile are not kept waiting: JFR has begun a chunk for them.
    private void sleep() throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(TICK_MILLIS);
        try {
            for (long left; !isOff && (left = end - System.nanoTime()) > 0;) {
                recording.followOwn(left);
            }
        } catch (Throwable e) {
            Thread.sleep(TICK_MILLIS); // not again and again at once
            throw e;
        }
        if (isOff) {
            Thread.sleep(TICK_MILLIS);
        }
    }

    // To end the recording may make JFR begin a chunk, for another recording.
    private void obeyFuse() throws ReflectiveOperationException {
        isOff = Native.isOff();
        if (!isOff) {
            return;
        }
        AgentMain.turnOff();
        CarryMain.turnOff();
        if (!isBehind) {
            AgentMain.stop();
            isOver = true;
        }
    }

    private void readClock() throws ReflectiveOperationException {
        long behind = clock.behindMillis();
        isBehind = behind > 0;
        if (behind >= BEHIND_LOGGED_MILLIS && !isBehindLogged) {
            Native.log(Native.LOG_WARN,
                    "the wall clock was set back by " + behind / 1000
                            + " s: the agent has JFR begin no chunk until it has caught up");
        }
        isBehindLogged = isBehind && (isBehindLogged || behind >= BEHIND_LOGGED_MILLIS);
    }

    // Deletes unread files of the recording, because they may be filling the disk.
    private void mindDisk() {
        File disk = new File(repository);
        long usable = disk.getUsableSpace(); // 0 also if it does not exist
        if (usable == 0 && !disk.exists()) {
            usable = Long.MAX_VALUE;
        }
        if (usable >= (shortTicks == 0 ? DISK_LEAST_BYTES : DISK_AGAIN_BYTES)) {
            if (shortTicks > 0) {
                startAgain("there is room on the disk with JFR's repository again: the agent's "
                        + "recording was started again");
            }
        } else if (shortTicks == 0 && !isBehind && recording.isRunning()) {
            shortTicks = 1;
            Native.log(Native.LOG_WARN,
                    "the disk with JFR's repository has less than " + (DISK_LEAST_BYTES >> 20)
                            + " MB left: the agent's recording is stopped until it has twice that");
            recording.stop();
        } else if (shortTicks > 0 && ++shortTicks == KEPT_TICKS) {
            recording.close();
        }
    }

    // At the end of the JVM, JFR stops all recordings itself.
    private void keepRecording() {
        if (shortTicks == 0 && !recording.isRunning()) {
            startAgain("somebody stopped the agent's recording; it was started again");
        }
    }

    private void startAgain(String why) {
        isOver = isShuttingDown();
        if (!isOver && !isBehind) {
            recording.start();
            shortTicks = 0;
            Native.countRestart();
            Native.log(Native.LOG_WARN, why);
        }
    }

    // The collector decides a chunk by one policy, and by the new one from the next chunk on. One
    // chunk is enough for that, however often it takes until the recording has the policy.
    private void followPolicy() throws ReflectiveOperationException, InterruptedException {
        byte[][] taken = Native.takePolicy();
        if (taken != null) {
            Outside.turnOff(); // first: the new policy may want what this one does not
            nextPolicy = taken;
            rotateAt = System.nanoTime();
        }
        if (shortTicks > 0) {
            return; // there is no recording to have it
        }
        if (recording.lookAtOwn() && !recording.isCentral()) {
            rotateAt = System.nanoTime();
        }
        if (nextPolicy == null || isBehind) {
            recording.followTypes();
            return;
        }
        rotate();
        recording.follow(nextPolicy.length == 0 ? null : new Policy(nextPolicy));
        nextPolicy = null;
    }

    private void followWaits() throws ReflectiveOperationException {
        if (shortTicks == 0) {
            recording.followWaits();
        }
    }

    private void followWithholding() throws ReflectiveOperationException {
        withholding.follow(nextPolicy == null && shortTicks == 0);
    }

    private void followLockWaits() {
        lockWaits.follow();
    }

    private void rotate() throws ReflectiveOperationException, InterruptedException {
        long now = System.nanoTime();
        if ((now - rotateAt >= 0 || Native.isChunkFull()) && !isBehind && shortTicks == 0) {
            // A snapshot makes JFR begin a new chunk. Where that fails it stays due.
            FlightRecorder.getFlightRecorder().takeSnapshot().close();
            rotateAt = now + segmentNanos;
            clock.moveOn();
        }
    }

    private void endDeadThreads() throws ReflectiveOperationException {
        long begin = System.nanoTime();
        if (deadThreads != null && begin - deadThreadsAt >= 0) {
            deadThreads.end();
            long end = System.nanoTime();
            deadThreadsAt = end + (end - begin) * DEAD_THREADS_PART;
        }
    }

    // JFR.configure can move it; the new place is known once the first chunk is there.
    private void followRepository() {
        String now = System.getProperty("jdk.jfr.repository");
        if (now != null && !now.equals(repository)) {
            repository = now;
            Native.moveRepository(Native.utf8(now));
        }
    }

    private static boolean isShuttingDown() {
        try {
            Runtime.getRuntime().removeShutdownHook(Thread.currentThread());
            return false;
        } catch (IllegalStateException e) {
            return true;
        }
    }
}
