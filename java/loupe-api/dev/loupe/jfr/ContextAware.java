// SPDX-License-Identifier: Apache-2.0
package dev.loupe.jfr;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.MetadataDefinition;

/**
 * Says whether the events of a JFR event type show their contexts in the context styles {@code
 * fields} and {@code ref}.
 *
 * <p>If an event type of the application has this annotation, only types with it show contexts. A
 * type with {@code false} shows none. The setting {@code withContext} of a policy overrides it. The
 * JVM's own recording does not change.
 */
@MetadataDefinition
@Label("Context Aware")
@Description("Whether events show their contexts, in outputs that show contexts at events")
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface ContextAware {
    /**
     * Whether the events show their contexts.
     *
     * @return {@code false} if they show none
     */
    boolean value() default true;
}
