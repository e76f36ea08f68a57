// SPDX-License-Identifier: Apache-2.0

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.Tool;
import javax.tools.ToolProvider;

/**
 * Runs the javadoc tool once for each file that is named; the lines of the file are its arguments.
 * If a run fails, prints the tool's messages and ends with 1. All runs are in one JVM: each run but
 * the first finds the classes of the tool loaded and compiled.
 */
final class AllJavadoc {
    private AllJavadoc() {}

    public static void main(String[] files) throws IOException {
        Tool javadoc = ToolProvider.getSystemDocumentationTool();
        boolean failed = false;
        for (String file : files) {
            ByteArrayOutputStream said = new ByteArrayOutputStream();
            String[] arguments = Files.readAllLines(Path.of(file)).toArray(String[] ::new);
            if (javadoc.run(null, said, said, arguments) != 0) {
                System.err.println("the Javadoc by " + file + ":\n" + said);
                failed = true;
            }
        }
        System.exit(failed ? 1 : 0);
    }
}
