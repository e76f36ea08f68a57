# SPDX-License-Identifier: Apache-2.0
"""The kinds of recordings that people have. What is fast on one of them may be slow on another."""

import dataclasses
import os

from measuring import inputs, spring
from measuring.run import Failed, warm
from support import corpus, process

SPARSE, DENSE, OVERLAPPING = "sparse", "dense", "overlapping"
REAL, APPLICATION, JOINED = "real", "application", "joined"
ALL = (SPARSE, DENSE, OVERLAPPING, REAL, APPLICATION, JOINED)

SPARSE_MB, LARGE_MB, HUGE_MB = 100, 1000, 10_000
SPARSE_SHARE = 0.03  # of requests that make a query
DENSE_MB, DENSE_SHARE = 170, 0.35
OVERLAPPING_MB, OVERLAPPING_SHARES = 140, (0.1, 0.3)  # of requests that make a query, and that end late
REAL_BYTES_MIN = 400_000
APPLICATION_MB, APPLICATION_JDKS = 60, (17, 25)
CUT_BYTES_MIN = 10_000_000

CONTEXTS = ("bench.Request", "bench.Step")  # the contextual types of MakeRecording
CALL = "bench.Call"  # the same, if contexts overlap
SETTINGS = ("jdk.ActiveSetting",)


@dataclasses.dataclass
class Input:
    """Recordings that are read in one go, one after the other, each by a process of its own."""
    kind: str
    name: str
    recordings: list
    droppable: tuple  # the types that jfr scrub drops
    start: inputs.Recording = None  # next to nothing: the time for it is deducted from that for each of the others
    rounds: int = 1  # how many for each of the others'
    has_readers: bool = False
    is_joined: bool = False  # of many JVMs in one file

    def __post_init__(self):
        self.bytes = sum(one.bytes for one in self.recordings)
        self.chunks = sorted(size for one in self.recordings for size in one.chunks)

    def __str__(self):
        middle, largest = self.chunks[len(self.chunks) // 2], self.chunks[-1]
        recordings = f"{len(self.recordings)} recordings, " if len(self.recordings) > 1 else ""
        return (f"{self.name}: {recordings}{self.bytes / 1e6:,.0f} MB, {len(self.chunks)} chunks "
                f"(median {middle / 1e6:.1f} MB, largest {largest / 1e6:.1f} MB)")

    def pieces(self):
        """As much of it as can be looked at thoroughly."""
        return self.recordings if self.kind == REAL else [inputs.cut(one, CUT_BYTES_MIN) for one in self.recordings]


def of(kind, work, jdk):
    """What is measured of a kind."""
    return {SPARSE: sparse, DENSE: dense, OVERLAPPING: overlapping, REAL: real, APPLICATION: application,
            JOINED: joined}[kind](work, jdk)


def sparse(work, jdk, megabytes=SPARSE_MB):
    recording = inputs.make(work, jdk, SPARSE, megabytes, SPARSE_SHARE)
    is_large = megabytes > SPARSE_MB
    return [Input(SPARSE, "sparse, large" if is_large else SPARSE, [recording], CONTEXTS, has_readers=not is_large)]


def dense(work, jdk):
    return [Input(DENSE, DENSE, [inputs.make(work, jdk, DENSE, DENSE_MB, DENSE_SHARE)], CONTEXTS)]


def overlapping(work, jdk):
    recording = inputs.make(work, jdk, OVERLAPPING, OVERLAPPING_MB, *OVERLAPPING_SHARES)
    return [Input(OVERLAPPING, OVERLAPPING, [recording], (*CONTEXTS, CALL))]


def real(work, _):
    """Those of the corpus, each alone, and joined: of many JVMs, whose terms have to become common ones."""
    found = unpacked(work)
    large = [recording for recording in found if recording.bytes >= REAL_BYTES_MIN]
    if not large:
        raise Failed(f"no recording of over {REAL_BYTES_MIN:,} bytes in {corpus.FOLDER}")
    together = inputs.join(large, os.path.join(work, "real-joined.jfr"))
    for recording in [*large, together, found[0]]:
        warm(recording.path)
    return [Input(REAL, REAL, large, SETTINGS, start=found[0], rounds=2),
            Input(REAL, "real, joined", [together], SETTINGS, start=found[0], rounds=2, is_joined=True)]


def unpacked(work):
    """The whole recordings of the corpus, the smallest first."""
    if not os.path.isdir(corpus.FOLDER):
        raise Failed(f"no real recordings: neither LOUPE_CORPUS nor {corpus.FOLDER}")
    folder = os.path.join(work, REAL)
    os.makedirs(folder, exist_ok=True)
    found = [inputs.Recording(unpack(path, folder)) for path in corpus.recordings()]
    return sorted(filter(is_whole, found), key=lambda recording: recording.bytes)


def unpack(path, folder):
    name = os.path.relpath(path, corpus.FOLDER).replace(os.sep, "-").removesuffix(".gz")
    return corpus.unpack(path, os.path.join(folder, name))


def is_whole(recording):
    return recording.chunks and sum(recording.chunks) == recording.bytes


def application(work, _):
    """A service of Spring Boot under load, on each JDK that is here."""
    features = [feature for feature in APPLICATION_JDKS if process.jdk_home(feature)]
    if not features:
        raise Failed(f"none of JDK {APPLICATION_JDKS} is under /usr/lib/jvm")
    return [Input(APPLICATION, f"application, JDK {feature}", [spring.make(work, feature, APPLICATION_MB)], SETTINGS)
            for feature in features]


def joined(work, jdk):
    """The first chunks of the other kinds' recordings in one file: JVMs that have little in common."""
    pieces = []
    for kind in (SPARSE, DENSE, OVERLAPPING, APPLICATION, REAL):
        try:
            found = of(kind, work, jdk)
        except Failed as problem:
            print(f"joined is without {kind}: {problem}")
            continue
        apart = [recording for one in found if not one.is_joined for recording in one.recordings]
        pieces += [inputs.cut(recording, CUT_BYTES_MIN) for recording in apart]
    together = inputs.join(pieces, os.path.join(work, "joined.jfr"))
    warm(together.path)
    return [Input(JOINED, JOINED, [together], (*CONTEXTS, CALL, *SETTINGS), is_joined=True)]
