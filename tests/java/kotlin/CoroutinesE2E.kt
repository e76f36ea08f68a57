// SPDX-License-Identifier: Apache-2.0
@file:JvmName("CoroutinesE2E")

package dev.loupe.testapps

import dev.loupe.RecordingContext
import dev.loupe.RecordingContextKey
import dev.loupe.examples.checkout
import dev.loupe.kotlin.LoupeContext
import java.util.concurrent.CountDownLatch
import java.util.concurrent.Executors
import java.util.concurrent.ThreadLocalRandom
import java.util.concurrent.TimeUnit
import kotlin.coroutines.ContinuationInterceptor
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext
import kotlin.coroutines.coroutineContext
import kotlin.coroutines.resume
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.TimeoutCancellationException
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.collect
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.flowOn
import kotlinx.coroutines.flow.onEach
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.suspendCancellableCoroutine
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout
import kotlinx.coroutines.yield
import jdk.jfr.Event
import jdk.jfr.Name
import jdk.jfr.StackTrace

/*
 * Coroutines that install contexts and are suspended in them, on dispatchers of all kinds. Each of
 * their events says which context it has to be in. Those of the type e2e.Naive are of coroutines
 * without LoupeContext: of these nothing is promised.
 */

private const val REQUESTS = 200
private const val MARKS = 10
private const val LIMIT_S = 60L

private val ID = RecordingContextKey.forName("id")
private val STEP = RecordingContextKey.forName("step")

@Name("e2e.Work")
@StackTrace(false)
class Work(@JvmField val expected: String) : Event()

@Name("e2e.Naive")
@StackTrace(false)
class Naive(@JvmField val expected: String) : Event()

private fun work(expected: String) = Work(expected).commit()

private fun open(key: RecordingContextKey, value: String) = RecordingContext.where(key, value).build()

// Like the application of somebody who has not read about coroutines.
private suspend fun naive(element: () -> CoroutineContext, mark: (String) -> Unit) = coroutineScope {
    repeat(REQUESTS) { id ->
        launch(Dispatchers.Default + element()) {
            open(ID, "$id").use {
                repeat(MARKS) {
                    delay(ThreadLocalRandom.current().nextLong(3))
                    mark("id=$id")
                }
            }
        }
    }
}

// All that a coroutine can do in a context of its own.
private suspend fun request(id: String, pool: CoroutineContext) {
    work("")
    open(ID, id).use {
        work("id=$id")
        yield()
        work("id=$id")
        open(STEP, "inner").use {
            delay(1)
            work("id=$id,step=inner")
            withContext(Dispatchers.IO) {
                work("id=$id,step=inner")
                open(STEP, "io").use {
                    delay(1)
                    work("id=$id,step=io")
                }
                work("id=$id,step=inner")
            }
            work("id=$id,step=inner")
        }
        work("id=$id")
        children(id, pool)
        flows(id)
        endings(id)
        blocking(id)
        work("id=$id")
    }
    work("")
    delay(1)
    work("")
}

private suspend fun children(id: String, pool: CoroutineContext) = coroutineScope {
    val lazy = async(start = CoroutineStart.LAZY) {
        delay(1)
        work("id=$id")
    }
    val inner = open(STEP, "launch").use {
        val started = listOf(Dispatchers.Default, Dispatchers.IO, Dispatchers.Unconfined, pool).map {
            async(it) {
                work("id=$id,step=launch")
                delay(1)
                work("id=$id,step=launch")
                open(STEP, "child").use {
                    delay(1)
                    work("id=$id,step=child")
                }
                work("id=$id,step=launch")
            }
        }
        work("id=$id,step=launch")
        started
    }
    work("id=$id")
    inner.awaitAll() // the context in which they began is closed by now
    lazy.await()
    work("id=$id")
    withContext(LoupeContext.where(STEP, "element")) {
        work("id=$id,step=element")
        delay(1)
        launch(pool) { work("id=$id,step=element") }.join()
        withContext(coroutineContext + Dispatchers.IO) { work("id=$id,step=element") }
        work("id=$id,step=element")
    }
    work("id=$id")
    launch(LoupeContext(RecordingContext.Snapshot.none())) {
        work("")
        delay(1)
        work("")
    }.join()
    work("id=$id")
}

private suspend fun flows(id: String) = coroutineScope {
    val channel = Channel<Int>(2)
    launch {
        open(STEP, "send").use {
            repeat(4) {
                channel.send(it)
                work("id=$id,step=send")
            }
        }
        channel.close()
    }
    open(STEP, "receive").use {
        for (i in channel) {
            work("id=$id,step=receive")
        }
    }
    flow {
        repeat(3) {
            delay(1)
            work("id=$id")
            emit(it)
        }
    }.flowOn(Dispatchers.IO).onEach { work("id=$id") }.collect()
    // Resumed by another thread, maybe before this one has left the coroutine.
    repeat(5) {
        open(STEP, "$it").use { _ ->
            suspendCancellableCoroutine<Unit> { c -> Dispatchers.IO.dispatch(c.context) { c.resume(Unit) } }
            work("id=$id,step=$it")
        }
        work("id=$id")
    }
}

private suspend fun endings(id: String) = coroutineScope {
    try {
        withTimeout(2) { open(STEP, "late").use { delay(LIMIT_S * 1000) } }
    } catch (e: TimeoutCancellationException) {
        work("id=$id")
    }
    val isOpen = CountDownLatch(1)
    val cancelled = launch {
        open(STEP, "cancelled").use {
            isOpen.countDown()
            try {
                delay(LIMIT_S * 1000)
            } finally {
                work("id=$id,step=cancelled")
            }
        }
    }
    while (isOpen.count > 0) {
        delay(1)
    }
    cancelled.cancelAndJoin()
    work("id=$id")
    launch { // never closed: it ends with the coroutine
        open(STEP, "left")
        delay(1)
        work("id=$id,step=left")
    }.join()
    work("id=$id")
}

private fun blocking(id: String) {
    open(STEP, "blocking").use {
        runBlocking(LoupeContext()) {
            work("id=$id,step=blocking")
            launch {
                delay(1)
                work("id=$id,step=blocking")
            }
            open(STEP, "nested").use {
                delay(1)
                work("id=$id,step=nested")
            }
            work("id=$id,step=blocking")
        }
        work("id=$id,step=blocking")
    }
}

// No context is on the threads of the pools any more.
private suspend fun outside(pool: CoroutineContext) = coroutineScope {
    listOf(Dispatchers.Default, Dispatchers.IO, pool).flatMap { dispatcher ->
        List(8) { launch(dispatcher) { work("") } }
    }.joinAll()
}

// A scope that is not a coroutine's: what is launched begins as the scope says.
private fun scopes() {
    val scope = CoroutineScope(Dispatchers.Default + LoupeContext.where(ID, "scope"))
    val jobs = open(ID, "thread").use {
        listOf(scope.launch { work("id=scope") },
            scope.launch(LoupeContext()) { work("id=thread") },
            CoroutineScope(Dispatchers.Default).launch(LoupeContext()) { work("id=thread") },
            CoroutineScope(Dispatchers.Default).launch { work("") })
    }
    runBlocking { jobs.joinAll() }
}

fun main() {
    val threads = Executors.newFixedThreadPool(2)
    val pool = threads.asCoroutineDispatcher()
    runBlocking {
        naive(::LoupeContext, ::work)
        coroutineScope {
            repeat(8) { launch(Dispatchers.Default + LoupeContext()) { request("r$it", pool) } }
        }
        launch(pool + LoupeContext()) { request("pool", pool) }.join()
        withContext(LoupeContext()) { request("main", pool) }
        launch(Dispatchers.Default) { checkout(::work) }.join()
        outside(pool)
        scopes()
        outside(pool)
        naive({ EmptyCoroutineContext }) { Naive(it).commit() }
    }
    threads.shutdown()
    check(threads.awaitTermination(LIMIT_S, TimeUnit.SECONDS))
}
