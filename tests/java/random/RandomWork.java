// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Event;
import jdk.jfr.EventFactory;

/**
 * What one thread of RandomRecording does: contexts in any arrangement, events between them, and
 * what makes the JVM write events of its own.
 */
final class RandomWork implements Runnable {
    private static final int OPEN_MAX = 6;
    private static final int ENDED_MAX = 50;
    private static final Object LOCK = new Object();

    /** Shared by the threads of a run. */
    static final class Shared {
        volatile boolean isOver;
        /** The newest type, and the one that is contextual. */
        final AtomicReference<EventFactory> plain = new AtomicReference<>();
        final AtomicReference<EventFactory> contextual = new AtomicReference<>();
        /** For names that nobody had before: over several chunks readers go on showing old ones. */
        final AtomicInteger renames = new AtomicInteger();
        /** Begun by one thread and committed by another. */
        final Queue<Event> handedOver = new ConcurrentLinkedQueue<>();
    }

    private final Shared shared;
    private final Random random;
    private final int steps;
    private final int pauseNanos;
    private final List<Event> open = new ArrayList<>();
    private final Deque<Event> ended = new ArrayDeque<>();

    /** pauseNanos: the mean time between two steps. */
    RandomWork(Shared shared, long seed, int steps, int pauseNanos) {
        this.shared = shared;
        this.random = new Random(seed);
        this.steps = steps;
        this.pauseNanos = pauseNanos;
    }

    @Override
    public void run() {
        Event whole = new RandomEvents.Request(); // as long as the thread
        whole.begin();
        try {
            for (int i = 0; i < steps && !shared.isOver; i++) {
                step();
                if (pauseNanos > 0 && random.nextInt(20) == 0) {
                    LockSupport.parkNanos(random.nextInt(40 * pauseNanos));
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        ended.forEach(Event::commit);
        if (random.nextBoolean()) {
            open.forEach(Event::commit);
        }
        whole.commit();
    }

    private void step() throws IOException {
        int kind = random.nextInt(100);
        if (kind < 20) {
            open();
        } else if (kind < 38) {
            close();
        } else if (kind < 42) {
            Event empty = context();
            empty.begin();
            empty.commit();
        } else if (kind < 48) {
            commitEnded();
        } else if (kind < 92) {
            commitPlain();
        } else {
            provoke();
        }
    }

    private void open() {
        if (open.size() < OPEN_MAX) {
            Event context = context();
            context.begin();
            open.add(context);
        }
    }

    // Any of those that are open: nested or not.
    private void close() {
        if (open.isEmpty()) {
            return;
        }
        Event context =
                open.remove(random.nextInt(3) > 0 ? open.size() - 1 : random.nextInt(open.size()));
        int how = random.nextInt(20);
        if (how == 0) { // on another thread
            shared.handedOver.add(context);
            return;
        }
        if (how < 4) { // later than it ended
            context.end();
            ended.add(context);
            return;
        }
        context.commit();
    }

    private void commitEnded() {
        if (ended.size() > ENDED_MAX || random.nextInt(4) == 0) {
            ended.forEach(Event::commit);
            ended.clear();
        }
        Event other = shared.handedOver.poll();
        if (other != null) {
            other.commit();
        }
    }

    private Event context() {
        switch (random.nextInt(5)) {
            case 0: {
                RandomEvents.Request request = new RandomEvents.Request();
                request.id = RandomEvents.number(random);
                request.user = RandomEvents.text(random);
                return request;
            }
            case 1: {
                RandomEvents.Span span = new RandomEvents.Span();
                span.name = RandomEvents.text(random);
                return span;
            }
            case 2: {
                RandomEvents.Order order = new RandomEvents.Order();
                order.number = (int) RandomEvents.number(random);
                order.text = RandomEvents.text(random);
                return order;
            }
            default:
                return created(shared.contextual.get());
        }
    }

    private Event created(EventFactory factory) {
        Event event = factory.newEvent();
        RandomEvents.fill(event, factory, random);
        return event;
    }

    private void commitPlain() {
        int kind = random.nextInt(8);
        if (kind < 3) {
            RandomEvents.All all = new RandomEvents.All();
            if (random.nextBoolean()) {
                all.begin();
            }
            all.fill(random);
            all.commit();
        } else if (kind == 3) {
            created(shared.plain.get()).commit();
        } else if (kind == 4) {
            new RandomEvents.Bare().commit();
        } else {
            RandomEvents.Small small = new RandomEvents.Small();
            if (kind == 7) {
                small.begin();
            }
            small.number = RandomEvents.number(random);
            small.commit();
        }
    }

    // Events of the JVM's own.
    private void provoke() throws IOException {
        switch (random.nextInt(12)) {
            case 0:
                LockSupport.parkNanos(this, random.nextInt(100_000));
                break;
            case 1:
                synchronized (LOCK) {
                    LockSupport.parkNanos(random.nextInt(50_000));
                }
                break;
            case 2:
                try {
                    Thread.sleep(0, 1 + random.nextInt(99_999));
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                break;
            case 3:
                try {
                    throw new IOException("thrown on purpose");
                } catch (IOException expected) {
                    break;
                }
            case 4:
                synchronized (this) {
                    try {
                        wait(1);
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                }
                break;
            case 5: {
                Path file = Files.createTempFile("random", ".txt");
                Files.writeString(file, "text");
                Files.readString(file);
                Files.delete(file);
                break;
            }
            case 6:
                Thread.currentThread().setName("renamed " + shared.renames.incrementAndGet());
                break;
            case 7:
                LockSupport.unpark(start(() -> new RandomEvents.Bare().commit()));
                break;
            default:
                allocate();
        }
    }

    private Thread start(Runnable task) {
        Thread thread =
                new Thread(new ThreadGroup("group " + random.nextInt(9)), task, "short-lived");
        thread.start();
        return thread;
    }

    private void allocate() {
        byte[][] bytes = new byte[random.nextInt(64)][];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = new byte[random.nextInt(1 << 12)];
        }
    }
}
