// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import dev.loupe.RecordingContext;
import dev.loupe.RecordingContextKey;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Uses an API of any age, until the file is there. Prints "ready", and "active" if contexts are
 * recorded.
 *
 * <pre>OlderCopy STOP_FILE</pre>
 */
public final class OlderCopy {
    private static final RecordingContextKey KEY = RecordingContextKey.forName("key");

    private OlderCopy() {}

    public static void main(String[] args) throws Exception {
        System.out.println("ready");
        boolean isActive = false;
        while (!Files.exists(Path.of(args[0]))) {
            RecordingContext context = RecordingContext.where(KEY, "x").build();
            if (KEY.isBound() && !isActive) {
                isActive = true;
                System.out.println("active");
            }
            context.close();
            Thread.sleep(1);
        }
    }
}
