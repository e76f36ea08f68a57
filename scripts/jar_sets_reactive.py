# SPDX-License-Identifier: Apache-2.0
"""Sets of other people's jars for jars.py: group:artifact:version, and sha256. Those of Spring Boot 3.3, and Kotlin."""

# What loupe-micrometer.jar is compiled with.
MICROMETER = (
    ("io.micrometer:context-propagation:1.1.3", "e80f86a1f2c2bf2bb25052a29319af1579e06caf7ec48ae713e16cb73ad286d7"),
)
REACTOR = (
    ("io.projectreactor:reactor-core:3.6.18", "71f3b9adb95dd4b83db736a73a28d7698779c411a59a4936dede5da92d445553"),
    ("org.reactivestreams:reactive-streams:1.0.4", "f75ca597789b3dac58f61857b9ac2e1034a68fa672db35055a8fb4509e325f28"),
)
# What loupe-webflux.jar is compiled with besides, and a server.
SPRING_WEBFLUX = (
    ("org.springframework:spring-webflux:6.1.21", "3224ae49bdb5e7f29a6d1724bbe448e9544eeb46dc7ca025b7c2c57f588b947e"),
)
REACTOR_NETTY = (
    ("io.projectreactor.netty:reactor-netty-core:1.1.31", "ee278ed117b615ab1b1ecc64f53b1443b1fdf2820a728742bd93d85b04398b5a"),
    ("io.projectreactor.netty:reactor-netty-http:1.1.31", "0f9819f81364c6cafe375024b5cd55ba7ed48811c182350f3d061afcff2d171e"),
    ("io.netty:netty-common:4.1.122.Final", "87ec3ea7aca1414f2473006f0ab0efd7bafb7368c4974fcc7178d162e3d8b1a3"),
    ("io.netty:netty-buffer:4.1.122.Final", "6f4ea81fa0ccb6af2433c915ac59ff5976ae487835cffc5c16af015a3a02b470"),
    ("io.netty:netty-transport:4.1.122.Final", "89a65e5f20f49fce4856ad4ac95024b5a67453c1d9aceef7a7650e4ebf979e37"),
    ("io.netty:netty-codec:4.1.122.Final", "e842dbecbe7d2b4444bb837229c86d8466d07a77c4b064a8991054307fdd0f64"),
    ("io.netty:netty-codec-http:4.1.122.Final", "d0c6a9d73a6a968a5719e73c53a2464ff8b20362161b853fcee439eda2b8248b"),
    ("io.netty:netty-codec-http2:4.1.122.Final", "4cae7b65fe7398006c1847f69c580356551b22c72f87b129dd0b35d3d30640b7"),
    ("io.netty:netty-codec-dns:4.1.122.Final", "527eb7fc8abe763d27f4fccc3338e67b20dec76b377a72fb68225ad280f4ddc7"),
    ("io.netty:netty-handler:4.1.122.Final", "c6bd37ef208fbe12273a75d3f5d6eb85832991c9fa0c9e8bba9621e9bee02f98"),
    ("io.netty:netty-resolver:4.1.122.Final", "b61fdaad24575329b4cc3097336089482f6db0d28491318a431d8b2852b703f6"),
    ("io.netty:netty-resolver-dns:4.1.122.Final", "3f5d9a382bc286a602fb7abd349f04fd3b32cd6344c08a4a8cb6212d45032294"),
    ("io.netty:netty-transport-native-unix-common:4.1.122.Final",
     "3e340b145bd1303697f355f6517a4f26a3d6b61a674cad92105780b0cff79612"),
)
# What loupe-kotlin.jar is compiled with, and what compiles Kotlin.
KOTLIN = (
    ("org.jetbrains.kotlin:kotlin-stdlib:2.2.0", "65d12d85a3b865c160db9147851712a64b10dadd68b22eea22a95bf8a8670dca"),
    ("org.jetbrains.kotlinx:kotlinx-coroutines-core-jvm:1.10.2",
     "5ca175b38df331fd64155b35cd8cae1251fa9ee369709b36d42e0a288ccce3fd"),
)
# What suspending handlers of Spring need.
KOTLIN_SPRING = (
    ("org.jetbrains.kotlin:kotlin-reflect:2.2.0", "230d91c2e410e3cfca3a4dc73d255455f62ff52aac091a33397a6e30bde91bf7"),
    ("org.jetbrains.kotlinx:kotlinx-coroutines-reactor:1.10.2",
     "3a873628e7744f3fb8a3145bb086530e43d1a35c568265d12650c7219b80a0da"),
    ("org.jetbrains.kotlinx:kotlinx-coroutines-reactive:1.10.2",
     "12a7bd4fb4e6a1a5a55f9a32ce4beffda543036cf14fd10a077285381a9dfafe"),
)
KOTLIN_COMPILER = KOTLIN + (
    ("org.jetbrains.kotlin:kotlin-compiler-embeddable:2.2.0", "b2f743ea5ba12f69e0f35e5d8d46069d74c8e2861087548a7e0e14a784bc4cf1"),
    ("org.jetbrains.kotlin:kotlin-script-runtime:2.2.0", "4ed97fd1e0c9bb1d0948ed5e63cc91456313a59518295b92b2c1514aef556150"),
    ("org.jetbrains.kotlin:kotlin-reflect:1.6.10", "3277ac102ae17aad10a55abec75ff5696c8d109790396434b496e75087854203"),
    ("org.jetbrains.kotlin:kotlin-daemon-embeddable:2.2.0", "a26cc8e2d8619197cc4d115bea7766e9aa8e0f1e7876ea044ee1b9f305654601"),
    ("org.jetbrains:annotations:13.0", "ace2a10dc8e2d5fd34925ecac03e4988b2c0f851650c94b8cef49ba1bd111478"),
)
