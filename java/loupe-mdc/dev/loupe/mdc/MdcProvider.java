// SPDX-License-Identifier: Apache-2.0
package dev.loupe.mdc;

import java.util.Arrays;
import java.util.List;
import java.util.ServiceLoader;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.helpers.NOP_FallbackServiceProvider;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/**
 * Stands between SLF4J 2 and its provider, such as Logback or Log4j, and makes values of its MDC a
 * context of the thread. Two system properties turn it on, from SLF4J 2.0.9 on:
 *
 * <pre>{@code
 * -Dslf4j.provider=dev.loupe.mdc.MdcProvider -Dloupe.mdc.keys=userId,orderId
 * }</pre>
 *
 * <p>Each key is an attribute of the context {@code slf4j.MDC}; at most 16 fit. They can also be
 * named by the environment variable {@code LOUPE_MDC_KEYS}. The context changes when one of these
 * values does, and ends when none of them is there. Logging is that of the provider, which is
 * the first one that {@link ServiceLoader} finds.
 */
public final class MdcProvider implements SLF4JServiceProvider {
    private static final String KEYS = "loupe.mdc.keys";
    private static final String KEYS_VARIABLE = "LOUPE_MDC_KEYS";

    private final SLF4JServiceProvider provider;
    private MDCAdapter adapter;

    /** For SLF4J. */
    public MdcProvider() {
        provider = ServiceLoader
                           .load(SLF4JServiceProvider.class,
                                   SLF4JServiceProvider.class.getClassLoader())
                           .findFirst()
                           .orElseGet(NOP_FallbackServiceProvider::new);
    }

    @Override
    public void initialize() {
        provider.initialize();
        List<String> keys = keys();
        adapter = keys.isEmpty() ? provider.getMDCAdapter()
                                 : new ContextAdapter(provider.getMDCAdapter(), keys);
    }

    private static List<String> keys() {
        String named = System.getProperty(KEYS, System.getenv(KEYS_VARIABLE));
        return named == null ? List.of()
                             : Arrays.stream(named.split(","))
                                       .map(String::strip)
                                       .filter(key -> !key.isEmpty())
                                       .distinct()
                                       .toList();
    }

    @Override
    public ILoggerFactory getLoggerFactory() {
        return provider.getLoggerFactory();
    }

    @Override
    public IMarkerFactory getMarkerFactory() {
        return provider.getMarkerFactory();
    }

    @Override
    public MDCAdapter getMDCAdapter() {
        return adapter;
    }

    @Override
    public String getRequestedApiVersion() {
        return provider.getRequestedApiVersion();
    }
}
