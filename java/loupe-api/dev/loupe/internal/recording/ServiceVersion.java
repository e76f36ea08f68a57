// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal.recording;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;

/**
 * Which version of its service this JVM runs, where the agent's option does not say so: as
 * OpenTelemetry's resource has it, or else the manifest of the jar that java -jar started.
 */
final class ServiceVersion {
    private static final String KEY = "service.version";
    private static final int CHARS_MAX = 128; // the rest is cut off

    private ServiceVersion() {}

    /** Returns the version, empty if nothing says it. */
    static String find() {
        try {
            String version = inResource(System.getenv("OTEL_RESOURCE_ATTRIBUTES"));
            return clean(version.isEmpty() ? inManifest(System.getProperty("java.class.path"))
                                           : version);
        } catch (IOException | RuntimeException e) {
            return ""; // a label is not worth a start
        }
    }

    // Of a=b,service.version=1.2, whose values may have %xx.
    private static String inResource(String attributes) {
        if (attributes == null) {
            return "";
        }
        for (String attribute : attributes.split(",")) {
            int equals = attribute.indexOf('=');
            if (equals >= 0 && attribute.substring(0, equals).trim().equals(KEY)) {
                String value = attribute.substring(equals + 1).trim().replace("+", "%2B");
                return URLDecoder.decode(value, StandardCharsets.UTF_8);
            }
        }
        return "";
    }

    private static String inManifest(String classPath) throws IOException {
        if (classPath == null || !classPath.endsWith(".jar")
                || classPath.contains(System.getProperty("path.separator"))) {
            return "";
        }
        try (JarFile jar = new JarFile(classPath)) {
            Manifest manifest = jar.getManifest();
            String version = manifest == null
                    ? null
                    : manifest.getMainAttributes().getValue(Attributes.Name.IMPLEMENTATION_VERSION);
            return version == null ? "" : version;
        }
    }

    private static String clean(String version) {
        StringBuilder clean = new StringBuilder();
        version.codePoints()
                .filter(c -> !Character.isISOControl(c))
                .limit(CHARS_MAX)
                .forEach(clean::appendCodePoint);
        return clean.toString().trim();
    }
}
