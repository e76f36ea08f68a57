// SPDX-License-Identifier: Apache-2.0

package shop;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.springframework.scheduling.annotation.Async;
import org.springframework.stereotype.Service;

/** Offers prices on threads of their own. */
@Service
class Quotes {
    private final Catalog catalog;

    Quotes(Catalog catalog) {
        this.catalog = catalog;
    }

    @Async
    CompletableFuture<Map<String, Object>> ask(long id) {
        return CompletableFuture.completedFuture(
                catalog.find(id)
                        .map(product
                                -> Map.<String, Object>of(
                                        "id", id, "price", product.getPrice() * 9 / 10))
                        .orElseGet(() -> Map.of("id", id)));
    }
}
