// SPDX-License-Identifier: Apache-2.0
package dev.loupe;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks an attribute of a {@link ContextType} or {@link ContextAccess}, a {@code long}, as an
 * id that people know as 16 hexadecimal digits, such as that of a span. It is recorded as a number
 * and shown in the recording as those digits, {@code 00f067aa0ba902b7}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD})
public @interface Hex {}
