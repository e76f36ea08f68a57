// SPDX-License-Identifier: Apache-2.0
package shop;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Serves orders, each after a look into a slow store. Nothing in here is about Loupe. */
@SpringBootApplication
@RestController
public class Orders {
    @GetMapping("/orders/{id}")
    public String order(@PathVariable String id) throws InterruptedException {
        Thread.sleep(50);
        return "order " + id + "\n";
    }

    public static void main(String[] args) {
        SpringApplication.run(Orders.class, args);
    }
}
