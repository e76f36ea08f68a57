// SPDX-License-Identifier: Apache-2.0
package dev.loupe;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.MetadataDefinition;
import jdk.jfr.Name;

/**
 * The former place of {@link dev.loupe.jfr.Contextual}. Events that were compiled with it are
 * recorded as before. No source can name it any more: it would be ambiguous beside that of {@code
 * jdk.jfr}, where both packages are imported as a whole.
 */
@MetadataDefinition
@Name("jdk.jfr.Contextual")
@Label("Context")
@Description("Field that provides contextual information to other events")
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.TYPE})
@interface Contextual {}
