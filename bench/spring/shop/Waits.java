// SPDX-License-Identifier: Apache-2.0

package shop;

import dev.loupe.servlet.LoupeFilter;
import jakarta.servlet.DispatcherType;
import java.util.EnumSet;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;
import org.springframework.core.Ordered;

/**
 * With the profile waits: Loupe's filter makes each request one of Loupe's, in place of {@link
 * Door}, and {@link Stock} waits for another server.
 */
@Configuration
@Profile("waits")
class Waits {
    @Bean
    FilterRegistrationBean<LoupeFilter> requests() {
        FilterRegistrationBean<LoupeFilter> bean = new FilterRegistrationBean<>(new LoupeFilter());
        bean.setDispatcherTypes(
                EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC, DispatcherType.ERROR));
        bean.setOrder(Ordered.HIGHEST_PRECEDENCE);
        return bean;
    }
}
