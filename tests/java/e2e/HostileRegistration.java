// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import dev.loupe.ContextType;
import java.util.stream.Stream;

/** A service that fails when its types are asked for. */
public final class HostileRegistration implements ContextType.Registration {
    /** For {@link java.util.ServiceLoader}. */
    public HostileRegistration() {}

    @Override
    public Stream<Class<? extends ContextType>> types() {
        return Hostile.failingStream();
    }
}
