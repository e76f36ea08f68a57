// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.spi.ToolProvider;

/**
 * {@code Judges SOCKET PID}: all oracles, and javac, in one JVM, which runs one after the other for
 * whoever connects to the socket, until the process PID is gone. Then the socket's folder goes,
 * too.
 *
 * <p>A line is the name of an oracle and its arguments, divided by tabulators. The answer is a line
 * with its status and the number of bytes that it printed, and these bytes.
 */
public final class Judges {
    private Judges() {}

    public static void main(String[] args) throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        Path path = Path.of(args[0]);
        server.bind(UnixDomainSocketAddress.of(path));
        start(() -> accept(server));
        ProcessHandle.of(Long.parseLong(args[1])).ifPresent(owner -> owner.onExit().join());
        remove(path.getParent());
    }

    private static void remove(Path folder) throws IOException {
        for (File file : folder.toFile().listFiles()) {
            Files.delete(file.toPath());
        }
        Files.delete(folder);
    }

    // Such a thread does not keep the JVM.
    private static void start(Runnable body) {
        Thread thread = new Thread(body);
        thread.setDaemon(true);
        thread.start();
    }

    private static void accept(ServerSocketChannel server) {
        try {
            while (true) {
                SocketChannel connection = server.accept();
                start(() -> serve(connection));
            }
        } catch (IOException e) {
            e.printStackTrace();
        }
    }

    private static void serve(SocketChannel connection) {
        try (connection) {
            OutputStream answers = Channels.newOutputStream(connection);
            BufferedReader requests = new BufferedReader(new InputStreamReader(
                    Channels.newInputStream(connection), StandardCharsets.UTF_8));
            for (String line = requests.readLine(); line != null; line = requests.readLine()) {
                String[] words = line.split("\t", -1);
                ByteArrayOutputStream answer = new ByteArrayOutputStream();
                int status = run(words[0], Arrays.copyOfRange(words, 1, words.length), answer);
                answers.write(
                        (status + " " + answer.size() + "\n").getBytes(StandardCharsets.US_ASCII));
                answer.writeTo(answers);
            }
        } catch (IOException e) {
            e.printStackTrace(); // whoever asked is gone
        }
    }

    // One at a time, as System.out is theirs.
    private static synchronized int run(String oracle, String[] args, OutputStream printed) {
        System.setOut(new PrintStream(printed, false, StandardCharsets.US_ASCII));
        int status = run(oracle, args);
        System.out.flush();
        return status;
    }

    // 2 means that the oracle itself failed, as it printed.
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
                case "javac" -> ToolProvider.findFirst("javac").orElseThrow().run(
                        System.out, System.out, args);
                default -> throw new IllegalArgumentException(oracle);
            };
        } catch (Exception | StackOverflowError e) {
            e.printStackTrace(System.out);
            return 2;
        }
    }
}
