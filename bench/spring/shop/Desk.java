// SPDX-License-Identifier: Apache-2.0

package shop;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** The shop's endpoints. */
@RestController
class Desk {
    record ProductView(long id, String name, String category, long price) {
        static ProductView of(Tables.Product product) {
            return new ProductView(
                    product.getId(), product.getName(), product.getCategory(), product.getPrice());
        }
    }

    record LineView(ProductView product, int amount) {}

    record OrderView(long id, long customer, long total, List<LineView> lines) {
        static OrderView of(Tables.Order order) {
            return new OrderView(order.id, order.customer.getId(), order.total,
                    order.lines.stream()
                            .map(line -> new LineView(ProductView.of(line.product), line.amount))
                            .toList());
        }
    }

    record NewOrder(long customer, Map<Long, Integer> amounts) {}

    private final Selling selling;
    private final Catalog catalog;
    private final Quotes quotes;

    Desk(Selling selling, Catalog catalog, Quotes quotes) {
        this.selling = selling;
        this.catalog = catalog;
        this.quotes = quotes;
    }

    @GetMapping("/products/{id}")
    ProductView product(@PathVariable long id) {
        return catalog.find(id)
                .map(ProductView::of)
                .orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND));
    }

    @GetMapping("/products")
    List<ProductView> products(@RequestParam String category, @RequestParam long below) {
        return catalog.search(category, below).stream().map(ProductView::of).toList();
    }

    @PostMapping("/orders")
    OrderView order(@RequestBody NewOrder order) {
        return selling.sell(order);
    }

    @GetMapping("/customers/{id}/orders")
    List<OrderView> orders(@PathVariable long id) {
        return selling.lastOrders(id);
    }

    @GetMapping("/customers/{id}/recommendations")
    List<ProductView> recommendations(@PathVariable long id) {
        return catalog.recommend(id).stream().map(ProductView::of).toList();
    }

    @GetMapping("/quotes/{id}")
    CompletableFuture<Map<String, Object>> quote(@PathVariable long id) {
        return quotes.ask(id).thenCombine(
                quotes.ask(id + 1), (one, other) -> Map.of("quotes", List.of(one, other)));
    }
}
