// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import jdk.jfr.consumer.RecordedEvent;

/** By which frame a stack trace is named, as docs/find/ask.md has it. */
final class OracleCode {
    private static final Pattern OF_JDK = Pattern.compile("(java|javax|jdk|sun|com\\.sun)\\..*");
    private static final Pattern MAIN = Pattern.compile(
            "([^ \t]*/)?([\\p{L}_$][\\w$]*(\\.[\\p{L}_$][\\w$]*)*)\\.[\\p{L}_$][\\w$]*");

    private Pattern libraries = Pattern.compile("(?!)");
    private String packagesOrNull;
    /** The main class's package, by the first chunk of a JVM and the chunk that says it. */
    private final Map<Integer, TreeMap<Integer, String>> mains = new HashMap<>();
    private final Map<Integer, TreeMap<Integer, String>> properties = new HashMap<>();

    /** via: the first frame that is not of the JDK, where frame is another one. */
    record Name(String frame, String viaOrNull) {}

    /** Takes a parameter that is about this. */
    boolean select(String parameter) {
        if (parameter.startsWith("libraries=")) {
            libraries = read(Path.of(parameter.substring("libraries=".length())));
            return true;
        }
        if (parameter.startsWith("app=")) {
            packagesOrNull = parameter.substring("app=".length());
            return true;
        }
        return false;
    }

    private static Pattern read(Path file) {
        StringBuilder all = new StringBuilder("(");
        try {
            for (String line : Files.readAllLines(file)) {
                Matcher package_ = Pattern.compile("QUERY_LIBRARY\\(\"(.*)\"\\)").matcher(line);
                if (package_.matches()) {
                    all.append(all.length() > 1 ? "|" : "")
                            .append(Pattern.quote(package_.group(1)));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Pattern.compile(all.append(").*").toString());
    }

    void learn(OracleFile.Chunk chunk, RecordedEvent event) {
        String type = event.getEventType().getName();
        if (type.equals("jdk.JVMInformation")) {
            note(mains, chunk, event.getString("javaArguments"));
        } else if (type.equals("jdk.InitialSystemProperty")
                && "sun.java.command".equals(event.getString("key"))) {
            note(properties, chunk, event.getString("value"));
        }
    }

    private void note(Map<Integer, TreeMap<Integer, String>> packages, OracleFile.Chunk chunk,
            String commandOrNull) {
        String[] words = commandOrNull == null ? new String[0] : commandOrNull.split("[ \t]", 2);
        Matcher main = MAIN.matcher(words.length == 0 ? "" : words[0]);
        if (main.matches() && !words[0].toLowerCase(java.util.Locale.ROOT).endsWith(".jar")
                && !isOf(OF_JDK, main.group(2) + ".") && !isOf(libraries, main.group(2) + ".")) {
            packages.computeIfAbsent(chunk.first(), unused -> new TreeMap<>())
                    .putIfAbsent(
                            chunk.index(), main.group(2).replaceAll("^([^.]*\\.[^.]*)\\..*", "$1"));
        }
    }

    private static boolean isOf(Pattern packages, String name) {
        return packages.matcher(name).matches();
    }

    private String packagesOrNull(OracleFile.Chunk chunk) {
        if (packagesOrNull != null) {
            return packagesOrNull;
        }
        TreeMap<Integer, String> all = new TreeMap<>();
        all.putAll(properties.getOrDefault(chunk.first(), new TreeMap<>()));
        all.putAll(mains.getOrDefault(chunk.first(), new TreeMap<>()));
        return all.isEmpty() || all.firstKey() > chunk.index() ? null : all.firstEntry().getValue();
    }

    Name name(List<String> frames, OracleFile.Chunk chunk) {
        String packages = packagesOrNull(chunk);
        List<String> own = frames.subList(thrown(frames), frames.size());
        Predicate<String> isOther = name -> !isOf(OF_JDK, name) && !isOf(libraries, name);
        Predicate<String> isApplication =
                name -> isIn(name, packages) && (packagesOrNull != null || isOther.test(name));
        Predicate<String> isOfLibrary = name -> !isOf(OF_JDK, name);
        String via = first(own, isApplication.or(isOfLibrary));
        for (Predicate<String> wanted : List.of(isApplication, isOther, isOfLibrary)) {
            String found = first(own, wanted);
            if (found != null) {
                return new Name(found, found.equals(via) ? null : via);
            }
        }
        return new Name(frames.get(0), null);
    }

    /** How many frames on top are constructors of what is thrown. */
    private static int thrown(List<String> frames) {
        boolean isThrown = List.of("java.lang.Throwable.<init>", "java.lang.Error.<init>")
                                   .contains(frames.get(0));
        int count = 0;
        while (isThrown && count < frames.size() && frames.get(count).endsWith(".<init>")) {
            count++;
        }
        return count;
    }

    private static String first(List<String> frames, Predicate<String> wanted) {
        return frames.stream().filter(wanted).findFirst().orElse(null);
    }

    private static boolean isIn(String name, String packagesOrNull) {
        if (packagesOrNull != null) {
            for (String one : packagesOrNull.split(",")) {
                if (name.startsWith(one + ".") || name.startsWith(one + "$")) {
                    return true;
                }
            }
        }
        return false;
    }
}
