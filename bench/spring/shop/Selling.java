// SPDX-License-Identifier: Apache-2.0

package shop;

import java.util.List;
import org.springframework.data.domain.PageRequest;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Takes orders. */
@Service
class Selling {
    private static final int LAST_ORDERS = 5;

    private final Tables.Products products;
    private final Tables.Customers customers;
    private final Tables.Orders orders;
    private final Prices prices;

    Selling(Tables.Products products, Tables.Customers customers, Tables.Orders orders,
            Prices prices) {
        this.products = products;
        this.customers = customers;
        this.orders = orders;
        this.prices = prices;
    }

    @Transactional
    Desk.OrderView sell(Desk.NewOrder wanted) {
        Tables.Order order = new Tables.Order();
        order.customer = customers.findById(wanted.customer()).orElseThrow();
        wanted.amounts().forEach((id, amount) -> {
            Tables.Line line = new Tables.Line();
            line.order = order;
            line.product = products.findById(id).orElseThrow();
            line.amount = amount;
            order.lines.add(line);
        });
        order.total = prices.total(order);
        return Desk.OrderView.of(orders.save(order));
    }

    @Transactional(readOnly = true)
    List<Desk.OrderView> lastOrders(long customer) {
        return orders.findLast(customer, PageRequest.of(0, LAST_ORDERS))
                .stream()
                .map(Desk.OrderView::of)
                .toList();
    }
}
