// SPDX-License-Identifier: Apache-2.0
package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.loupe.testing.ContextRecorder;
import dev.loupe.testing.RecordedContext;
import java.util.List;
import org.junit.jupiter.api.Test;

class CheckoutTest {
    @Test
    void aRequestIsAContextUntilItIsServed() {
        try (ContextRecorder recorder = ContextRecorder.start()) {
            new Checkout().serve("t1");
            assertEquals(List.of(RecordedContext.of(
                                 "shop.Request", "traceid", "t1", "endpoint", "/checkout")),
                    recorder.contexts());
            assertFalse(recorder.contexts().get(0).isOpen());
        }
    }
}
