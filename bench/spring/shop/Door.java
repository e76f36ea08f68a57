// SPDX-License-Identifier: Apache-2.0

package shop;

import dev.loupe.ContextType;
import dev.loupe.Loupe;
import dev.loupe.jfr.Contextual;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.ThreadLocalRandom;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/** Makes each request a context with its trace id: Loupe's and, where that is enabled, JFR's. */
@Component
@Profile("!waits")
class Door extends OncePerRequestFilter {
    @Name("shop.Request")
    static final class RequestContext extends ContextType {
        @Name("traceId") public String traceId;
        @Name("path") public String path;
    }

    @Name("shop.RequestEvent")
    @Enabled(false)
    @StackTrace(false)
    static final class RequestEvent extends Event {
        @Contextual String traceId;
        @Contextual String path;
    }

    private final ThreadLocal<RequestContext> contexts =
            ThreadLocal.withInitial(RequestContext::new);

    Door() {
        Loupe.registerContext(RequestContext.class);
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response,
            FilterChain chain) throws ServletException, IOException {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        String traceId = String.format("%016x%016x", random.nextLong(), random.nextLong());
        RequestContext context = contexts.get();
        context.traceId = traceId;
        context.path = request.getRequestURI();
        RequestEvent event = new RequestEvent();
        event.begin();
        context.set();
        try {
            chain.doFilter(request, response);
        } finally {
            context.unset();
            event.traceId = traceId;
            event.path = context.path;
            event.commit();
        }
    }
}
