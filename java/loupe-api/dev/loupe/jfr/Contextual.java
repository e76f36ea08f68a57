// SPDX-License-Identifier: Apache-2.0
package dev.loupe.jfr;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.MetadataDefinition;
import jdk.jfr.Name;

/**
 * Makes a JFR event type contextual: its events are kept only when at least one other event fell
 * into them.
 *
 * <p>The look-alike of {@code jdk.jfr.Contextual}, which exists since JDK 25 only. It is written to
 * the recording under that name, so tools that know the original understand events that carry this
 * one.
 *
 * <p>It has a package of its own, so that {@code import dev.loupe.*; import jdk.jfr.*;} leaves one
 * {@code Contextual}, the JDK's, where there are two.
 *
 * <p>On a field it also means that the field describes the context of other events. On the type it
 * means that all fields of the type's own do.
 */
@MetadataDefinition
@Name("jdk.jfr.Contextual")
@Label("Context")
@Description("Field that provides contextual information to other events")
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.TYPE})
public @interface Contextual {}
