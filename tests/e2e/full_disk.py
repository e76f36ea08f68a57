# SPDX-License-Identifier: Apache-2.0
"""Promised: where the disk is nearly full, batches are put off, and everything else goes on; when there is room again, so
do they, and nothing is lost.

A JVM that numbers its events and contexts runs while something else fills the collector's file system. Its download and
questions about it are answered all the while. No other recording begins, and a collector that is killed and started goes on with
this one. Then there is room again. In the end each number is there exactly once, and
no loss is counted.

--of bytes:  of a file system in memory the bytes are used up, but for a part of the reserve
--of inodes: of an ext4 with few inodes these are, to the last one; all-inodes: the same without a reserve
"""

import argparse
import os
import shutil
import subprocess
import tempfile

from support import sequence, wire
from support.process import LIMIT_S, Collector, check, run, skip, wait_for
from support.wire import bytes_field, number_field

DISK_MB = 96
RESERVE_MB = 8
INODES = 400


def system(*command):
    # Where only root has /usr/sbin in its path.
    path = ":".join((os.environ.get("PATH", os.defpath), "/usr/sbin", "/sbin"))
    program = shutil.which(command[0], path=path)
    if program is None:
        skip(f"{command[0]} is not there, which makes a small file system")
    done = subprocess.run([program, *command[1:]], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=LIMIT_S, check=False)
    if done.returncode != 0:
        skip(f"no file system can be mounted here: {' '.join(command)}: {done.stdout.decode().strip()}")


class Bytes:
    """A disk on which bytes are what is short."""
    reason = "MB of the disk are free"

    def __init__(self, path):
        self.path = path
        self.filler = os.path.join(path, "filler")

    def mount(self):
        system("mount", "-t", "tmpfs", "-o", f"size={DISK_MB}m", "none", self.path)

    def free_mb(self):
        found = os.statvfs(self.path)
        return found.f_bavail * found.f_frsize / (1 << 20)

    def fill(self):
        """Leaves half of the reserve."""
        with open(self.filler, "wb") as file:
            while self.free_mb() > RESERVE_MB / 2:
                file.write(bytes(1 << 16))
                file.flush()

    def has_room(self):
        return self.free_mb() > 1

    def empty(self):
        os.unlink(self.filler)


class Inodes(Bytes):
    """One on which these are: as many files are made as it takes."""
    reason = "inodes of the disk are free"

    def mount(self):
        with open(self.path + ".image", "wb") as file:
            file.truncate(DISK_MB << 20)
        system("mkfs.ext4", "-q", "-F", "-N", str(INODES), self.path + ".image")
        system("mount", "-o", "loop", self.path + ".image", self.path)

    def free(self):
        return os.statvfs(self.path).f_favail

    def fill(self, left=INODES // 16):
        os.makedirs(self.filler, exist_ok=True)
        while self.free() > left:
            os.close(tempfile.mkstemp(dir=self.filler)[0])

    def has_room(self):
        return self.free() > 0

    def empty(self):
        shutil.rmtree(self.filler)


def metric(collector, name):
    lines = collector.get("/metrics").body.decode().splitlines()
    return next(int(line.split()[-1]) for line in lines if line.startswith(name + " "))


def not_ready(collector):
    answer = collector.get("/readyz")
    return answer if answer.status == 503 else None


def check_short(scenario, collector, disk, recording):
    """Batches are put off, and everything else goes on."""
    disk.fill()
    wait_for("batches that are put off", lambda: metric(collector, "loupe_batches_without_disk_total") > 0)
    check(metric(collector, "loupe_disk_short") == 1, "batches are put off, and loupe_disk_short is not 1")
    error = wait_for("a collector that is not ready", lambda: not_ready(collector)).json()["error"]
    check("--reserve" in error and disk.reason in error and "/" not in error, f"/readyz: {error}")
    collector.download(recording, scenario.path("while.jfr"))
    answer = collector.get("/api/v1/contexts")
    check(answer.status == 200 and answer.json()["left_out"]["chunks"] == 0, f"a question: {answer.body[:300]}")
    check(disk.has_room(), "the reserve is used up")
    check_hellos(collector)


def check_hellos(collector):
    """A new recording does not begin; one that is known goes on when the collector has started again."""
    connection = wire.Connection(collector.agents)
    stranger = bytes_field(1, bytes(16)) + bytes_field(2, b"stranger")
    answer = wire.reply(connection.ask(number_field(1, wire.VERSION) + bytes_field(2, stranger)))
    check(answer["status"] == wire.BUSY and b"of the disk are free" in answer["message"], f"a new session: {answer}")
    connection.close()
    check(len(collector.recordings()) == 1, "a recording began where the disk is nearly full")
    collector.kill()
    collector.start(readiness=503)
    wait_for("an agent that is known again", lambda: metric(collector, "loupe_hellos_total") > 0)
    wait_for("its batches that are put off", lambda: metric(collector, "loupe_batches_without_disk_total") > 0)


def check_no_inodes(collector, disk, has_reserve):
    """Not one file can be made any more, and that is said."""
    expected = "only 0 inodes" if has_reserve else "no inodes left on device"

    def says_why():
        disk.fill(0)  # the last journals may have gone meanwhile
        answer = not_ready(collector)
        return answer and expected in answer.json()["error"]
    wait_for("a collector that says what is used up", says_why)
    check(collector.get("/api/v1/recordings").status == 200, "no list of recordings")


def follow(scenario, feature, disk, has_reserve):
    collector = Collector(scenario)
    collector.data = os.path.join(disk.path, "data")
    collector.env = {"LOUPE_RESERVE": f"{RESERVE_MB if has_reserve else 0}M"}
    collector.start()
    stop = scenario.path("stop")
    agent = scenario.agent_options(collector, "full", segment=2)
    jvm = scenario.jvm(feature, "SequenceE2E", "3000", f"until:{stop}", agent=agent)
    recording = collector.recording("full")
    collector.wait_for_growth(recording, 2)
    if has_reserve:
        check_short(scenario, collector, disk, recording)
    if isinstance(disk, Inodes):
        check_no_inodes(collector, disk, has_reserve)
    if not has_reserve:
        wait_for("a journal that cannot be made", lambda: metric(collector, "loupe_journal_write_errors_total") > 0)
    disk.empty()
    wait_for("batches that are taken again", lambda: metric(collector, "loupe_disk_short") == 0)
    wait_for("a collector that is ready", collector.is_ready)
    collector.wait_for_growth(recording)
    with open(stop, "w", encoding="ascii"):
        pass
    jvm.wait_exit()
    ticks, first_context = sequence.last_words(jvm)
    path = collector.download(recording, scenario.path("end.jfr"))
    sequence.check_complete(path, ticks, first_context)
    losses = collector.get(f"/api/v1/recordings/{recording}").json()["losses"]
    check(not any(losses.values()), f"losses: {losses}")
    collector.stop()
    text = scenario.log_of("collector")
    begins, ends = (2, 1) if has_reserve else (0, 0)  # it was started again in between
    check(text.count("batches of agents are put off") == begins and text.count("batches are taken again") == ends,
        "the log does not have a line for the begin and one for the end")
    check(has_reserve or "no inodes left on device" in text, "the log does not say what is used up")


def with_disk(scenario, feature, kind, has_reserve=True):
    if os.geteuid() != 0:
        skip("only root can mount a small file system")
    disk = kind(scenario.path(f"disk-{kind.__name__}-{has_reserve}"))
    os.mkdir(disk.path)
    disk.mount()
    try:
        follow(scenario, feature, disk, has_reserve)
    finally:
        subprocess.run(["umount", "-l", disk.path], timeout=LIMIT_S, check=False)


def body(options, scenario):
    if options.of == "bytes":
        with_disk(scenario, options.jdk, Bytes)
    else:
        with_disk(scenario, options.jdk, Inodes, has_reserve=options.of == "inodes")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    parser.add_argument("--of", choices=("bytes", "inodes", "all-inodes"), required=True)
    options = parser.parse_args()
    run(f"full-disk-{options.of}-{options.jdk}", lambda scenario: body(options, scenario))


main()
