// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.management.ObjectName;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Requests that are slow by what they do themselves: compute, make garbage, stop the JVM. */
@RestController
class SlowWork {
    private static final int BLANKS = 8_000;
    private static final int LISTS = 9;
    private static final int KEPT_LISTS = 3;
    private static final int NODES = 1_000_000;
    private static final int WRITES = 8;
    private static final int BYTES = 16 << 20;
    private static final int DUMPS = 4;
    private static final int THREADS = 200;
    private static final int DEPTH = 200;
    private static final int INITIAL_MS = 150;
    private static final int CLASS_COUNT = 400;
    private static final List<String> CLASSES = list();
    private static final Pattern END = Pattern.compile("\\s+$");

    private final ByteBuffer entry = ByteBuffer.allocateDirect(BYTES); // of zeros
    private Node live;
    private boolean hasThreads;

    /** A node of a list. */
    private record Node(Node next, long value) {}

    // --- The CPU

    @GetMapping("/regex")
    String regex() {
        return "length " + trim(" ".repeat(BLANKS) + "x").length();
    }

    private static String trim(String text) {
        return END.matcher(text).replaceAll("");
    }

    // --- The heap

    /** Each list lives until there are three later ones: each collection has to move them. */
    @GetMapping("/tenant")
    String tenant() {
        Node[] kept = new Node[KEPT_LISTS];
        for (int i = 0; i < LISTS; i++) {
            kept[i % KEPT_LISTS] = chain();
        }
        live = kept[0];
        live = null;
        return "all";
    }

    private static Node chain() {
        Node node = null;
        for (int i = 0; i < NODES; i++) {
            node = new Node(node, i);
        }
        return node;
    }

    // --- The disk

    @GetMapping("/fsync")
    String fsync() throws IOException {
        try (FileChannel file = FileChannel.open(
                     Path.of("journal"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            for (int i = 0; i < WRITES; i++) {
                append(file);
            }
        }
        return "written";
    }

    private void append(FileChannel file) throws IOException {
        file.write(entry.rewind(), 0);
        file.force(true);
    }

    // --- Thread dumps

    @GetMapping("/dump")
    String dump() throws Exception {
        start();
        int length = 0;
        for (int i = 0; i < DUMPS; i++) {
            length += print().length();
        }
        return "length " + length;
    }

    private static String print() throws Exception {
        ObjectName commands = new ObjectName("com.sun.management:type=DiagnosticCommand");
        return (String) ManagementFactory.getPlatformMBeanServer().invoke(commands, "threadPrint",
                new Object[] {new String[] {"-l"}}, new String[] {String[].class.getName()});
    }

    private synchronized void start() {
        for (int i = 0; i < THREADS && !hasThreads; i++) {
            Thread thread = new Thread(() -> descend(DEPTH), "idle-" + i);
            thread.setDaemon(true);
            thread.start();
        }
        hasThreads = true;
    }

    private static void descend(int depth) {
        if (depth > 0) {
            descend(depth - 1);
        }
        while (depth == 0) {
            LockSupport.park();
        }
    }

    // --- Classes

    /** Loads classes of the libraries, and itself, once more for itself. */
    private static final class Own extends ClassLoader {
        private final ClassLoader first = SlowWork.class.getClassLoader();

        Own() {
            super(ClassLoader.getPlatformClassLoader());
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            try (InputStream in = first.getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (in == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    @GetMapping("/classes")
    String classes() throws ClassNotFoundException {
        load(new Own());
        return "loaded";
    }

    private static void load(ClassLoader loader) throws ClassNotFoundException {
        for (String name : CLASSES) {
            Class.forName(name, false, loader);
        }
    }

    /** Classes of Jackson. */
    private static List<String> list() {
        URL jar = ObjectMapper.class.getProtectionDomain().getCodeSource().getLocation();
        try (JarFile file = new JarFile(Path.of(URI.create(jar.toString())).toFile())) {
            return file.stream()
                    .map(JarEntry::getName)
                    .filter(name -> name.startsWith("com/") && name.endsWith(".class"))
                    .map(name -> name.replace(".class", "").replace('/', '.'))
                    .limit(CLASS_COUNT)
                    .collect(Collectors.toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A class whose initialization takes its time. */
    static final class Initial {
        static final long AT;

        static {
            try {
                Thread.sleep(INITIAL_MS);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            AT = System.nanoTime();
        }

        private Initial() {}
    }

    /** While a class is initialized its thread is pinned. */
    @GetMapping("/pinned")
    String pinned() throws ClassNotFoundException {
        return Class.forName(Initial.class.getName(), true, new Own()).getName();
    }
}
