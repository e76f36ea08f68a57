// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.Executor;

/**
 * A loaded class that the agent knows by its name and takes for what it knows, and whose edits the
 * JVM refuses: the method that is to begin with a call has its argument in another place. And a
 * Java agent that has the JVM rewrite it again.
 */
public final class Refused {
    private static final String NAME = "io.netty.util.concurrent.SingleThreadEventExecutor";
    private static Instrumentation jvm;

    private final Class<?> type = new Loader().define();

    /** What is loaded by that name. */
    public static final class Static {
        private Static() {}

        public static void execute(Runnable task) {
            Runnable first = task;
            first.run();
        }

        public static void doStartThread(Executor pool) {
            pool.execute(null);
        }
    }

    private static final class Loader extends ClassLoader {
        Class<?> define() {
            try {
                byte[] file = renamed(ClassBytes.of(Static.class), Static.class.getName(), NAME);
                return defineClass(NAME, file, 0, file.length);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    public static void premain(String arguments, Instrumentation given) {
        jvm = given;
    }

    // Replaces the constant with the name of the class.
    private static byte[] renamed(byte[] file, String from, String to) throws IOException {
        byte[] constant = constant(from);
        for (int at = 0; at < file.length - constant.length; at++) {
            int end = at + constant.length;
            if (Arrays.equals(file, at, end, constant, 0, constant.length)) {
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                out.write(file, 0, at);
                out.write(constant(to));
                out.write(file, end, file.length - end);
                return out.toByteArray();
            }
        }
        throw new IllegalStateException(from + " is not in its own file");
    }

    private static byte[] constant(String name) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new DataOutputStream(out).writeUTF(name.replace('.', '/'));
        return out.toByteArray();
    }

    /** Has the JVM rewrite the class once more, and runs a task by it. */
    void rewriteAndRun(Runnable task) throws Exception {
        jvm.retransformClasses(type);
        type.getMethod("execute", Runnable.class).invoke(null, task);
    }
}
