// SPDX-License-Identifier: Apache-2.0
package dev.loupe;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes every field of a {@link ContextType} an attribute, also those without {@code jdk.jfr.Name}.
 *
 * <pre>{@code
 * @Name("shop.Request") @AllFields
 * public class RequestContext extends ContextType {
 *   public String traceid;
 *   public String endpoint;
 *   private transient long begin; // not recorded
 * }
 * }</pre>
 *
 * <p>The class itself needs {@code jdk.jfr.Name}, too: without it the annotation has no effect. It
 * applies to all fields that the class declares, private ones included. Superclasses and subclasses
 * need it themselves. A field without {@code Name} has its own name in the recording.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface AllFields {}
