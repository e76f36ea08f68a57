// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * An application of Spring Boot that has a route for each of many reasons why requests are slow,
 * and one that is quick, until its input ends. It is asked from many threads at once: much of what
 * it waits for is what another request has.
 */
@Configuration
@EnableAutoConfiguration
@Import({CausesServer.Quick.class, SlowWaits.class, SlowCalls.class, SlowQueries.class,
        SlowWork.class})
public class CausesServer {
    /** The normal traffic. */
    @RestController
    static class Quick {
        @GetMapping("/quick")
        String quick() {
            return "quick";
        }
    }

    public static void main(String[] args) throws Exception {
        ConfigurableApplicationContext application =
                SpringApplication.run(CausesServer.class, args);
        System.out.println("port " + application.getEnvironment().getProperty("local.server.port"));
        while (System.in.read() >= 0) {
        }
        application.close();
    }
}
