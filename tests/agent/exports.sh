#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# exports.sh LIBRARY: nothing of the agent's can clash with what the application loads. It exports the
# functions that the JVM looks for and the variable that its copies share, and needs no library but the C library.
set -eu
expected='Agent_OnAttach
Agent_OnLoad
Agent_OnUnload
loupe_agent_claim'
found=$(nm -D --defined-only "$1" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort)
if [ "$found" != "$expected" ]; then
  echo "exported are: $found"
  exit 1
fi
needed=$(readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | grep -v -e '^libc\.so' -e '^ld-linux' || true)
if [ -n "$needed" ]; then
  echo "it needs $needed"
  exit 1
fi
