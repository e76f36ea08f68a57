// SPDX-License-Identifier: Apache-2.0

import java.io.DataInputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The JDK's `jfr` tool as a judge of recordings; all of them in one JVM, for its start takes longer
 * than its work.
 *
 * <pre>JfrTool RECORDING...
 *JfrTool --views FOLDER RECORDING...</pre>
 *
 * For each: `jfr summary`, `jfr metadata` and `jfr print` take it without a complaint, `print`
 * prints as many events of each type as `summary` counts, and `metadata` describes each of those
 * types; `jfr assemble` makes the same file of what `jfr disassemble` makes of it; and `jfr scrub`,
 * which JDK 17 does not have, takes out all events of a type and no others. Prints a line for each;
 * exit status 1 if one failed.
 *
 * With --views it writes what `jfr view all-views` shows of each, by its number, to FOLDER/NUMBER,
 * and prints for each of which it cannot a line of number and problem, with a tab between.
 */
public final class JfrTool {
    private static final Pattern COUNTED = Pattern.compile(" (\\S+) +(\\d+) +\\d+ *");
    private static final Pattern PRINTED = Pattern.compile("(\\S+) \\{");
    private static final Pattern NAMED =
            Pattern.compile("@Name\\(\"(.*)\"\\)|class (\\S+) extends .*");
    private static final List<String> BUILT_IN =
            List.of("jdk.Metadata", "jdk.CheckPoint", "jdk.Checkpoint");
    private static final PrintStream OUT = System.out;

    private JfrTool() {}

    public static void main(String[] args) throws Exception {
        if (args[0].equals("--views")) {
            for (int i = 2; i < args.length; i++) {
                showViews(args[i], args[1], i - 2);
            }
            return;
        }
        boolean isFailed = false;
        for (String file : args) {
            String problem;
            try {
                problem = judge(file);
            } catch (Exception | Error e) {
                Throwable cause = e.getCause() == null ? e : e.getCause();
                problem = cause.toString();
            }
            OUT.println((problem == null ? "ok " : "FAILED ") + file + (problem == null ? "" : ": ")
                    + (problem == null ? "" : problem));
            isFailed |= problem != null;
        }
        System.exit(isFailed ? 1 : 0);
    }

    private static String judge(String file) throws Exception {
        Map<String, Integer> counted = new TreeMap<>();
        Map<String, Integer> printed = new TreeMap<>();
        Map<String, Integer> described = new TreeMap<>();
        run("summary", line -> countRow(line, counted), file);
        run("print", line -> count(PRINTED, line, printed), "--stack-depth", "2", file);
        run("metadata", line -> count(NAMED, line, described), file);
        // A text of several lines, like a command line in jdk.SystemProcess, can look like events.
        printed.keySet().retainAll(described.keySet());
        if (!counted.equals(printed)) {
            return difference(counted, printed);
        }
        for (String type : counted.keySet()) {
            if (!described.containsKey(type)) {
                return "metadata does not describe " + type;
            }
        }
        Path folder = Files.createTempDirectory("loupe-jfr");
        try {
            String problem = reassemble(Path.of(file), folder);
            return problem == null ? scrub(file, counted, folder) : problem;
        } finally {
            try (Stream<Path> made = Files.walk(folder)) {
                made.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
            }
        }
    }

    private static String reassemble(Path file, Path folder) throws Exception {
        try (DataInputStream header = new DataInputStream(Files.newInputStream(file))) {
            header.skipBytes(8);
            if (header.readLong() == Files.size(file)) {
                return null; // one chunk, which `jfr disassemble` refuses
            }
        }
        Path chunks = Files.createDirectory(folder.resolve("chunks"));
        Path made = folder.resolve("assembled.jfr");
        run("disassemble",
                line -> {}, "--output", chunks.toString(), "--max-chunks", "1", file.toString());
        run("assemble", line -> {}, chunks.toString(), made.toString());
        return Files.mismatch(file, made) == -1 ? null : "assembled from its chunks it differs";
    }

    private static String scrub(String file, Map<String, Integer> counted, Path folder)
            throws Exception {
        if (counted.isEmpty() || command("scrub") == null) {
            return null;
        }
        String scrubbed = folder.resolve("scrubbed.jfr").toString();
        String excluded = counted.keySet().iterator().next();
        Map<String, Integer> left = new TreeMap<>();
        run("scrub", line -> {}, "--exclude-events", excluded, file, scrubbed);
        run("summary", line -> countRow(line, left), scrubbed);
        left.put(excluded, left.getOrDefault(excluded, 0) + counted.get(excluded));
        return left.equals(counted) ? null
                                    : "without " + excluded + ": " + difference(counted, left);
    }

    private static void showViews(String file, String folder, int number) throws Exception {
        Path path = Path.of(folder, String.valueOf(number));
        try (PrintStream shown = new PrintStream(path.toFile(), StandardCharsets.UTF_8)) {
            run("view", shown::println, "--width", "200", "all-views", file);
        } catch (InvocationTargetException e) {
            OUT.println(number + "\t" + String.valueOf(e.getCause()).replaceAll("\\s", " "));
        }
    }

    private static void countRow(String line, Map<String, Integer> counts) {
        Matcher row = COUNTED.matcher(line);
        if (row.matches() && !BUILT_IN.contains(row.group(1)) && !row.group(2).equals("0")) {
            counts.merge(row.group(1), Integer.parseInt(row.group(2)), Integer::sum);
        }
    }

    private static String difference(Map<String, Integer> counted, Map<String, Integer> printed) {
        TreeSet<String> types = new TreeSet<>(counted.keySet());
        types.addAll(printed.keySet());
        types.removeIf(type -> Objects.equals(counted.get(type), printed.get(type)));
        return types.stream()
                .map(type
                        -> type + ": summary counts " + counted.getOrDefault(type, 0)
                                + ", print prints " + printed.getOrDefault(type, 0))
                .collect(Collectors.joining("; "));
    }

    private static void count(Pattern pattern, String line, Map<String, Integer> counts) {
        Matcher found = pattern.matcher(line);
        if (found.matches()) {
            counts.merge(found.group(found.start(1) < 0 ? 2 : 1), 1, Integer::sum);
        }
    }

    /** Runs a command of the tool and hands each line of its output to a consumer. */
    private static void run(String command, Consumer<String> lines, String... args)
            throws Exception {
        Method execute = tool().getDeclaredMethod("execute", java.util.Deque.class);
        execute.setAccessible(true);
        Lines stream = new Lines(lines);
        System.setOut(new PrintStream(stream, false, StandardCharsets.UTF_8));
        try {
            execute.invoke(command(command), new ArrayDeque<>(List.of(args)));
        } finally {
            System.out.flush();
            System.setOut(OUT);
        }
    }

    private static Class<?> tool() throws ClassNotFoundException {
        return Class.forName("jdk.jfr.internal.tool.Command");
    }

    /** The command with this name, or null where this JDK has none. */
    private static Object command(String name) throws Exception {
        Method valueOf = tool().getDeclaredMethod("valueOf", String.class);
        valueOf.setAccessible(true);
        return valueOf.invoke(null, name);
    }

    /** Turns the bytes written to it into lines, long ones cut off. */
    private static final class Lines extends OutputStream {
        private static final int LENGTH_MAX = 500;
        private final StringBuilder line = new StringBuilder();
        private final Consumer<String> consumer;

        Lines(Consumer<String> consumer) {
            this.consumer = consumer;
        }

        @Override
        public void write(int b) {
            if (b == '\n') {
                consumer.accept(line.toString());
                line.setLength(0);
            } else if (b != '\r' && line.length() < LENGTH_MAX) {
                line.append((char) (b & 0xff));
            }
        }
    }
}
