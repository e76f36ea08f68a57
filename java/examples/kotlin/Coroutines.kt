// SPDX-License-Identifier: Apache-2.0
package dev.loupe.examples

import dev.loupe.RecordingContext
import dev.loupe.RecordingContextKey
import dev.loupe.kotlin.LoupeContext
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.withContext

private val ENDPOINT = RecordingContextKey.forName("endpoint")
private val STEP = RecordingContextKey.forName("step")

/**
 * A request that is served by coroutines. [served] is called where the work is done: the context of
 * each call is in its argument.
 */
suspend fun checkout(served: (String) -> Unit) =
    withContext(LoupeContext.where(ENDPOINT, "/checkout")) {
        served("endpoint=/checkout")
        coroutineScope {
            val price = async(Dispatchers.IO) {
                served("endpoint=/checkout")
                5
            }
            RecordingContext.where(STEP, "payment").build().use {
                delay(1)
                served("endpoint=/checkout,step=payment")
            }
            price.await()
        }
    }
