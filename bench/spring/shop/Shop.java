// SPDX-License-Identifier: Apache-2.0

package shop;

import java.util.List;
import java.util.concurrent.Executor;
import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

/**
 * A service as people have them: Spring Boot with MVC, JPA on an H2 in memory, transactions,
 * aspects, JSON and an asynchronous endpoint. Its stacks are 60 to 200 frames deep. See
 * bench/measuring/spring.py, which starts it and sends it requests.
 *
 * <p>Each request is a context of Loupe's (which costs nothing without the agent) and, where the
 * recording enables it, a contextual event. With the profile waits it waits more: see {@link
 * Waits}.
 */
@SpringBootApplication
@EnableAsync
@EnableJpaRepositories(considerNestedRepositories = true)
public class Shop {
    private static final int PRODUCTS = 500;
    private static final int CUSTOMERS = 200;
    private static final int ASYNC_THREADS = 8;

    @Bean
    Executor taskExecutor() {
        ThreadPoolTaskExecutor executor = new ThreadPoolTaskExecutor();
        executor.setCorePoolSize(ASYNC_THREADS);
        executor.setThreadNamePrefix("quotes-");
        return executor;
    }

    @Bean
    CommandLineRunner fill(Tables.Products products, Tables.Customers customers) {
        return args -> {
            for (int i = 0; i < CUSTOMERS; i++) {
                customers.save(new Tables.Customer("customer " + i, i % 4));
            }
            // Last, as spring.py takes the service for ready once there is the last product.
            for (int i = 0; i < PRODUCTS; i++) {
                products.save(new Tables.Product(
                        "product " + i, List.of("tools", "toys", "books").get(i % 3), i * 7));
            }
        };
    }

    public static void main(String[] args) {
        SpringApplication.run(Shop.class, args);
    }
}
