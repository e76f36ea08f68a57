// SPDX-License-Identifier: Apache-2.0
package dev.loupe.grpc;

import dev.loupe.RecordingContext;
import dev.loupe.Request;
import io.grpc.ForwardingServerCallListener;
import io.grpc.ServerCall;

/**
 * Installs the context of a call during each callback, and ends its request behind the last one.
 * One thread at a time.
 */
final class CallListener<Q>
        extends ForwardingServerCallListener.SimpleForwardingServerCallListener<Q> {
    private final RecordingContext.Snapshot context;
    private final Request request;

    CallListener(
            ServerCall.Listener<Q> listener, RecordingContext.Snapshot context, Request request) {
        super(listener);
        this.context = context;
        this.request = request;
    }

    @Override
    @SuppressWarnings("try")
    public void onMessage(Q message) {
        try (RecordingContext.Activation activation = context.activate()) {
            super.onMessage(message);
        }
    }

    @Override
    @SuppressWarnings("try")
    public void onHalfClose() {
        try (RecordingContext.Activation activation = context.activate()) {
            super.onHalfClose();
        }
    }

    @Override
    @SuppressWarnings("try")
    public void onCancel() {
        try (RecordingContext.Activation activation = context.activate()) {
            super.onCancel();
        } finally {
            request.end();
        }
    }

    @Override
    @SuppressWarnings("try")
    public void onComplete() {
        try (RecordingContext.Activation activation = context.activate()) {
            super.onComplete();
        } finally {
            request.end();
        }
    }

    @Override
    @SuppressWarnings("try")
    public void onReady() {
        try (RecordingContext.Activation activation = context.activate()) {
            super.onReady();
        }
    }
}
