// SPDX-License-Identifier: Apache-2.0

package shop;

import jakarta.persistence.CascadeType;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.OneToMany;
import jakarta.persistence.Table;
import java.util.ArrayList;
import java.util.List;
import org.springframework.data.domain.Pageable;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;

/** What the shop stores. Getters, as the fields of what is loaded late are empty. */
final class Tables {
    private Tables() {}

    @Entity
    @Table(name = "products")
    static class Product {
        @Id @GeneratedValue(strategy = GenerationType.SEQUENCE) Long id;
        String name;
        String category;
        long price;

        protected Product() {}

        Product(String name, String category, long price) {
            this.name = name;
            this.category = category;
            this.price = price;
        }

        Long getId() {
            return id;
        }

        String getName() {
            return name;
        }

        String getCategory() {
            return category;
        }

        long getPrice() {
            return price;
        }
    }

    @Entity
    @Table(name = "customers")
    static class Customer {
        @Id @GeneratedValue(strategy = GenerationType.SEQUENCE) Long id;
        String name;
        int level;

        protected Customer() {}

        Customer(String name, int level) {
            this.name = name;
            this.level = level;
        }

        Long getId() {
            return id;
        }

        int getLevel() {
            return level;
        }
    }

    @Entity
    @Table(name = "orders")
    static class Order {
        @Id @GeneratedValue(strategy = GenerationType.SEQUENCE) Long id;
        @ManyToOne(fetch = FetchType.LAZY) Customer customer;
        @OneToMany(cascade = CascadeType.ALL, mappedBy = "order")
        List<Line> lines = new ArrayList<>();
        long total;
    }

    @Entity
    @Table(name = "order_lines")
    static class Line {
        @Id @GeneratedValue(strategy = GenerationType.SEQUENCE) Long id;
        @ManyToOne(fetch = FetchType.LAZY) Order order;
        @ManyToOne(fetch = FetchType.LAZY) Product product;
        int amount;
    }

    interface Products extends JpaRepository<Product, Long> {
        List<Product> findByCategoryAndPriceLessThanOrderByPriceDesc(
                String category, long price, Pageable page);
    }

    interface Customers extends JpaRepository<Customer, Long> {}

    interface Orders extends JpaRepository<Order, Long> {
        @Query("select o from Tables$Order o where o.customer.id = ?1 order by o.id desc")
        List<Order> findLast(long customer, Pageable page);
    }
}
