# SPDX-License-Identifier: Apache-2.0
"""Promised: in a download with sample-contexts=true, and in what `loupe compact --sample-contexts` makes of one without,
`jfr print` of JDK 25 shows the contexts at jdk.ExecutionSample too, and none outside of contexts. In a download without,
samples have the fields that JFR gave them. Of contextual JFR events `jfr print` shows all attributes: of a type that is
contextual as a whole, and of one that the policy makes contextual; and so it does of a slice. In a download or a slice with context-style=fields or ref
each event shows its contexts, of the types that an annotation or the policy chooses.

A thread is busy inside four contexts until it has been sampled there, then outside of any.
"""

import argparse
import collections
import subprocess

from support import elimination, judge, printed
from support.jfrbytes import chunks
from support.process import LOUPE, Collector, check, jfr, need_jdk, run

ORDER = [("e2e_order", "id", "4711"), ("e2e_order", "text", '"sampled"'), ("e2e_order", "amount", "1.5"),
         ("e2e_order", "priority", "0")]
SPAN = [("Span", "id", "12"), ("Span", "root", "false"), ("Span", "name", '"busy"')]
WHOLE = [("Whole", "number", "-1"), ("Whole", "text", '"all of it"')]
STAGE = [("Stage", "step", "3")]
LINES = {"e2e_order": ORDER, "e2e.Span": SPAN, "e2e.Whole": WHOLE, "e2e.Stage": STAGE}
# Of the JVM itself: a collector's has the JVM begin a chunk, which would end contexts in the midst of them.
POLICY = {"e2e.Stage": {"contextual": "true", "withContext": "true"},
          "jdk.ExecutionSample": {"enabled": "true", "period": "10 ms"}, "jdk.ThreadStart": {"enabled": "true"}}
FIELDS = ["startTime", "sampledThread", "stackTrace", "state"]
NOT_COMPARED = ("grade",)  # a NUL character


def scenario_of(feature):
    def body(scenario):
        need_jdk(25)
        collector = Collector(scenario)
        policy = elimination.write_policy(scenario.path("policy.jfc"), POLICY)
        collector.start()
        jvm = scenario.jvm(feature, "SampledE2E", agent=scenario.agent_options(collector, "sampled", policy=policy))
        jvm.wait_exit(120)
        recording = collector.recording("sampled")
        plain = collector.download(recording, scenario.path("plain.jfr"))
        path = collector.download(recording, scenario.path("download.jfr"), "?sample-contexts=true")
        made = scenario.path("made.jfr")
        done = elimination.compact(plain, made, more=("--sample-contexts",))
        check(done.returncode == 0, f"compact: {done.stderr}")
        check(sample_fields(plain) == FIELDS, f"fields: {sample_fields(plain)}")
        cut = scenario.path("slice.jfr")
        slicing = subprocess.run([LOUPE, "slice", made, "-o", cut], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                 timeout=elimination.LIMIT_S, check=False)
        check(slicing.returncode == 0, f"slice: {slicing.stdout}")
        check_contexts(judge.dump(cut))
        check(check_print(cut, judge.dump(cut))[0] > 0, "no samples in the slice")
        for recorded in (path, made):
            check(sample_fields(recorded) == [*FIELDS, "eventThread"], f"fields: {sample_fields(recorded)}")
            events = judge.dump(recorded)
            check_contexts(events)
            inside, outside = check_print(recorded, events)
            check(inside > 0 and outside > 0, f"{inside} samples inside the contexts, {outside} outside")
            print(f"samples with context {inside}, without {outside}")
        check_styles(scenario, collector, recording, plain)
        check(seen(path) == seen(made), "a download and compact do not give the same events")
        collector.stop()
    return body


def check_styles(scenario, collector, recording, plain):
    """In a download in another style, events show the contexts that the oracle finds in the one without."""
    outputs = []
    for style in (elimination.FIELDS, elimination.REF):
        path = scenario.path(f"{style}.jfr")
        query = f"?context-style={style}"
        collector.download(recording, path, query)
        tag = collector.get(f"/api/v1/recordings/{recording}.jfr{query}", method="HEAD").headers["ETag"]
        check(tag not in [other[3] for other in outputs], f"{style} has the ETag of another style")
        outputs.append((style, elimination.DEFAULT, path, tag))
    status, report = elimination.judge(plain, [output[:3] for output in outputs])
    check(status == 0, f"{status}\n{report}")
    both = collector.download(recording, scenario.path("both.jfr"), "?context-style=fields&sample-contexts=true")
    check(sample_fields(both)[:5] == [*FIELDS, "eventThread"] and len(sample_fields(both)) > 5, f"{sample_fields(both)}")
    for name, shows in (("e2e.Whole", True), ("e2e.Stage", True), ("e2e_order", False), ("jdk.ThreadStart", True)):
        check(("Span_id" in fields_of(both, name)) == shows, f"{name}: {fields_of(both, name)}")
    slices = [keep(scenario, f"slice-{style}.jfr", collector.get(f"/api/v1/slice.jfr?context-style={style}"))
              for style in elimination.STYLES]
    status, report = elimination.judge(slices[0], [(style, elimination.DEFAULT, path)
                                                   for style, path in zip(elimination.STYLES[1:], slices[1:])])
    check(status == 0, f"slices: {status}\n{report}")
    answer = collector.get(f"/api/v1/recordings/{recording}.jfr?context-style=constants")
    check(answer.status == 400 and b"context-style 'constants': not one of events, fields, ref" in answer.body, f"{answer}")


def keep(scenario, name, answer):
    check(answer.status == 200, f"{name}: {answer.status} {answer.body[:300]}")
    with open(scenario.path(name), "wb") as file:
        file.write(answer.body)
    return scenario.path(name)


def sample_fields(path):
    return fields_of(path, "jdk.ExecutionSample")


def fields_of(path, name):
    with open(path, "rb") as file:
        found = [[field.name for field in described.fields] for chunk in chunks(file.read())
                 for described in chunk.types.values() if described.name == name]
    check(found and found.count(found[0]) == len(found), f"{name} has the fields {found}")
    return found[0]


def seen(path):
    """All events as the JDK's reader shows them."""
    return sorted((event.key(), sorted(event.values.items())) for event in judge.dump(path, ""))


def check_contexts(events):
    kinds = collections.Counter(e.type for e in events if e.is_contextual)
    check(kinds == dict.fromkeys(LINES, 1), f"contexts: {kinds}")
    order = next(e for e in events if e.type == "e2e_order")
    check(order.values["id"] == "4711" and order.values["text"] == "=sampled", f"attributes: {order.values}")


def check_print(path, events):
    """Every event of every type: its Context: lines are those of the contexts open on its thread when it ended."""
    contexts = [e for e in events if e.is_contextual]
    expected = collections.Counter()
    for event in events:
        if not event.is_contextual:
            expected[event.type, clock(event), lines_for(event, contexts)] += 1
    found = collections.Counter()
    for event in printed.parse(jfr("print", "--exact", path)):
        if event.type not in LINES and event.type not in judge.ADDED:
            lines = tuple(sorted(line for line in event.contexts if line[1] not in NOT_COMPARED))
            found[event.type, event.fields["startTime"].split(" ")[0], lines] += 1
    check(found == expected, f"printed: {judge.diff(expected.elements(), found.elements())}")
    samples = [e for e in events if e.type == "jdk.ExecutionSample"]
    inside = sum(1 for e in samples if lines_for(e, contexts))
    return inside, len(samples) - inside


def clock(event):
    """The start as jfr print --exact shows it: nine digits behind the second."""
    second, _, fraction = event.start_text[:-1].split("T")[1].partition(".")
    second = second if second.count(":") == 2 else second + ":00"
    return f"{second}.{fraction.ljust(9, '0')}"


# Not a word for types without a thread of their own.
def lines_for(event, contexts):
    lines = []
    for context in contexts:
        if context.thread == event.thread and context.start <= event.commit <= context.commit:
            lines += LINES[context.type]
    return tuple(sorted(lines))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    args = parser.parse_args()
    run(f"sampled-{args.jdk}", scenario_of(args.jdk))


main()
