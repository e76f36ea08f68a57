# SPDX-License-Identifier: Apache-2.0
"""The policy for PlantedE2E: what the agent records is what the program does, and the collector keeps requests in which nothing
happened on their threads."""

EVENT = {"enabled": "true", "stackTrace": "true"}
POLICY = {
    **{f"jdk.{name}": {**EVENT, "threshold": "0 ns"} for name in
       ("JavaMonitorEnter", "ThreadPark", "SocketRead", "GCPhasePause", "SafepointBegin", "ExecuteVMOperation")},
    "jdk.ExecutionSample": {**EVENT, "period": "10 ms"},
    "jdk.ActiveSetting": {"enabled": "true"},
    "jdk.JVMInformation": {"enabled": "true", "period": "beginChunk"},
    "jdk.JavaExceptionThrow": EVENT,
    "planted.Request": {"select": "all"},
}
