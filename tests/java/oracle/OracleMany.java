// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Many small recordings by hand: each is made, given a policy, compacted, and judged by the oracle.
 *
 * <pre>OracleMany LOUPE DIRECTORY SEED COUNT</pre>
 *
 * Stops with status 1 at the first that is wrong; its files are those in the directory.
 */
public final class OracleMany {
    private OracleMany() {}

    static int run(String[] args) throws Exception {
        String loupe = args[0];
        Path directory = Path.of(args[1]);
        Path in = directory.resolve("in.jfr");
        Path out = directory.resolve("out.jfr");
        Path policy = directory.resolve("policy.jfc");
        long first = Long.parseLong(args[2]);
        long count = Long.parseLong(args[3]);
        for (long seed = first; seed < first + count; seed++) {
            Files.write(in, RandomChunks.make(seed));
            Files.writeString(policy, new RandomPolicies(in, seed).make());
            Oracle oracle = new Oracle(in, false);
            for (OracleStyle.Name style : OracleStyle.Name.values()) {
                List<String> command =
                        List.of(loupe, "compact", in.toString(), "-o", out.toString(), "--policy",
                                policy.toString(), "--threads", String.valueOf(seed % 3 + 1),
                                "--context-style", style.name().toLowerCase(Locale.ROOT));
                Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
                String said = new String(process.getInputStream().readAllBytes(), "UTF-8");
                int status = process.waitFor();
                if (status != 0) {
                    System.out.println("seed " + seed + ": loupe compact " + status + ": " + said);
                    return 1;
                }
                ByteArrayOutputStream report = new ByteArrayOutputStream();
                if (oracle.judge(style, policy, out, new PrintStream(report)) != 0) {
                    System.out.println("seed " + seed + ": " + report);
                    return 1;
                }
            }
        }
        System.out.println(count + " recordings: as they must be");
        return 0;
    }
}
