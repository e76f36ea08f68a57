# SPDX-License-Identifier: Apache-2.0
"""perfetto_judge.py PATH...: reads traces with the messages of Perfetto's own Python library, by the rules of its importer, and
prints an array with the processes, bars and arrows of each as JSON. It complains of all that the importer would count as an error or drop: a number of a text that is not
known, an end without a begin, bars that are open at the end or cross, an arrow that has not two ends or goes back in time."""

import json
import sys

from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as protos

CLEARED, NEEDED = protos.TracePacket.SEQ_INCREMENTAL_STATE_CLEARED, protos.TracePacket.SEQ_NEEDS_INCREMENTAL_STATE
BEGIN, END, INSTANT = (protos.TrackEvent.TYPE_SLICE_BEGIN, protos.TrackEvent.TYPE_SLICE_END, protos.TrackEvent.TYPE_INSTANT)
TEXTS = {"event_categories": "name", "event_names": "name", "debug_annotation_names": "name",
         "debug_annotation_string_values": "str", "function_names": "str"}


def need(condition, message):
    if not condition:
        sys.exit(message)


class Interned:
    """What has been interned so far, by kind and number."""

    def __init__(self):
        self.known = {}

    def add(self, data):
        for kind, field in TEXTS.items():
            for one in getattr(data, kind):
                text = getattr(one, field)
                self.put(kind, one.iid, text.decode() if isinstance(text, bytes) else text)
        for frame in data.frames:
            name = self.get("function_names", frame.function_name_id)
            self.put("frames", frame.iid, f"{name}:{frame.line_number}" if frame.line_number else name)
        for stack in data.callstacks:
            self.put("callstacks", stack.iid, [self.get("frames", one) for one in stack.frame_ids])

    def put(self, kind, iid, value):
        need(iid != 0 and (kind, iid) not in self.known, f"{kind} {iid}: again")
        self.known[kind, iid] = value

    def get(self, kind, iid):
        need((kind, iid) in self.known, f"{kind} {iid}: unknown")
        return self.known[kind, iid]


def read(trace):
    """The tracks by uuid, and the events as (time, event, interned) in the order of the importer: by time, else by file."""
    tracks, events, interned, is_cleared = {}, [], Interned(), False
    for packet in trace.packet:
        need(packet.trusted_packet_sequence_id == 1, "another sequence")
        is_cleared = is_cleared or bool(packet.sequence_flags & CLEARED)
        need(is_cleared and (packet.sequence_flags & NEEDED or not packet.HasField("track_event")), "no state")
        if packet.HasField("track_descriptor"):
            track = packet.track_descriptor
            need(track.uuid not in tracks, f"track {track.uuid} again")
            need(not track.parent_uuid or track.parent_uuid in tracks, f"track {track.uuid}: no parent")
            tracks[track.uuid] = track
        if packet.HasField("interned_data"):
            interned.add(packet.interned_data)
        if packet.HasField("track_event"):
            events.append((packet.timestamp, resolve(packet.track_event, tracks, interned)))
    return tracks, sorted(events, key=lambda item: item[0])


def resolve(event, tracks, interned):
    """An event as a dictionary, with what its numbers mean at this point of the file."""
    need(event.track_uuid in tracks, f"track {event.track_uuid}: unknown")
    made = {"type": event.type, "track": event.track_uuid}
    if event.type == END:
        return made
    args = {interned.get("debug_annotation_names", one.name_iid): value_of(one, interned) for one in event.debug_annotations}
    need(len(args) == len(event.debug_annotations), "an attribute twice")
    return made | {
        "name": interned.get("event_names", event.name_iid),
        "category": interned.get("event_categories", event.category_iids[0]),
        "stack": interned.get("callstacks", event.callstack_iid)[::-1] if event.HasField("callstack_iid") else None,
        "trace": event.correlation_id_str if event.HasField("correlation_id_str") else None,
        "args": args, "flows": list(event.flow_ids), "ends": list(event.terminating_flow_ids)}


def value_of(annotation, interned):
    kind = annotation.WhichOneof("value")
    if kind == "string_value_iid":
        return interned.get("debug_annotation_string_values", annotation.string_value_iid)
    return getattr(annotation, kind)


def find_process(tracks, uuid):
    track = tracks[uuid]
    if track.HasField("process"):
        return track
    if track.HasField("thread"):
        found = [one for one in tracks.values() if one.HasField("process") and one.process.pid == track.thread.pid]
        need(len(found) == 1, f"process {track.thread.pid}: {len(found)} times")
        return found[0]
    return find_process(tracks, track.parent_uuid)


def nest(tracks, events):
    """The bars, each with its times and the index of the bar around it."""
    bars, open_ = [], {uuid: [] for uuid in tracks}
    processes = {uuid: find_process(tracks, uuid).process.process_name for uuid in {event["track"] for _, event in events}}
    for time, event in events:
        stack = open_[event["track"]]
        if event["type"] == END:
            need(stack, f"an end at {time} of nothing")
            bar = bars[stack.pop()]
            bar["end"] = time
            continue
        track = tracks[event["track"]]
        thread = {"tid": track.thread.tid, "thread": track.thread.thread_name} if track.HasField("thread") else {
            "tid": None, "thread": track.name}
        bar = {**event, **thread, "process": processes[event["track"]], "begin": time, "end": time,
               "around": stack[-1] if stack else None}
        bars.append(bar)
        if event["type"] == BEGIN:
            stack.append(len(bars) - 1)
            bar["end"] = None
        else:
            need(event["type"] == INSTANT, f"an event of type {event['type']}")
    need(not any(open_.values()), "bars are open at the end")
    for bar in bars:
        around = None if bar["around"] is None else bars[bar["around"]]
        need(around is None or around["begin"] <= bar["begin"] <= bar["end"] <= around["end"], f"{bar} crosses {around}")
    return bars


def find_arrows(bars):
    """Each arrow as the indexes of the bars at its ends."""
    begun, arrows = {}, {}
    for index, bar in enumerate(bars):
        for flow in bar.pop("flows"):
            need(flow not in begun, f"arrow {flow} begins twice")
            begun[flow] = index
        for flow in bar.pop("ends"):
            need(flow in begun and flow not in arrows, f"arrow {flow} ends before it begins, or twice")
            need(bars[begun[flow]]["begin"] < bar["begin"], f"arrow {flow} goes back")
            arrows[flow] = [begun[flow], index]
    need(set(begun) == set(arrows), f"{len(begun)} arrows begin, {len(arrows)} end")
    return list(arrows.values())


def judge(path):
    with open(path, "rb") as file:
        trace = protos.Trace.FromString(file.read())
    need(trace.packet and trace.packet[0].HasField("clock_snapshot"), "no clocks")
    clocks = {one.clock_id: one.timestamp for one in trace.packet[0].clock_snapshot.clocks}
    need(set(clocks) == {protos.BUILTIN_CLOCK_REALTIME, protos.BUILTIN_CLOCK_BOOTTIME} and len(set(clocks.values())) == 1, "clocks")
    tracks, events = read(trace)
    pids = [one.process.pid for one in tracks.values() if one.HasField("process")]
    need(len(set(pids)) == len(pids), "a process twice")
    threads = [(one.thread.pid, one.thread.tid) for one in tracks.values() if one.HasField("thread")]
    need(len(set(threads)) == len(threads), "a thread twice")
    bars = nest(tracks, events)
    arrows = find_arrows(bars)
    return {"processes": [one.process.process_name for one in tracks.values() if one.HasField("process")], "bars": bars,
            "arrows": arrows}


def main():
    found = []
    for path in sys.argv[1:]:
        try:
            found.append(judge(path))
        except SystemExit as problem:
            sys.exit(f"{path}: {problem}")
    print(json.dumps(found))


main()
