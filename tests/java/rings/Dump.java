// SPDX-License-Identifier: Apache-2.0
package dev.loupe.rings;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Prints a file of context records, one a line: type id, kind, thread (numbered in order of
 * appearance) and values. Texts are in quotes, with what is not ASCII escaped.
 */
public final class Dump {
    private static final int STRING = 9;

    private Dump() {}

    public static void main(String[] args) throws IOException {
        Map<Integer, List<Integer>> kinds = new HashMap<>();
        for (String line : Files.readAllLines(Path.of(args[0] + ".types"))) {
            String[] fields = line.split("\t", -1);
            List<Integer> list = new java.util.ArrayList<>();
            for (int i = 4; i < fields.length; i += 4) {
                list.add(Integer.parseInt(fields[i]));
            }
            kinds.put(Integer.parseInt(fields[0]), list);
        }
        Map<Long, Integer> threads = new HashMap<>();
        try (Records records = new Records(Path.of(args[0]));
                PrintStream out = new PrintStream(new BufferedOutputStream(System.out))) {
            while (records.next()) {
                int thread = threads.computeIfAbsent(records.thread, id -> threads.size() + 1);
                String values = records.kind != Records.SET
                        ? ""
                        : kinds.get(records.type)
                                  .stream()
                                  .map(kind -> value(records, kind))
                                  .collect(Collectors.joining(" "));
                out.println(
                        (records.type + " " + records.kind + " " + thread + " " + values).trim());
            }
        }
    }

    private static String value(Records records, int kind) {
        if (kind != STRING) {
            return Long.toString(records.nextLong());
        }
        String text = records.nextText();
        if (text == null) {
            return "null";
        }
        StringBuilder quoted = new StringBuilder("\"");
        text.chars().forEach(c
                -> quoted.append(c < 128 ? String.valueOf((char) c) : String.format("\\u%04x", c)));
        return quoted.append('"').toString();
    }
}
