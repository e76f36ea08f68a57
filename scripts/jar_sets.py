# SPDX-License-Identifier: Apache-2.0
"""Sets of other people's jars for jars.py: group:artifact:version, and sha256."""

# What loupe-grpc.jar is compiled with, and a server besides.
GRPC = (
    ("io.grpc:grpc-api:1.73.0", "bae13d4e4716a0955d316b5fcb75582504325e5b11ac946b13b64b4fce19bc6e"),
    ("com.google.guava:guava:33.3.1-android", "2c3e41d1b380f2044d257947a3aa82dabf3ae4b978622745254aa18b6cf89ab0"),
    ("com.google.code.findbugs:jsr305:3.0.2", "766ad2a0783f2687962c8ad74ceecc38a28b9f72a2d085ee438b7813e928d0c7"),
    ("com.google.errorprone:error_prone_annotations:2.30.0", "144f3aefbd6e27daec55d3753b2c6b13c1afdaf0cf04816cdb564588ed92f1bd"),
)
GRPC_SERVER = GRPC + (
    ("io.grpc:grpc-inprocess:1.73.0", "b994c586136969071138353d7a7f50f4f941fb45ad694a9a71e83d69f745bce8"),
    ("io.grpc:grpc-stub:1.73.0", "050fe139de47d8937e6b0080e8dff3d0f42df6782f147c10bb298c0e9cd94b2f"),
    ("io.grpc:grpc-core:1.73.0", "cffb55f1e7268e160647e88da142c09c6175ff72970c64f7cb411d78eb661663"),
    ("io.grpc:grpc-util:1.73.0", "b7df6cbcc30b7a3219f06483a9a9d320a431beda8a1ace5b16d879f84112373f"),
    ("io.grpc:grpc-context:1.73.0", "d8d6911e225b55501692651272ce961ba5be1f76662ceb7f0aa79ecce8f63f25"),
    ("io.grpc:grpc-netty-shaded:1.73.0", "8328289ba6b73445e982a1cadf8e651ea65354e288c825a43e7c77f16da8a056"),
    ("io.perfmark:perfmark-api:0.27.0", "c7b478503ec524e55df19b424d46d27c8a68aeb801664fadd4f069b71f52d0f6"),
    ("com.google.guava:failureaccess:1.0.2", "8a8f81cf9b359e3f6dfa691a1e776985c061ef2f223c9b2c80753e1b458e8064"),
)
# What loupe-kafka.jar is compiled with.
KAFKA = (
    ("org.apache.kafka:kafka-clients:4.1.0", "eb74709dc3be35e06208827860c87a94872e8a4b00f466880670785c85a20627"),
)
# What loupe-quartz.jar is compiled with.
QUARTZ = (
    ("org.quartz-scheduler:quartz:2.5.0", "eef3c9198e3f346ea1da386a0b940ed43d7904cf217ecc5755fbe7f4729f0804"),
)
# The same of Spring.
SPRING_QUARTZ = QUARTZ + (
    ("org.springframework:spring-context-support:6.1.21", "da65ebc9e2c627339282286287b84de85ef4dedbef08d46c7f586062c5f37844"),
)
# What loupe-vertx.jar is compiled with, a server besides, and one of Vert.x 4.
VERTX = (
    ("io.vertx:vertx-core:5.0.4", "08b25440961cd10e2756d3934f204cf756e5f46ec1054f7f4d1c3961b7eda98b"),
    ("io.netty:netty-common:4.2.5.Final", "4b04c6f906908ea7100117d7529e055ba4e8facf626d3925295a2da223b13a4d"),
    ("io.vertx:vertx-codegen-api:5.0.4", "4c6f679c35333c852fa76f8a8613fd528e293cd9795dfd5e8faede08ef8148f0"),
)
VERTX_SERVER = VERTX + (
    ("io.vertx:vertx-core-logging:5.0.4", "bb69653727c8b8a661fc31ca121641279c336e8f86680f696911d28e702f906d"),
    ("com.fasterxml.jackson.core:jackson-core:2.18.2", "d8054ae7c0d1c2d2f55d28e46026ebe5892881f3fab5f439233184381c3b4a1f"),
    ("io.netty:netty-buffer:4.2.5.Final", "dd747c293bf682eafb2c39b1ef88661d03aed542d8408a69e78f7c06ce9bd57b"),
    ("io.netty:netty-codec-base:4.2.5.Final", "65ebecb5914577f67994feb0dd4b1d54d77e02587823870103910093df1756ca"),
    ("io.netty:netty-codec-compression:4.2.5.Final", "1a394b2211a319643100900db3e57ebae015dd3929fae575986b1aa695b17e03"),
    ("io.netty:netty-codec-dns:4.2.5.Final", "4d3f99669bdcf4e13169d7b175cb35b5bcff5a080c23c1f5a2d88d04d3828281"),
    ("io.netty:netty-codec-http:4.2.5.Final", "fa5b4e9b47d5666c50784a37fdf6fbd20f430bee94d2543e8e224e3194bdb211"),
    ("io.netty:netty-codec-http2:4.2.5.Final", "daf7a63f28f4d23b2527ca76c2b26ab48e2a72e0ba2494b3a3e99695eea9b1a5"),
    ("io.netty:netty-codec-socks:4.2.5.Final", "c07a9073ef01a150f938ac1c9ac192e495ea60deb3f8a918104a66a7e1327983"),
    ("io.netty:netty-handler:4.2.5.Final", "54f0c4e7afe64b027a8e44cfa9d82c5acca4942163b6580feacf4de2da6417c8"),
    ("io.netty:netty-handler-proxy:4.2.5.Final", "9aefa6d2ff4d7646c78d908af68eed0268194e3af19eb37ff91d3b089b2be4b7"),
    ("io.netty:netty-resolver:4.2.5.Final", "7fe46823602bb7e4e966f5d3097d499e639fb260ac6c2101ee000ba999561275"),
    ("io.netty:netty-resolver-dns:4.2.5.Final", "e3bbc6737454e64998aa4194dbb8748258ec7ac786c8902e06b57919fdb0181c"),
    ("io.netty:netty-transport:4.2.5.Final", "02b4e9aace1260b10d00d7816fb42ea23fb05686ed7b7fb8e6ad4ecf3da61fff"),
    ("io.netty:netty-transport-native-unix-common:4.2.5.Final",
     "ce72f2423da312f9d9655fe54f4a0b5599de54fb9160ebd7ec3fb2730af8abc3"),
)
VERTX_4_SERVER = (
    ("io.vertx:vertx-core:4.5.14", "13d9b79a426cbf159d8aa7ded2a63e07bef484d910234da50110fd2cfce20180"),
    ("com.fasterxml.jackson.core:jackson-core:2.18.2", "d8054ae7c0d1c2d2f55d28e46026ebe5892881f3fab5f439233184381c3b4a1f"),
    ("io.netty:netty-common:4.1.118.Final", "65cce901ecf0f9d6591cc7750772614ab401a84415dc9aec9da4d046f0f9a77c"),
    ("io.netty:netty-buffer:4.1.118.Final", "0eea4e8666a9636a28722661d8ba5fa8564477e75fec6dd2ff3e324e361f8b3c"),
    ("io.netty:netty-codec:4.1.118.Final", "4abd215fd1ed7ce86509d169cc9cbede5042176c265a79b3b70602b017226c3f"),
    ("io.netty:netty-codec-dns:4.1.118.Final", "e115e42ca1e3cc8d85e3a632d8faa102d18c0ebc1fa4511af30bec79f8c147d4"),
    ("io.netty:netty-codec-http:4.1.118.Final", "09822d785e9a794838031ddd5346cf419b30c036a981c2e277a062bea884174b"),
    ("io.netty:netty-codec-http2:4.1.118.Final", "68da0b1a34dceb00a6f9f6f788fb2f6b7b9e4adba8c70658ac2bd7eb898b97ae"),
    ("io.netty:netty-codec-socks:4.1.118.Final", "094465e3cfb3aef0fca38ed82b801f53a6c8be7ae1f83ab0c1b2e8ece2586840"),
    ("io.netty:netty-handler:4.1.118.Final", "26e3f8a5e859fd62cf3c13dc6d75e4e18879f000a5d0ad7f58f8679675d23dae"),
    ("io.netty:netty-handler-proxy:4.1.118.Final", "fef926126f44c668968dd3e2389c2552981d452e6dfc23b1f9bd03db92c21f96"),
    ("io.netty:netty-resolver:4.1.118.Final", "3170c225972c18b6850d28add60db15bb28d83c4e3d5b686ca220e0bd7273c8a"),
    ("io.netty:netty-resolver-dns:4.1.118.Final", "c0e0fdaffaba849e3145b2b96288fc8fc6f3b2a623cf72aaba708288348e4938"),
    ("io.netty:netty-transport:4.1.118.Final", "ab3751e717daef9c8d91e4d74728a48730bd8530b72e2466b222b2ea3fb07db9"),
    ("io.netty:netty-transport-native-unix-common:4.1.118.Final",
     "69b16793d7b41ea76a762bd2bd144fc4f7c39c156a7a59ebf69baeb560fb10b7"),
)
# What loupe-opentracing.jar is compiled with, and Jaeger's tracer besides.
OPENTRACING = (
    ("io.opentracing:opentracing-api:0.33.0", "4534541b8e9f41a17bcdf1d09affe45b98c13574db6e529a93a58264b9472c7c"),
)
JAEGER = OPENTRACING + (
    ("io.jaegertracing:jaeger-core:1.8.1", "4c4627570530e990cdd57a457017057aa1e3d06d884f460ecac0904bb379160a"),
    ("io.opentracing:opentracing-noop:0.33.0", "8529f91e10047b2b94cb21b50086a3d3913fa4da43594eddbd9ecf5917efe040"),
    ("io.opentracing:opentracing-util:0.33.0", "22c5dfbb9b0e2f08f7371bf3d68372c7604c804d3129499b43f37a8877c4379e"),
    ("com.google.code.gson:gson:2.11.0", "57928d6e5a6edeb2abd3770a8f95ba44dce45f3b23b7a9dc2b309c581552a78b"),
)


def of_netty(jars):
    """Those jars of a set that Netty's event loops need."""
    names = ("netty-common", "netty-buffer", "netty-resolver", "netty-transport")
    return tuple(jar for jar in jars if jar[0].split(":")[1] in names)


NETTY_4_1 = of_netty(VERTX_4_SERVER)
NETTY_4_2 = of_netty(VERTX_SERVER)
