// SPDX-License-Identifier: Apache-2.0
package dev.loupe.servlet;

import dev.loupe.Request;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;

/**
 * Ends a request when the container has completed it. That comes last, after timeouts and errors,
 * too, which the application may still answer.
 */
final class EndListener implements AsyncListener {
    private final Request request;

    EndListener(Request request) {
        this.request = request;
    }

    @Override
    public void onComplete(AsyncEvent event) {
        request.end();
    }

    @Override
    public void onTimeout(AsyncEvent event) {}

    @Override
    public void onError(AsyncEvent event) {}

    // The request has become asynchronous once more, which has removed all listeners.
    @Override
    public void onStartAsync(AsyncEvent event) {
        AsyncContext context = event.getAsyncContext();
        context.addListener(this);
    }
}
