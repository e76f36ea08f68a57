// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * All oracles in one JVM, which runs one after the other as it is asked to.
 *
 * <p>A line of standard input is the name of an oracle and its arguments, divided by tabulators.
 * The answer is a line with its status and the number of bytes that it printed, and these bytes.
 */
public final class Judges {
    private Judges() {}

    public static void main(String[] args) throws IOException {
        PrintStream answers = System.out;
        BufferedReader requests =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = requests.readLine(); line != null; line = requests.readLine()) {
            ByteArrayOutputStream printed = new ByteArrayOutputStream();
            System.setOut(new PrintStream(printed, false, StandardCharsets.US_ASCII));
            String[] words = line.split("\t", -1);
            int status = run(words[0], Arrays.copyOfRange(words, 1, words.length));
            System.out.flush();
            answers.print(status + " " + printed.size() + "\n");
            printed.writeTo(answers);
            answers.flush();
        }
    }

    // 2 means that the oracle itself failed, as standard error says.
    private static int run(String oracle, String[] args) {
        try {
            return switch (oracle) {
                case "AllocationSums" -> AllocationSums.run(args);
                case "MergeEquals" -> MergeEquals.run(args);
                case "MillionJudge" -> MillionJudge.run(args);
                case "Oracle" -> Oracle.run(args);
                case "OracleDump" -> OracleDump.run(args);
                case "OracleEquals" -> OracleEquals.run(args);
                case "OracleMany" -> OracleMany.run(args);
                case "OracleQuery" -> OracleQuery.run(args);
                case "OracleSlice" -> OracleSlice.run(args);
                case "RandomPolicies" -> RandomPolicies.run(args);
                case "StormJudge" -> StormJudge.run(args);
                default -> throw new IllegalArgumentException(oracle);
            };
        } catch (Exception | StackOverflowError e) {
            e.printStackTrace();
            return 2;
        }
    }
}
