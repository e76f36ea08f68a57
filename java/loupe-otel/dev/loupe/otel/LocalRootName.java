// SPDX-License-Identifier: Apache-2.0
package dev.loupe.otel;

import dev.loupe.ContextType;
import dev.loupe.Hex;
import jdk.jfr.Name;

/** The name of all contexts of a local root, also of contexts that have already begun. */
@Name("otel.LocalRootName")
final class LocalRootName extends ContextType {
    @Name(SpanScope.LOCAL_ROOT_SPAN_ID) @Hex private final long localRootSpanId;
    @Name(SpanScope.LOCAL_ROOT_SPAN_NAME) private final String localRootSpanName;

    private LocalRootName(long localRootSpanId, String localRootSpanName) {
        this.localRootSpanId = localRootSpanId;
        this.localRootSpanName = localRootSpanName;
    }

    static void say(long id, String name) {
        LocalRootName said = new LocalRootName(id, name);
        said.set();
        said.unset();
    }
}
