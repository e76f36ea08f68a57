// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.carry;

import dev.loupe.internal.ring.RingOwners;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.FutureTask;

/** How a task carries contexts, by its class. */
final class TaskKinds {
    /** It does not: it has them already, or is not of the application. */
    static final int NONE = 0;
    /** Nobody can know the task by its class: another object can stand for it. */
    static final int NAMELESS = 1;
    /** Somebody may know the task by its class, compare it or ask it for more than run. */
    static final int NAMED = 2;

    // Tasks that keep a library or the JDK going. One that was started inside a request would have
    // the context of this for good, or for minutes. The beginnings of their classes' names.
    private static final String[] HOUSEKEEPING = {
            "com.mchange.v2.", // c3p0
            "com.mongodb.internal.connection.", // idle connections
            "com.squareup.okhttp.", // idle connections, before OkHttp 3
            "com.zaxxer.hikari.", // connections that are opened, checked and retired
            "io.nats.", // reader, writer and pings of a connection
            "io.netty.", // event loops, and timers of connections
            "java.lang.ref.", // the cleaner's thread
            "java.lang.VirtualThread", // runs of virtual threads on their carriers
            "java.util.TimerThread", // all tasks of a timer
            "java.util.concurrent.CompletableFuture$", // timeouts, and their relays
            "java.util.concurrent.DelayScheduler", // all delays of a pool
            "java.util.concurrent.ThreadPoolExecutor$Worker", // all tasks of a pool
            "jdk.internal.", // threads of HttpClient and the like
            "okhttp3.internal.", // idle connections, reader of HTTP/2
            "io.undertow.", // connections, each with many requests
            "org.apache.commons.dbcp2.", // idle connections
            "org.apache.commons.pool2.", // the same
            "org.apache.coyote.", // connections, each with many requests
            "org.apache.tomcat.jdbc.", // idle connections
            "org.apache.tomcat.util.net.", // connections, each with many requests
            "org.apache.tomcat.util.threads.ThreadPoolExecutor$Worker", // all tasks of a pool
            "org.eclipse.jetty.", // connections, each with many requests
            "org.postgresql.", // the cleaner, and timers of queries
            "org.quartz.", // the scheduler, and its workers
            "org.xnio.", // connections, each with many requests
    };

    // Tasks that run the tasks of many: a queue's, by whomever it was woken. The beginnings of
    // their classes' names.
    private static final String[] DRAINERS = {
            "akka.dispatch.", // mailboxes of actors
            "com.datastax.oss.driver.internal.", // Cassandra's driver, writes of many requests
            "com.google.common.util.concurrent.SequentialExecutor$QueueWorker", // Guava
            "com.rabbitmq.client.impl.ConsumerWorkService", // channels
            "io.grpc.internal.SerializingExecutor", // calls
            "io.grpc.netty.", // writes of many calls
            "io.lettuce.core.", // commands of many requests
            "io.reactivex.internal.schedulers.", // RxJava 2
            "io.reactivex.rxjava3.internal.schedulers.",
            "io.vertx.core.", // handlers of an event loop, for which loupe-vertx is
            "kotlinx.coroutines.", // coroutines, for which loupe-kotlin is
            "org.apache.pekko.dispatch.", // mailboxes of actors
            "reactor.core.scheduler.",
            "rx.internal.schedulers.", // RxJava 1
    };

    // Tasks of which a part has the contexts.
    private static final String[] CARRY_THEMSELVES = {
            "java.util.concurrent.StructuredTaskScopeImpl$SubtaskImpl",
    };

    private static final ClassValue<Integer> KINDS = new ClassValue<>() {
        @Override
        protected Integer computeValue(Class<?> type) {
            return find(type);
        }
    };

    private static final ClassValue<Boolean> DRAINS = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return beginsWithOneOf(type.getName(), DRAINERS);
        }
    };

    private TaskKinds() {}

    /** Returns how this task carries contexts; null is NONE. */
    static int of(Object task) {
        if (task == null) {
            return NONE;
        }
        try {
            return KINDS.get(task.getClass());
        } catch (VirtualMachineError | LinkageError e) {
            RingOwners.countDropped();
            return NONE;
        }
    }

    /** Returns whether a task, of whatever kind, runs the tasks of many. */
    static boolean isDrainer(Object task) {
        return DRAINS.get(task.getClass());
    }

    /** Returns whether tasks of a class keep a library or the JDK going, or drain a queue. */
    static boolean livesOn(Class<?> type) {
        return beginsWithOneOf(type.getName(), HOUSEKEEPING) || DRAINS.get(type);
    }

    private static int find(Class<?> type) {
        if (CarriedTask.class.isAssignableFrom(type) || FutureTask.class.isAssignableFrom(type)
                || CompletableFuture.AsynchronousCompletionTask.class.isAssignableFrom(type)
                || ForkJoinTask.class.isAssignableFrom(type) || livesOn(type)
                || beginsWithOneOf(type.getName(), CARRY_THEMSELVES)) {
            return NONE;
        }
        return isNameless(type) ? NAMELESS : NAMED;
    }

    private static boolean beginsWithOneOf(String name, String[] beginnings) {
        for (String beginning : beginnings) {
            if (name.startsWith(beginning)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isNameless(Class<?> type) {
        Class<?>[] interfaces = type.getInterfaces();
        if (type.getSuperclass() != Object.class || interfaces.length != 1
                || interfaces[0] != Runnable.class) {
            return false;
        }
        try {
            return type.isHidden() || type.isSynthetic() || type.isAnonymousClass();
        } catch (LinkageError e) { // its enclosing class cannot be loaded
            return false;
        }
    }
}
