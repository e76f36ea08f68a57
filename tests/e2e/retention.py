# SPDX-License-Identifier: Apache-2.0
"""Promised: chunks go while the JVM runs, the first ones first, and the limit holds; a download that began before is not
cut; what is left can be downloaded and says what went; a recording is removed on demand, when it has ended, and by who is on
the collector's machine. Raw data of all its chunks is there until then, as the metrics say, and `loupe fsck` finds it whole.
"""

import argparse
import glob
import http.client
import os
import socket

from support import judge
from support.process import LIMIT_S, Collector, HeldPort, check, run, wait_for

KEPT_BYTES = 400_000


def metric(collector, name):
    lines = collector.get("/metrics").body.decode().splitlines()
    return next(int(line.split()[-1]) for line in lines if line.startswith(name + " "))


def stored(collector):
    return metric(collector, 'loupe_stored_bytes{state="kept"}')


def check_raw(collector, recording, chunk_count):
    """The journals of all chunks, expired ones included, are kept, and count as the files that they are."""
    directory = os.path.join(collector.data, "recall", recording)
    wait_for("raw data", lambda: not glob.glob(os.path.join(collector.data, "journal", recording, "*.log")))
    kept = {int(name.removesuffix(".log")) for name in os.listdir(directory)}
    check(kept >= set(range(chunk_count)), f"raw data of {kept} of {chunk_count} chunks")
    size = sum(os.path.getsize(os.path.join(directory, name)) for name in os.listdir(directory))
    check(metric(collector, "loupe_recall_bytes") == size, f"loupe_recall_bytes, of {size}")
    check(metric(collector, "loupe_recall_unsealed_total") == 0, "a chunk cannot be compacted again")


def show(collector, recording):
    return collector.get(f"/api/v1/recordings/{recording}").json()


def begin_download(collector, recording):
    """A download of which one byte was read."""
    connection = http.client.HTTPConnection("127.0.0.1", collector.http_port, timeout=LIMIT_S)
    connection.request("GET", f"/api/v1/recordings/{recording}.jfr")
    answer = connection.getresponse()
    check(answer.status == 200, f"download: {answer.status}")
    return connection, answer, answer.read(1)


def other_address():
    """An address of this machine that is no loopback address; None where it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        try:
            sender.connect(("192.0.2.255", 9))  # sends nothing
        except OSError:
            return None
        address = sender.getsockname()[0]
    return None if address.startswith("127.") else address


def check_refused(collector, recording):
    """Who comes by another address than a loopback one may ask, and remove nothing."""
    address = other_address()
    if address is None:
        return
    path = f"/api/v1/recordings/{recording}"
    check(collector.get(path, host=address).status == 200, f"nothing can be asked at {address}")
    refused = collector.get(path, method="DELETE", host=address)
    check(refused.status == 403, f"DELETE at {address}: {refused.status}")
    check(collector.get(path).status == 200, "it was removed from elsewhere")


def body_of(feature):
    def body(scenario):
        collector = Collector(scenario)
        collector.http_host = "0.0.0.0"
        collector.ports = collector.ports[0], HeldPort(collector.http_host)  # so that no other address has it
        collector.http_port = collector.ports[1].number
        collector.divisor = 1  # a download of which nothing is read for a while goes on
        collector.env = {"LOUPE_KEEP_BYTES": str(KEPT_BYTES), "LOUPE_INSECURE": "1", "LOUPE_RECALL": "15m"}
        collector.start()
        stop = scenario.path("stop")
        agent = scenario.agent_options(collector, "kept", segment=1)
        jvm = scenario.jvm(feature, "SequenceE2E", "3000", f"until:{stop}", agent=agent)
        recording = collector.recording("kept")
        wait_for("two chunks", lambda: len(show(collector, recording)["chunks"]) >= 2)
        connection, answer, first = begin_download(collector, recording)
        expired = wait_for("chunks that go", lambda: show(collector, recording)["expired_chunks"])
        wait_for("no more stored than is kept", lambda: stored(collector) <= KEPT_BYTES)  # a chunk may have just come
        check(collector.get(f"/api/v1/recordings/{recording}", method="DELETE").status == 409,
            "a running recording can be removed")
        everything = first + answer.read()
        check(len(everything) == int(answer.headers["Content-Length"]), "a download was cut")
        connection.close()
        path = scenario.path("before.jfr")
        with open(path, "wb") as file:
            file.write(everything)
        check(judge.dump(path), "nothing can be read of the download")
        wait_for("more that go", lambda: show(collector, recording)["expired_chunks"] > expired)
        with open(stop, "w", encoding="ascii"):
            pass
        jvm.wait_exit()
        wait_for("the end", lambda: not show(collector, recording)["is_running"])
        found = show(collector, recording)
        check(found["chunks"][0]["ordinal"] == found["expired_chunks"], f"other chunks went than the first ones: {found}")
        check(found["chunks"][0]["start"] == found["kept_from"], f"kept_from: {found}")
        check(not any(found["losses"].values()), f"losses: {found['losses']}")
        wait_for("their files to go", lambda: len(glob.glob(os.path.join(collector.data, "chunks", recording, "*.zst")))
            == len(show(collector, recording)["chunks"]))
        check(judge.dump(collector.download(recording, scenario.path("after.jfr"))), "nothing is left")
        check_refused(collector, recording)
        check_raw(collector, recording, found["chunks"][-1]["ordinal"] + 1)
        collector.kill()
        collector.start()
        check_raw(collector, recording, found["chunks"][-1]["ordinal"] + 1)
        check(collector.get(f"/api/v1/recordings/{recording}", method="DELETE").status == 204, "it is not removed")
        check(collector.get(f"/api/v1/recordings/{recording}").status == 404, "it is still there")
        check(not collector.recordings(), "it is still in the list")
        for folder in "chunks", "recall":
            wait_for("its files to go", lambda: not os.path.exists(os.path.join(collector.data, folder, recording)))
        wait_for("no raw data to count", lambda: metric(collector, "loupe_recall_bytes") == 0)
        collector.stop()
    return body


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    args = parser.parse_args()
    run(f"retention-{args.jdk}", body_of(args.jdk))


main()
