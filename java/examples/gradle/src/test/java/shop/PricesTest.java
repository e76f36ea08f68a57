// SPDX-License-Identifier: Apache-2.0
package shop;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotSame;

import dev.loupe.testing.ContextRecorder;
import dev.loupe.testing.RecordedContext;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.Test;

public class PricesTest {
    @Test
    public void theContextGoesToTheOtherThread() throws Exception {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try (ContextRecorder recorder = ContextRecorder.start()) {
            assertEquals(5, (int) new Prices(executor).find("chair").get());
            executor.shutdown();
            executor.awaitTermination(1, TimeUnit.MINUTES);
            List<RecordedContext> contexts = recorder.contexts();
            RecordedContext expected =
                    RecordedContext.of("loupe.RecordingContext", "product", "chair");
            assertEquals(List.of(expected, expected), contexts);
            assertNotSame(contexts.get(0).thread(), contexts.get(1).thread());
            assertFalse(contexts.get(0).isOpen() || contexts.get(1).isOpen());
        }
    }
}
