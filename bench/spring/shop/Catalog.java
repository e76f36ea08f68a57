// SPDX-License-Identifier: Apache-2.0

package shop;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.springframework.context.annotation.Lazy;
import org.springframework.data.domain.PageRequest;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Looks up products. */
@Service
class Catalog {
    private static final int FOUND_MAX = 20;
    private static final int DEPTH = 4;

    private final Tables.Products products;
    private final Catalog proxy; // each call of which goes through the aspects

    Catalog(Tables.Products products, @Lazy Catalog proxy) {
        this.products = products;
        this.proxy = proxy;
    }

    @Transactional(readOnly = true)
    Optional<Tables.Product> find(long id) {
        return products.findById(id);
    }

    @Transactional(readOnly = true)
    List<Tables.Product> search(String category, long below) {
        return products.findByCategoryAndPriceLessThanOrderByPriceDesc(
                category, below, PageRequest.of(0, FOUND_MAX));
    }

    @Transactional(readOnly = true)
    List<Tables.Product> recommend(long customer) {
        List<Tables.Product> found = new ArrayList<>(proxy.related(customer * 7, DEPTH));
        found.sort(Comparator.comparingLong(Tables.Product::getPrice).reversed());
        return found.subList(0, Math.min(FOUND_MAX, found.size()));
    }

    /** What goes with a product, and what goes with that. */
    @Transactional(readOnly = true)
    List<Tables.Product> related(long id, int depth) {
        if (depth == 0) {
            return search(id % 2 == 0 ? "books" : "toys", id % 3000);
        }
        List<Tables.Product> found = new ArrayList<>(proxy.related(id * 31 + depth, depth - 1));
        find(id % 500).ifPresent(found::add);
        return found;
    }
}
