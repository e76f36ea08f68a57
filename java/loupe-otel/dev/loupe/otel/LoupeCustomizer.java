// SPDX-License-Identifier: Apache-2.0
package dev.loupe.otel;

import io.opentelemetry.context.ContextStorage;
import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizer;
import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizerProvider;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.trace.SdkTracerProviderBuilder;
import java.util.concurrent.atomic.AtomicBoolean;

/** Where OpenTelemetry lets this extension in, before any context is attached. */
public final class LoupeCustomizer implements AutoConfigurationCustomizerProvider {
    private static final String BAGGAGE_KEYS = "otel.loupe.baggage.keys";
    private static final AtomicBoolean IS_INSTALLED = new AtomicBoolean();

    /** For {@link java.util.ServiceLoader}. */
    public LoupeCustomizer() {}

    @Override
    public void customize(AutoConfigurationCustomizer configuration) {
        if (!isLoupeThere()) {
            return;
        }
        // A program may configure more than one SDK. They share the storage of contexts.
        if (IS_INSTALLED.compareAndSet(false, true)) {
            ContextStorage.addWrapper(SpanStorage::new);
        }
        configuration.addTracerProviderCustomizer(LoupeCustomizer::customizeTracers);
    }

    private static SdkTracerProviderBuilder customizeTracers(
            SdkTracerProviderBuilder tracers, ConfigProperties properties) {
        SpanScope.configure(properties.getList(BAGGAGE_KEYS));
        return tracers.addSpanProcessor(new LocalRoots());
    }

    // loupe.jar comes with Loupe's agent, or with the application. Without it there is nothing to
    // do, and no other class of this extension is loaded.
    private static boolean isLoupeThere() {
        try {
            Class.forName("dev.loupe.ContextType", false, LoupeCustomizer.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }
}
