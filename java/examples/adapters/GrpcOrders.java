// SPDX-License-Identifier: Apache-2.0
package shop;

import dev.loupe.grpc.LoupeServerInterceptor;
import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.ServerBuilder;

/** A gRPC server whose calls are contexts. */
public final class GrpcOrders {
    private GrpcOrders() {}

    /** Starts a server of a service, such as one that protoc made. */
    public static Server serve(BindableService orders, int port) throws Exception {
        return ServerBuilder.forPort(port)
                .addService(orders)
                .intercept(new LoupeServerInterceptor()) // last: gRPC calls it first
                .build()
                .start();
    }
}
