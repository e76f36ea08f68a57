// SPDX-License-Identifier: Apache-2.0
package shop;

import dev.loupe.Loupe;
import dev.loupe.RecordingContext;
import dev.loupe.RecordingContextKey;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;

/** Looks up prices on other threads, where each request has its context, too. */
public final class Prices {
    static final RecordingContextKey PRODUCT = RecordingContextKey.forName("product");

    private final Executor executor;

    public Prices(Executor executor) {
        this.executor = Loupe.wrap(executor);
    }

    @SuppressWarnings("try")
    public CompletableFuture<Integer> find(String product) {
        try (RecordingContext context = RecordingContext.where(PRODUCT, product).build()) {
            return CompletableFuture.supplyAsync(() -> lookUp(product), executor);
        }
    }

    private static int lookUp(String product) {
        PriceFound event = new PriceFound();
        event.price = product.length();
        event.commit();
        return event.price;
    }

    public static void main(String[] args) {
        System.out.println(
                "a chair is " + new Prices(ForkJoinPool.commonPool()).find("chair").join());
    }
}
