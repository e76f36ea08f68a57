// SPDX-License-Identifier: Apache-2.0
package webapp;

import dev.loupe.Loupe;
import dev.loupe.RecordingContext;
import dev.loupe.RecordingContextKey;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Serves requests in the ways that servlets have. Each names the context that it has to be in. */
@WebServlet(urlPatterns = "/work/*", asyncSupported = true)
public final class WorkServlet extends HttpServlet {
    private static final RecordingContextKey USER = RecordingContextKey.forName("user");

    private final transient ExecutorService workers = Executors.newFixedThreadPool(2);

    @Override
    @SuppressWarnings("try")
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        String expected = request.getHeader("expected");
        Work.commit(expected);
        switch (request.getPathInfo()) {
            case "/again": // asynchronous, twice
                serveLater(request, expected, "/work/async");
                break;
            case "/async":
                serveLater(request, expected, "/after");
                break;
            case "/timeout":
                request.startAsync().setTimeout(1);
                break;
            case "/error":
                response.sendError(HttpServletResponse.SC_BAD_GATEWAY);
                break;
            case "/forward":
                try (RecordingContext user = RecordingContext.where(USER, "anna").build()) {
                    request.setAttribute("more", ",user=anna");
                    request.getRequestDispatcher("/after").forward(request, response);
                }
                Work.commit(expected);
                break;
            case "/throw":
                throw new ServletException("on purpose");
            default:
                break;
        }
    }

    // On a thread of our own, by itself and by Loupe.wrap, and then by a dispatch.
    private void serveLater(HttpServletRequest request, String expected, String next) {
        AsyncContext later = request.startAsync();
        CountDownLatch first = new CountDownLatch(1);
        workers.execute(() -> {
            Work.commit(expected);
            first.countDown();
        });
        workers.execute(Loupe.wrap(() -> {
            Work.commit(expected);
            await(first); // or it might begin when the request has ended
            later.dispatch(next);
        }));
        Work.commit(expected);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void destroy() {
        workers.shutdown();
    }
}
