// SPDX-License-Identifier: Apache-2.0
package webapp;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** What requests are dispatched to. */
@WebServlet(urlPatterns = "/after", asyncSupported = true)
public final class AfterServlet extends HttpServlet {
    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        Object more = request.getAttribute("more");
        Work.commit(request.getHeader("expected") + (more == null ? "" : more));
        response.getWriter().println("after");
    }
}
