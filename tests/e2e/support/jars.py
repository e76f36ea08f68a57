# SPDX-License-Identifier: Apache-2.0
"""Other people's jars (scripts/jars.py), for tests that are skipped where they cannot be had."""

import os
import sys

from support.process import skip

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "..", "..", "..", "scripts"))

from jar_sets import GRPC_SERVER, JAEGER, KAFKA, NETTY_4_1, NETTY_4_2, QUARTZ, SPRING_QUARTZ, VERTX_4_SERVER, VERTX_SERVER
from jar_sets_reactive import KOTLIN, KOTLIN_COMPILER
from jars import (ASYNC_PROFILER, COROUTINES_APPLICATION, JMC, LOG4J, LOGBACK, OTEL_AGENT, OTEL_SDK, POSTGRES, SLF4J, SPRING_APPLICATION,
                  SPRING_TX, TOMCAT, WEBFLUX_APPLICATION, Missing, class_path)


def need(jars):
    """The class path of the jars; skips the test where they cannot be had."""
    try:
        return class_path(jars)
    except Missing as problem:
        return skip(str(problem))
