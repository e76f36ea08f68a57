// SPDX-License-Identifier: Apache-2.0
package org.postgresql.jdbc;

import java.io.IOException;
import java.net.Socket;

/**
 * A query of a driver, whose class has the name of a library's: it asks, and waits for the answer.
 */
public final class SlowStatement {
    private SlowStatement() {}

    public static void execute(Socket socket) throws IOException {
        socket.getOutputStream().write(1);
        if (receive(socket) < 0) {
            throw new IOException("no answer");
        }
    }

    private static int receive(Socket socket) throws IOException {
        return socket.getInputStream().read();
    }
}
