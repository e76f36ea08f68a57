// SPDX-License-Identifier: Apache-2.0
package dev.loupe;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the attribute of a {@link ContextType} or {@link ContextAccess} that names the request:
 * contexts with the same value are of one request, on whatever threads. Those whose value is null,
 * or the number 0, name none.
 *
 * <pre>{@code
 * @Name("shop.Order")
 * class OrderContext extends ContextType {
 *   @Root @Name("order_id") String orderId;
 *   @Name("step") String step;
 * }
 * }</pre>
 *
 * <p>The request begins with the first of these contexts. It ends with the last, once none has been
 * open for two seconds. A program that knows when the request begins and ends uses {@link Request}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD})
public @interface Root {}
