// SPDX-License-Identifier: Apache-2.0

import java.io.File;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import one.convert.Main;

/**
 * Runs async-profiler's converter as people do, but all in one JVM, for its start takes longer than
 * its work.
 *
 * <pre>Converter FOLDER VIEWS RECORDING...</pre>
 *
 * VIEWS are options of the converter, several of one view with + between them, and , between views.
 * Writes the collapsed stacks of each recording, by its number, and view to FOLDER/NUMBER.VIEW, and
 * prints for each one that it cannot convert a line of number, view and problem, with tabs between.
 */
public final class Converter {
    private static final PrintStream OUT = System.out;

    private Converter() {}

    public static void main(String[] args) {
        System.setOut(new PrintStream(OutputStream.nullOutputStream()));
        for (int i = 2; i < args.length; i++) {
            for (String view : args[1].split(",")) {
                String made = args[0] + File.separator + (i - 2) + '.' + view;
                try {
                    convert(args[i], made, view);
                } catch (Exception | Error e) {
                    OUT.println((i - 2) + "\t" + view + '\t' + e.toString().replaceAll("\\s", " "));
                }
            }
        }
    }

    private static void convert(String recording, String made, String view) throws Exception {
        List<String> options = new ArrayList<>(Arrays.asList(view.split("\\+")));
        options.addAll(List.of("-o", "collapsed", recording, made));
        Main.main(options.toArray(new String[0]));
    }
}
