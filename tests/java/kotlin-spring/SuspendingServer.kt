// SPDX-License-Identifier: Apache-2.0
@file:JvmName("SuspendingServer")

package dev.loupe.testapps

import dev.loupe.RecordingContext
import dev.loupe.RecordingContextKey
import dev.loupe.kotlin.LoupeContext
import java.time.Duration
import java.util.concurrent.Phaser
import jdk.jfr.Event
import jdk.jfr.Name
import jdk.jfr.StackTrace
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.flowOn
import kotlinx.coroutines.reactor.awaitSingle
import kotlinx.coroutines.withContext
import org.springframework.boot.SpringApplication
import org.springframework.boot.autoconfigure.EnableAutoConfiguration
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Configuration
import org.springframework.context.annotation.Import
import org.springframework.core.annotation.Order
import org.springframework.http.server.reactive.HttpHandlerDecoratorFactory
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.PathVariable
import org.springframework.web.bind.annotation.RequestHeader
import org.springframework.web.bind.annotation.RestController
import org.springframework.web.reactive.function.server.bodyValueAndAwait
import org.springframework.web.reactive.function.server.coRouter
import org.springframework.web.server.CoWebFilter
import org.springframework.web.server.CoWebFilterChain
import org.springframework.web.server.ServerWebExchange
import reactor.core.publisher.Mono

/*
 * An application of Spring WebFlux with coroutines, until its input ends. Each request says which
 * context it has to be in.
 */

// Clients have their answers before the last events are made.
private val ENDED = Phaser(1)

private val STEP = RecordingContextKey.forName("step")

@Name("e2e.Work")
@StackTrace(false)
class Work(@JvmField val expected: String) : Event()

private fun work(expected: String) = Work(expected).commit()

// Suspended inside a context, as code is that knows nothing about coroutines.
private suspend fun steps(expected: String) = coroutineScope {
    work(expected)
    RecordingContext.where(STEP, "pay").build().use {
        delay(1)
        work("$expected,step=pay")
        async(Dispatchers.IO) { work("$expected,step=pay") }.await()
        withContext(Dispatchers.Default) { work("$expected,step=pay") }
    }
    work(expected)
    Mono.delay(Duration.ofMillis(1)).doOnNext { work(expected) }.awaitSingle()
    work(expected)
}

@RestController
class SuspendingDesk {
    @GetMapping("/suspend/{id}")
    suspend fun suspending(@PathVariable id: String, @RequestHeader expected: String): String {
        steps(expected)
        return id
    }

    @GetMapping("/flow/{id}")
    fun flowing(@PathVariable id: String, @RequestHeader expected: String): Flow<String> = flow {
        work(expected)
        emit(id)
    }.flowOn(Dispatchers.IO + LoupeContext())
}

@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(SuspendingDesk::class)
class SuspendingApplication {
    @Bean
    fun router() = coRouter {
        GET("/router/{id}") { request ->
            steps(request.headers().firstHeader("expected")!!)
            ok().bodyValueAndAwait(request.pathVariable("id"))
        }
    }

    @Bean
    @Order(0)
    fun inside() = object : CoWebFilter() {
        override suspend fun filter(exchange: ServerWebExchange, chain: CoWebFilterChain) {
            val expected = exchange.request.headers.getFirst("inside")!!
            work(expected)
            delay(1)
            work(expected)
            chain.filter(exchange)
            work(expected)
        }
    }

    @Bean
    fun outside() = HttpHandlerDecoratorFactory { handler ->
        org.springframework.http.server.reactive.HttpHandler { request, response ->
            work("")
            ENDED.register()
            handler.handle(request, response).doFinally {
                work("")
                ENDED.arriveAndDeregister()
            }
        }
    }
}

fun main(args: Array<String>) {
    val application = SpringApplication.run(SuspendingApplication::class.java, *args)
    println("port " + application.environment.getProperty("local.server.port"))
    while (System.`in`.read() >= 0) {
    }
    ENDED.arriveAndAwaitAdvance()
    application.close()
}
