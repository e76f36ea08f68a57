// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import dev.loupe.ContextAccess;
import dev.loupe.ContextType;
import dev.loupe.Loupe;
import dev.loupe.RecordingContext;
import dev.loupe.RecordingContextFilter.Config;
import dev.loupe.RecordingContextKey;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Name;

/**
 * An application that uses all of the API and runs on a Java runtime without JFR, too.
 *
 * <pre>NoJfr [STOP_FILE]</pre>
 *
 * With an argument it prints "ready" and goes on until the file is there. Prints "done" at the end.
 */
public final class NoJfr {
    private static final RecordingContextKey KEY = RecordingContextKey.forName("key");

    private NoJfr() {}

    @Name("app.Request")
    public static final class Request extends ContextType {
        @Name("id") public long id;
    }

    @Name("app.Span")
    public record Span(@Name("id") long id) {}

    public static void main(String[] args) throws Exception {
        useAll();
        if (args.length > 0) {
            System.out.println("ready");
            while (!Files.exists(Path.of(args[0]))) {
                useAll();
                LockSupport.parkNanos(1_000_000);
            }
        }
        System.out.println("done");
    }

    private static void useAll() throws Exception {
        Loupe.registerContext(Request.class);
        Request request = new Request();
        request.set();
        request.unset();
        ContextAccess<Span> access = ContextAccess.forType(Span.class);
        access.set(new Span(1));
        access.unset();
        ExecutorService pool = Loupe.wrap(Executors.newSingleThreadExecutor());
        RecordingContext context = RecordingContext.where(KEY, "value").build();
        pool.submit(() -> KEY.isBound()).get();
        context.close();
        Config.setContextFilter(Config.createFilter().forAllTypes(t -> t.hasKey(KEY)).build());
        Config.setContextFilter(null);
        pool.shutdown();
    }
}
