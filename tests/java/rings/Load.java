// SPDX-License-Identifier: Apache-2.0
package dev.loupe.rings;

import dev.loupe.ContextType;
import dev.loupe.Loupe;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import jdk.jfr.Name;

/**
 * Contexts from many threads: {@code Load platform|virtual THREADS ROUNDS}. Round r of a thread
 * sets a context with number r and a text that follows from it (see {@link #textOf}); every third
 * is not unset but replaced by the next. Prints how many it set.
 */
public final class Load {
    private static final int VIRTUAL_PAUSE = 8; // rounds between two changes of the carrier

    /** The first type, id 1. */
    @Name("load")
    public static final class LoadContext extends ContextType {
        @Name("number") long number;
        @Name("text") String text;
    }

    private static final AtomicLong SETS = new AtomicLong();

    private Load() {}

    static String textOf(long number) {
        int length = (int) (number % 100);
        return (number % 7 == 0 ? "\u20ac" : "x").repeat(length) + number;
    }

    public static void main(String[] args) throws Exception {
        boolean isVirtual = args[0].equals("virtual");
        int rounds = Integer.parseInt(args[2]);
        if (!Loupe.registerContext(LoadContext.class) || Loupe.class.getClassLoader() != null) {
            throw new AssertionError("the agent is not there");
        }
        String[] texts = new String[rounds];
        for (int i = 0; i < rounds; i++) {
            texts[i] = textOf(i);
        }
        ThreadFactory factory = isVirtual ? virtualThreads() : Thread::new;
        List<Thread> threads = new ArrayList<>();
        for (int i = Integer.parseInt(args[1]); i > 0; i--) {
            Thread thread = factory.newThread(() -> run(texts, isVirtual));
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("sets " + SETS.get());
    }

    // By reflection: this is compiled for JDK 17 too.
    static ThreadFactory virtualThreads() throws ReflectiveOperationException {
        Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
        return (ThreadFactory) Class.forName("java.lang.Thread$Builder")
                .getMethod("factory")
                .invoke(builder);
    }

    private static void run(String[] texts, boolean isVirtual) {
        LoadContext context = new LoadContext();
        for (int i = 0; i < texts.length; i++) {
            context.number = i;
            context.text = texts[i];
            context.set();
            if (isVirtual && i % VIRTUAL_PAUSE == 0) {
                Thread.yield();
            }
            if (i % 3 != 0 || i == texts.length - 1) {
                context.unset();
            }
        }
        SETS.addAndGet(texts.length);
    }
}
