# SPDX-License-Identifier: Apache-2.0
"""Promised: the command line. Exit status 0, 1 or 2; --help of every subcommand, also as `loupe help`; shells complete every
command and option; `loupe compact` never touches its
input, reads standard input, gzip, lz4 and zstd, and replaces its output in one step; of a damaged recording it writes
what the intact chunks give, and nothing with --strict; `loupe summary` says what `jfr summary` says, and what was
dropped of a recording that Loupe wrote. No path and no argument can speak to the terminal.
`loupe open` serves all that is in a recording, starts a browser, which outlives it, and leaves no file, however it ends.
An input that is truncated while it is read is an error, and leaves no output; so is an output that may not grow.
"""

import bz2
import collections
import errno
import functools
import gzip
import hashlib
import io
import json
import lzma
import os
import re
import resource
import shutil
import signal
import stat
import subprocess
import urllib.parse
import urllib.request
import zipfile

from support import chunks, judge
from support.process import LIMIT_S, LOUPE, NEWEST, check, jfr, need_jdk, run, wait_for


# Not events to anyone but a reader of the format.
BUILT_IN = ("jdk.Metadata", "jdk.Checkpoint")
FILE_BYTES_MAX = 4096  # less than any output has


def loupe(*arguments, stdin=None, **options):
    feed = {"input": stdin} if stdin is not None else {"stdin": subprocess.DEVNULL}
    return subprocess.run([LOUPE, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120,
                          check=False, **feed, **options)


def expect(status, *arguments, **options):
    done = loupe(*arguments, **options)
    check(done.returncode == status,
          f"loupe {arguments}: status {done.returncode}, not {status}: {done.stderr.decode('utf-8', 'replace')[:500]}")
    return done


@functools.cache
def help_of(*command):
    return expect(0, *command, "--help").stdout.decode()


def listed_in_help(*command):
    """The names at the beginning of the lines of --help: commands, or options with their letters."""
    text = help_of(*command)
    return {name for line in re.findall(r"^  (?! )(.+)$", text, re.MULTILINE)
            for name in re.findall(r"(?:^|, )(-?-?[A-Za-z][a-z-]*)", line.split("  ")[0])}


def check_program_alone(scenario):
    """Without the file of the collector's commands, others work, and the collector's say which file is missing."""
    alone = scenario.path("alone/bin/loupe")
    os.makedirs(os.path.dirname(alone))
    shutil.copy(LOUPE, alone)
    for status, command in ((0, "summary"), (1, "collect"), (1, "health")):
        done = subprocess.run([alone, command, "--help"], capture_output=True, text=True, timeout=120, check=False)
        missing = "lib/loupe/loupe-whole: No such file or directory" in done.stderr
        check(done.returncode == status and missing == (status == 1), f"{command} of a program alone: {done}")


def check_usage():
    commands = {name for name in listed_in_help() if not name.startswith("-")}
    check(len(commands) > 15, f"--help names {commands}")
    for name in commands:
        text = help_of(name)
        check("usage" in text.lower() and name in text, f"{name} --help: {text[:200]}")
        check(not re.search(r" $", text, re.MULTILINE), f"{name} --help has blanks at the ends of lines")
        wrong = expect(2, name, "--no-such-option")
        check(wrong.stderr and not wrong.stdout, f"{name} --no-such-option says nothing on standard error")
    for arguments in ((), ("nonsense",), ("compact",), ("compact", "in.jfr"), ("compact", "-o", "out.jfr"),
                      ("summary",), ("contexts",), ("why",), ("flamegraph",), ("slice",), ("slice", "x.jfr"), ("collect", "surplus"), ("health", "surplus"), ("fsck", "surplus"), ("compare", "--base-from", "1h", "surplus"), ("health", "--http", "7412"), ("policy",), ("policy", "check"), ("policy", "nonsense", "x.jfc")):
        expect(2, *arguments)
    for arguments, said in ((("compact", "--json", "-xo", "out"), "'-x' is not an option"),
                            (("compact", "--json", "-s"), "'-s' is not an option"),
                            (("compact", "--threads=4", "-tx"), "'-t' is not an option"),
                            (("compact", "--strict=foo"), "'--strict=foo' takes no argument"),
                            (("compact", "--help=foo", "-o"), "'--help=foo' takes no argument"),
                            (("compact", "--st=foo", "-s"), "'--st=foo' takes no argument"),
                            (("compact", "--json", "--bogus=1", "-x"), "'--bogus=1' is not an option"),
                            (("compact", "--json", "-o"), "'-o' needs an argument"),
                            (("compact", "in.jfr", "--output"), "'--output' needs an argument"),
                            (("collect", "--data", "d", "-xd"), "'-x' is not an option"),
                            (("policy", "--help=foo"), "'--help=foo' takes no argument"),
                            (("summary", "--json=foo"), "'--json=foo' takes no argument")):
        done = expect(2, *arguments)
        first = done.stderr.decode().split("\n", maxsplit=1)[0]
        check(first == f"loupe {arguments[0]}: {said}", f"{arguments}: {first!r}, not {said!r}")


def check_about():
    """`loupe help`, `loupe version` and what stands for them."""
    version = expect(0, "--version").stdout
    check(re.fullmatch(rb"loupe \d+\.\d+\.\d+\S*\n", version), f"--version: {version}")
    check(version == expect(0, "-V").stdout == expect(0, "version").stdout, "-V and `loupe version` say something else")
    check(expect(0, "help").stdout.decode() == help_of(), "`loupe help` is not --help")
    for name in ("collect", "why", "help"):
        check(expect(0, "help", name).stdout.decode() == help_of(name), f"`loupe help {name}` is not {name} --help")
    for arguments in (("help", "nonsense"), ("help", "why", "hot"), ("version", "x"), ("completion",), ("completion", "csh")):
        done = expect(2, *arguments)
        check(done.stderr and not done.stdout, f"{arguments}")


# Prints what bash offers for the last of the words; where that is names of files, FILES or DIRS.
BASH = """source "$1"; shift
compopt() { case $2 in default) echo FILES ;; dirnames) echo DIRS ;; esac; }
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _loupe; printf '%s\\n' "${COMPREPLY[@]}"
"""


def run_shell(*command, stdin=None):
    done = subprocess.run(command, input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=LIMIT_S, check=False)
    check(done.returncode == 0 and not done.stderr, f"{command[0]}: {done.stderr.decode()[:500]}")
    return done.stdout.decode()


def complete_in_bash(script, *words):
    return set(run_shell("bash", "-c", BASH, "bash", script, "loupe", *words).split())


def complete_in_fish(script, *words):
    text = run_shell("fish", "--no-config", "-c", f"source {script}; complete -C '{' '.join(('loupe', *words))}'")
    return {line.split("\t")[0] for line in text.splitlines()}


def check_completion(scenario):
    """Shells offer each command, and of each its options, as --help has them, and the values of those that have few."""
    for shell, complete in (("bash", complete_in_bash), ("fish", complete_in_fish)):
        if shutil.which(shell) is None:
            continue
        script = scenario.path(f"completion.{shell}")
        with open(script, "wb") as file:
            file.write(expect(0, "completion", shell).stdout)
        commands = {name for name in listed_in_help() if not name.startswith("-")}
        found = complete(script, "")
        check(len(commands) > 15 and found == commands, f"{shell}: commands {found}, not {commands}")
        for command in commands:
            options = {name for name in listed_in_help(command) if name.startswith("-")}
            found = complete(script, command, "-")
            check(found == options, f"{shell}: {command} has {options}, completed are {found}")
        check(complete(script, "collect", "--sync", "") == {"always", "1s", "never"}, f"{shell}: --sync")
        check(complete(script, "why", "--unit", "r") == {"requests"}, f"{shell}: --unit")
        check(complete(script, "admin", "") == {"nodes", "sessions", "drain", "undrain"}, f"{shell}: admin")
        check(complete(script, "help", "wh") == {"why"}, f"{shell}: help")
        check(complete(script, "policy", "") == {"check"}, f"{shell}: policy")
        check("check" not in complete(script, "policy", "check", ""), f"{shell}: policy check")
    script = scenario.path("completion.bash")
    check(complete_in_bash(script, "compact", "-o", "") == {"FILES"} and complete_in_bash(script, "why", "") == {"FILES"}
          and complete_in_bash(script, "policy", "check", "a.jfc", "") == {"FILES"}
          and complete_in_bash(script, "collect", "--data", "") == {"DIRS"}, "bash: files")
    check(complete_in_bash(script, "collect", "--sync", "=", "n") == {"never"}, "bash: --sync=n")
    if shutil.which("zsh"):
        run_shell("zsh", "-n", stdin=expect(0, "completion", "zsh").stdout)


def one_line(done):
    text = done.stderr.decode()
    check(text.count("\n") == 1 and text.endswith("\n"), f"not one line: {text!r}")
    return text


def check_policies(scenario):
    fine, wrong, none = scenario.path("fine.jfc"), scenario.path("wrong.jfc"), scenario.path("none.jfc")
    with open(fine, "w", encoding="utf-8") as file:
        file.write('<configuration version="2.0"><event name="a"><setting name="throttle">5/s</setting></event>'
                   '</configuration>')
    with open(wrong, "w", encoding="utf-8") as file:
        file.write('<configuration version="2.0">\n<event name="a">\n<setting name="throttle">5</setting>\n'
                   '<setting name="selekt">all</setting></event></configuration>')
    done = expect(0, "policy", "check", fine)
    check(done.stdout.decode() == f"{fine}: fine, 1 settings\n" and not done.stderr, f"fine: {done}")
    done = expect(1, "policy", "check", wrong, none, fine)  # one wrong file keeps none from being checked
    lines = done.stderr.decode().splitlines()
    check(len(lines) == 3 and lines[0].startswith(f"{wrong}: line 3: event type a, setting throttle: invalid value '5', ")
          and lines[1].startswith(f"{wrong}: line 4: event type a: unknown setting selekt")
          and lines[2].startswith(f"{none}: "), f"wrong: {lines}")
    check(done.stdout.decode().startswith(f"{fine}: fine"), f"behind wrong ones: {done.stdout}")
    keep = scenario.path("shop.keep")
    for text, code in (("age 7d\nbytes 5G\n", 0), ("# a week\nage seven\n", 1)):
        with open(keep, "w", encoding="utf-8") as file:
            file.write(text)
        done = expect(code, "policy", "check", keep)
    check(done.stderr.decode() == f"{keep}: line 2: expected an age such as 7d, in s, m, h or d\n", f"shop.keep: {done}")
    with open(wrong, "w", encoding="utf-8") as file:
        file.write('<configuration version="2.0"><event name="a&#10;b"><setting name="throttle">5&#127;</setting></event>'
                   '</configuration>')
    text = one_line(expect(1, "policy", "check", wrong))
    check("event type a\\nb, setting throttle: invalid value '5\\x7f'" in text, text)


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def record(scenario):
    """A recording of a JVM without the agent, several chunks long."""
    path = scenario.path("input.jfr")
    jvm = scenario.jvm(NEWEST, "ContextsE2E", scenario.path("journal.txt"), path, "4", "0", "0")
    jvm.wait_exit()
    return path


def check_compact(scenario, source):
    out = scenario.path("out.jfr")
    before = digest(source)
    statistics = json.loads(expect(0, "compact", source, "-o", out, "--json").stdout)
    check(digest(source) == before, "the input was changed")
    check_elimination(scenario, source, out, statistics)
    text = expect(0, "compact", source, "-o", out).stdout.decode()
    for number in statistics["events"].values():
        check(f"{number}" in text.replace(",", ""), f"{number} events are not in {text!r}")
    expected = digest(out)
    with open(source, "rb") as file:
        content = file.read()
    for stdin in (content, gzip.compress(content, 1)):
        expect(0, "compact", "-", "-o", out, stdin=stdin)
        check(digest(out) == expected, "standard input gives another result than the file")
    for name, packed in packed_forms(content):
        path = scenario.path("packed.jfr." + name)
        with open(path, "wb") as file:
            file.write(packed)
        expect(0, "compact", path, "-o", out)
        check(digest(out) == expected, f"{name} gives another result than the file")
    pieces = chunks.split(source)
    check(len(pieces) > 1, "the recording has only one chunk")
    for order in (pieces, pieces[::-1], pieces[1:] + [source]):
        expect(0, "compact", *order, "-o", out)
        check(digest(out) == expected, "the chunks as files of their own give another result")
    check_pipe(scenario, source, expected)


def check_pipe(scenario, source, expected):
    """An output that exists and is not a file stays as it is."""
    pipe = scenario.path("pipe")
    os.mkfifo(pipe)
    with subprocess.Popen(["sha256sum", pipe], stdout=subprocess.PIPE) as reader:
        try:
            expect(0, "compact", source, "-o", pipe)
            check(stat.S_ISFIFO(os.stat(pipe).st_mode), "-o replaced a pipe by a file")
            check(reader.communicate(timeout=LIMIT_S)[0].decode().split()[0] == expected, "a pipe gets another result")
        finally:
            reader.kill()
    done = expect(0, "compact", source, "-o", "/dev/stdout")
    check(hashlib.sha256(done.stdout).hexdigest() == expected, "standard output gets another result")
    check(b"events" in done.stderr, "the statistics are lost where standard output has the result")


def packed_forms(content):
    """The content wrapped, also in two pieces; with the commands as they are installed."""
    half = len(content) // 2
    yield "gz", gzip.compress(content[:half], 1) + gzip.compress(content[half:], 1)
    for name, command in (("lz4", ("lz4", "-1", "-c")), ("zst", ("zstd", "-1", "-c"))):
        if shutil.which(command[0]):
            yield name, subprocess.run(command, input=content, stdout=subprocess.PIPE, check=True).stdout


POLICY = """<?xml version="1.0" encoding="UTF-8"?>
<configuration version="2.0">
  <event name="e2e.Mark"><setting name="enabled">false</setting></event>
  <event name="e2e.Trace"><setting name="select">all</setting></event>
</configuration>
"""


def check_policy(scenario, source):
    """Marks are switched off, so nothing triggers the other contexts; all traces are asked for."""
    out, policy = scenario.path("by-policy.jfr"), scenario.path("policy.jfc")
    with open(policy, "w", encoding="utf-8") as file:
        file.write(POLICY)
    expect(0, "compact", source, "-o", out, "--policy", policy)
    raw, result = judge.dump(source), judge.dump(out)
    def keys(events, kind):
        return sorted(e.key() for e in events if e.type == kind)
    check(not keys(result, "e2e.Mark"), "e2e.Mark is there, though the policy disables it")
    check(keys(result, "e2e.Trace") == keys(raw, "e2e.Trace"), "select=all does not keep every e2e.Trace")


POLICY_NONE = """<?xml version="1.0" encoding="UTF-8"?>
<configuration version="2.0">
  <event name="e2e.*"><setting name="contextual">false</setting></event>
  <event name="e2e.Mark"><setting name="enabled">false</setting></event>
  <event name="e2e.Trace"><setting name="select">if-triggered</setting></event>
  <event name="jdk.VirtualThreadPinned"><setting name="context-threshold">1 ms</setting></event>
</configuration>
"""


def check_contextual_false(scenario, source):
    """No event of an annotated type is a context, so that all of them stay. What is not for such types is told once."""
    out, policy = scenario.path("plain.jfr"), scenario.path("plain.jfc")
    with open(policy, "w", encoding="utf-8") as file:
        file.write(POLICY_NONE)
    done = expect(0, "compact", source, "-o", out, "--policy", policy, "--json")
    statistics, raw, result = json.loads(done.stdout), judge.dump(source), judge.dump(out)
    for name in ("e2e.Trace", "e2e.NativeTrace"):
        expected = sorted(e.key() for e in raw if e.type == name)
        check(expected and sorted(e.key() for e in result if e.type == name) == expected, f"not every {name} is there")
        check(statistics["types"][name]["contextual"] is False, f"{name}: {statistics['types'][name]}")
    check(statistics["contexts"]["in"] == statistics["contexts"]["out"] == 0, f"{statistics}")
    check(not [e for e in raw if e.type == "jdk.VirtualThreadPinned"], "there is such an event")
    lines = [line for line in done.stderr.decode().splitlines() if " for a type that is not contextual" in line]
    check(len(lines) == 2 and "line 5: event type e2e.Trace, setting select: invalid value 'if-triggered' " in lines[0]
          and "line 6: event type jdk.VirtualThreadPinned, setting context-threshold: invalid value '1 ms' " in lines[1], f"{lines}")


POLICY_ALL = """<?xml version="1.0" encoding="UTF-8"?>
<configuration version="2.0">
  <event name="e2e.Trace"><setting name="select">all</setting></event>
  <event name="e2e.NativeTrace"><setting name="select">all</setting></event>
</configuration>
"""


def check_empty(scenario, source):
    """An answer without contexts or samples says which of them is missing, in one line; JSON is as it is otherwise."""
    bare = renamed(scenario, source, b"Contextual", b"Contextuax")
    none = ("--where", "no.such=attribute")
    for name, options in (("contexts", ()), ("why", ()), ("flamegraph", ("-o", scenario.path("empty.html")))):
        for path, conditions, said in ((source, (), None), (bare, (), "no contexts in the input: "),
                                       (bare, none, "no contexts in the input: "), (source, none, "no context matches: ")):
            done = expect(0, name, path, *conditions, *options)
            lines = done.stderr.decode().splitlines()
            check(not lines if said is None else len(lines) == 1 and lines[0].startswith(f"loupe {name}: {said}"),
                  f"{name} {conditions} of {path}: {lines}")
    done = expect(0, "flamegraph", source, "--frame", "no[.]such[.]frame", "-o", scenario.path("empty.html"))
    check(re.fullmatch(r"loupe flamegraph: no samples in the \d+ contexts: .*--frame.*\n", done.stderr.decode()), f"{done}")
    done = expect(1, "slice", bare, "-o", scenario.path("empty.jfr"))
    check(done.stderr.decode().startswith("loupe slice: no contexts in the input: "), f"{done}")
    check(json.loads(expect(0, "contexts", bare, "--json").stdout)["matched"] == 0, "JSON")


def check_elimination(scenario, source, out, statistics):
    """The same rules as in the collector: contextual events only where something fell into them."""
    journal, raw, result = judge.Journal(scenario.path("journal.txt")), judge.dump(source), judge.dump(out)
    journal.contexts.clear()  # no agent: nothing was recorded of them
    judge.check_events(journal, source, raw, out, result)
    _, kept = judge.check_contexts(journal, raw, result)
    found = [statistics[what][way] for what in ("events", "contexts") for way in ("in", "out")]
    expected = [len(raw), len(result), sum(e.is_contextual for e in raw), kept]
    check(found == expected, f"--json says {found}, the JDK {expected}")
    check(statistics["bytes"]["out"] == os.path.getsize(out), "bytes.out is not the size of the output")
    check(0 < kept < expected[2], f"{kept} of {expected[2]} contexts kept")
    check_accounts(out, raw, result, statistics)


def check_accounts(out, raw, result, statistics):
    """The events that are missing of each type, contexts that nothing triggered, are in the accounts and the statistics."""
    there, left = collections.Counter(e.type for e in raw), collections.Counter(e.type for e in result)
    expected = {name: (there[name], left[name], {"select": there[name] - left[name]})
                for name in there if there[name] != left[name]}
    found = judge.accounts(out)
    check(found == expected, f"accounts {found}, the JDK counts {expected}")
    with open(out, "rb") as file:
        written = len(list(chunks.bounds(file.read())))
    check(0 < judge.count_accounts(out) <= written, f"{judge.count_accounts(out)} accounts in {written} chunks")
    said = {name: (row["offered"], row["kept"], row["dropped"]) for name, row in statistics["types"].items()
            if row["dropped"]}
    check(said == expected, f"--json says {said}, the JDK counts {expected}")


def check_refusals(scenario, source):
    out = scenario.path("refused.jfr")
    before = digest(source)
    for target in (source, os.path.join(scenario.dir, ".", "input.jfr"), linked(scenario, source)):
        expect_failure("compact", source, "-o", target)
        check(digest(source) == before, f"-o {target} changed the input")
    one_line(expect(1, "compact", scenario.path("nowhere.jfr"), "-o", out))
    one_line(expect(1, "compact", source, "-o", scenario.path("no/such/folder.jfr")))
    for damage in hopeless(source):
        path = scenario.path("damaged.jfr")
        with open(path, "wb") as file:
            file.write(damage)
        text = one_line(expect(1, "compact", path, "-o", out))
        check(path in text and re.search(r"offset \d+", text), f"names no file and offset: {text!r}")
        one_line(expect(1, "summary", path))
    check_packed_otherwise(scenario, source)
    text = one_line(expect(1, "compact", source, "-o", out, preexec_fn=limit_files))
    check(out in text and os.strerror(errno.EFBIG) in text, f"does not say that the output is too large: {text!r}")
    check(not [name for name in os.listdir(scenario.dir) if name.startswith("refused")], "an output was left")
    kept = scenario.path("kept.jfr")
    with open(kept, "wb") as file:
        file.write(b"precious")
    expect(1, "compact", path, "-o", kept)
    with open(kept, "rb") as file:
        check(file.read() == b"precious", "a failed run changed the file that was there")


def check_packed_otherwise(scenario, source):
    """What packed a recording that Loupe does not unpack is said, of a file and of standard input."""
    with open(source, "rb") as file:
        content = file.read()
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as zipped:
        zipped.writestr("input.jfr", content)
    for name, packed, said in (("xz", lzma.compress(content, preset=0), "compressed by xz; unpack it first (unxz)"),
                               ("bz2", bz2.compress(content, 1), "compressed by bzip2; unpack it first (bunzip2)"),
                               ("zip", archive.getvalue(), "a zip archive; unpack it first (unzip)")):
        path = scenario.path("input.jfr." + name)
        with open(path, "wb") as file:
            file.write(packed)
        for command in ("summary", "why"):
            text = one_line(expect(1, command, path))
            check(text == f"loupe {command}: {path}: {said}\n", f"{name}: {text!r}")
        text = one_line(expect(1, "summary", "-", stdin=packed))
        check(text == f"loupe summary: -: {said}\n", f"{name}: {text!r}")


def limit_files():
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)  # Python ignores it
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_BYTES_MAX, FILE_BYTES_MAX))


def expect_failure(*arguments):
    done = loupe(*arguments)
    check(done.returncode in (1, 2), f"loupe {' '.join(arguments)}: status {done.returncode}")
    check(done.stderr, f"loupe {' '.join(arguments)} says nothing")


def linked(scenario, source):
    path = scenario.path("hardlink.jfr")
    os.link(source, path)
    return path


def hopeless(source):
    with open(source, "rb") as file:
        content = file.read()
    yield content[:100]
    yield b"not a recording at all, but longer than a header of sixty-eight bytes, as one can see"
    yield b""
    yield content[:4] + b"\x00\x09\x00\x00" + content[8:100]


def damaged(content):
    """What happened, the content after that, and which chunks nothing happened to."""
    ranges = list(chunks.bounds(content))
    every = list(range(len(ranges)))
    target = len(ranges) - 2  # it has one behind it
    others = every[:target] + every[target + 1:]
    begin, end = ranges[target]
    yield "garbage before it", b"garbage" * 30 + content, every
    yield "zeros between chunks", content[:end] + bytes(5000) + content[end:], every
    yield "a piece of a header behind it", content + content[:50], every
    yield "a chunk without its magic", content[:begin] + b"XXXX" + content[begin + 4:], others
    yield "a chunk without its size", content[:begin + 8] + bytes(8) + content[begin + 16:], every
    yield "a chunk with a size too large", content[:begin + 8] + b"\x00\x01" + content[begin + 10:], every
    yield "cut off in the last chunk", content[:(ranges[-1][0] + ranges[-1][1]) // 2], every[:-1]
    yield "its last byte lost", content[:-1], every[:-1]
    middle = (begin + end) // 2
    yield "bytes lost in a chunk", content[:middle] + content[middle + 1000:], others


def check_damage(scenario, source):
    """Whatever happens to one chunk, the others give what they give without it: the events, by the JDK's reader, are
    those of the intact chunks alone, and some of the damaged one."""
    with open(source, "rb") as file:
        content = file.read()
    pieces = [{e.key() for e in judge.dump(piece)} for piece in chunks.split(source)]
    path, out, kept = scenario.path("damaged.jfr"), scenario.path("repaired.jfr"), scenario.path("kept-all.jfc")
    with open(kept, "w", encoding="utf-8") as file:
        file.write(POLICY_ALL)
    for what, damage, intact in damaged(content):
        with open(path, "wb") as file:
            file.write(damage)
        done = expect(0, "compact", path, "-o", out, "--json", "--policy", kept)
        report = json.loads(done.stdout)["damage"]
        lines = done.stderr.decode().splitlines()
        check(lines and all(re.match(r"loupe compact: \S+: offset \d+: ", line) for line in lines),
              f"{what}: {lines}")
        check(sum(report.values()) > 0, f"{what}: --json reports no damage: {report}")
        found = {e.key() for e in judge.dump(out)}
        for i in intact:
            lost = pieces[i] - found
            check(not lost, f"{what}: {len(lost)} events of chunk {i} are lost, {next(iter(lost), None)} among them")
        expect(0, "summary", path)
        os.unlink(out)
        text = one_line(expect(1, "compact", path, "-o", out, "--strict"))
        check(path in text and re.search(r"offset \d+", text), f"{what}: --strict says {text!r}")
        check(not os.path.exists(out), f"{what}: --strict has written something")


def check_summary(source):
    """Events and bytes by type, chunks: as the JDK's own tool counts them."""
    told = jfr("summary", source, feature=NEWEST)
    expected = {name.replace("CheckPoint", "Checkpoint"): (int(count), int(size)) for name, count, size in  # as of JDK 25
                re.findall(r"^ (\S+) +(\d+) +(\d+) *$", told, re.MULTILINE)}
    chunk_count = int(re.search(r"Chunks: (\d+)", told).group(1))
    found = json.loads(expect(0, "summary", source, "--json").stdout)
    check(found["chunks"] == chunk_count, f"{found['chunks']} chunks, not {chunk_count}")
    counts = {name: (row["events"], row["bytes"]) for name, row in found["types"].items()}
    none = (0, 0)
    differences = {name: (expected.get(name), counts.get(name)) for name in set(expected) | set(counts)
                   if expected.get(name, none) != counts.get(name, none)}
    check(not differences, f"(jfr, loupe): {differences}")
    text = expect(0, "summary", source).stdout.decode()
    check("e2e.Mark" in text, f"summary does not show e2e.Mark: {text[:500]}")
    return found, text


def renamed(scenario, source, old, new):
    """The recording with another name of a type."""
    path = scenario.path("renamed.jfr")
    with open(source, "rb") as file:
        content = file.read()
    check(old in content and len(old) == len(new), f"{old} as {new}")
    with open(path, "wb") as file:
        file.write(content.replace(old, new))
    return path


def check_names(scenario, source, compacted):
    """A type's name cannot speak to the terminal, and need not be text; Loupe writes names as UTF-8, a JVM may not. What
    no reader of the JDK takes for a name becomes the nearest that one does."""
    text = expect(0, "summary", renamed(scenario, source, b"e2e.Mark", b"e2e.\x1b[2J")).stdout.decode()
    check("\ne2e.\\x1b[2J " in text and "\x1b" not in text, f"names: {text}")
    path = renamed(scenario, compacted, b"e2e.Trace", b"e2e.\xffrac\xe2")
    for done, name in ((expect(0, "summary", path, "--json"), "e2e.\ufffdrac\ufffd"),
                       (expect(0, "compact", path, "-o", scenario.path("out.jfr"), "--json"), "e2e._rac_")):
        types = json.loads(done.stdout)["types"]
        check(name in types, f"no such type: {sorted(types)}")


def check_summary_of_accounts(source, compacted):
    """What was dropped is the difference, also of types of which nothing is left; and a JVM dropped nothing."""
    before, text = check_summary(source)
    check(before["dropped"] == {} and "ropped" not in text, f"a JVM's recording: {before['dropped']} {text}")
    after, text = check_summary(compacted)
    total = collections.Counter()
    for name, row in before["types"].items():
        missing = row["events"] - after["types"].get(name, {"events": 0})["events"]
        if name in BUILT_IN or missing == 0:
            continue
        found = after["types"][name]
        check(sum(found["dropped"].values()) == missing, f"{name}: {missing} are missing, not {found}")
        check(found["contextual"] == (row["contextual"] if found["events"] else None), f"{name}: {found}, it was {row}")
        total.update(found["dropped"])
        said = ", ".join(f"{reason} {count}" for reason, count in found["dropped"].items())
        line = rf"^{re.escape(name)} .* {missing}(  contextual)?  {said}$"
        check(re.search(line, text, re.MULTILINE), f"{name}: no {said} in {text}")
    check(set(total) == {"enabled", "select"} and after["dropped"] == total, f"{after['dropped']}, not {total}")
    check(re.search(rf"^Dropped: +{sum(total.values())}: enabled {total['enabled']}, ", text, re.MULTILINE), text)


def check_paths(scenario, source):
    """A path or an argument in a message speaks to no terminal and makes no line of its own, whatever it is about; also
    if it is no UTF-8, where 0x9b is what U+009B is in it."""
    said = expect(1, "summary", os.fsencode(scenario.dir) + b"/\x9b[2J\xe9").stderr
    check(b"/\\x9b[2J\\xe9: " in said and said.isascii(), f"a name that is no UTF-8: {said}")
    name = "a\x1b[2J\nb\u009b"
    path = scenario.path(name)
    with open(path, "wb") as file:
        file.write(b"no recording")
    damaged_path, policy = scenario.path(name + ".jfr"), scenario.path(name + ".jfc")
    with open(source, "rb") as file, open(damaged_path, "wb") as out:
        out.write(file.read()[:-1])
    with open(policy, "w", encoding="utf-8") as file:
        file.write('<configuration version="2.0"/>')
    ours, out = ("--agents", "tcp://127.0.0.1:0", "--http", "127.0.0.1:0"), scenario.path("out.jfr")
    for arguments in (("compact", path, "-o", out), ("compact", path + "2", "-o", out), ("compact", source, "-o", path + "/c"),
                      ("compact", damaged_path, "-o", out), ("compact", damaged_path, "-o", damaged_path),
                      ("compact", damaged_path, "-o", out, "--strict"), ("compact", source, source, "-o", path + "/"),
                      ("compact", source, "-o", out, "--policy", path), ("compact", source, "-o", out, "--threads", name),
                      ("compact", source, "-o", out, "--context-style", name), ("compact", "--" + name), ("summary", path),
                      ("summary", damaged_path), ("summary", path + "2"), ("summary", "--json=" + name),
                      ("policy", "check", path), ("policy", "check", policy), ("policy", "--" + name), (name,),
                      ("collect", name), ("collect", "--" + name), ("collect", *ours, "--data", path),
                      ("collect", *ours, "--policy", path), ("collect", *ours, "--policy-dir", path)):
        done = loupe(*arguments)
        said = (done.stdout + done.stderr).decode()
        shown = "a\\x1b[2J\\nb\\x9b"
        check(shown in said and not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f]", said), f"{arguments}: {said!r}")
        check("[2J\n" not in said, f"{arguments}: {said!r}")
    os.unlink(out)


def check_truncated(scenario, source):
    """Somebody truncates an input while it is read: an error, and nothing in the output's place. The first input is
    mapped and looked through once the second is opened, a pipe: that is when it happens."""
    pieces = chunks.split(source)
    path, pipe, out = scenario.path("truncated.jfr"), scenario.path("second"), scenario.path("none-of-it.jfr")
    os.mkfifo(pipe)
    size = os.path.getsize(source)
    for left in (0, 5000, size // 2, size - 1):  # at the last, it ends in the page in which it ended
        for threads in "1", "4":
            shutil.copyfile(source, path)
            with subprocess.Popen([LOUPE, "compact", path, pipe, "-o", out, "--threads", threads], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE) as reader:
                try:
                    with open(pipe, "wb") as second, open(pieces[0], "rb") as content:
                        os.truncate(path, left)
                        second.write(content.read())
                    said = reader.communicate(timeout=LIMIT_S)[1].decode()
                finally:
                    reader.kill()
            check(reader.returncode == 1 and f"loupe compact: {path}: was truncated while it was read" in said,
                  f"{left} of {size} bytes left: status {reader.returncode}: {said!r}")
            check(not [name for name in os.listdir(scenario.dir) if name.startswith("none-of-it")], "an output was left")
    # And once it is being written: the pipe is full then, and constants are written as they lie in the input.
    shutil.copyfile(source, path)
    with subprocess.Popen([LOUPE, "compact", path, "-o", "/dev/stdout"], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as reader:
        try:
            reader.stdout.read(1)
            os.truncate(path, 0)
            said = reader.communicate(timeout=LIMIT_S)[1].decode()
        finally:
            reader.kill()
    check(reader.returncode == 1 and f"loupe compact: {path}: was truncated while it was read" in said,
          f"truncated while it was written: status {reader.returncode}: {said!r}")


def check_full_disk(scenario, source):
    """What cannot be printed is a failure, and why is said."""
    compact = ("compact", "-o", scenario.path("fits.jfr"))
    for arguments in (("summary",), ("summary", "--json"), compact, (*compact, "--json")):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([LOUPE, *arguments, source], stdin=subprocess.DEVNULL, stdout=full,
                                  stderr=subprocess.PIPE, timeout=120, check=False)
        said = f"loupe {arguments[0]}: standard output: No space left on device\n"
        check((done.returncode, done.stderr.decode()) == (1, said), f"{arguments}: {done}")


def start_open(scenario, folder, *arguments, path=""):
    """`loupe open`, with its directory in folder and a process group of its own. Returns its process and what it
    serves at."""
    env = {**os.environ, "TMPDIR": folder, "PATH": f"{path}:{os.environ['PATH']}"}
    process = scenario.popen("open", ["setsid", LOUPE, "open", *arguments], env=env, stdout=subprocess.PIPE)
    return process, urllib.parse.urlsplit(process.stdout.readline().decode().strip())


class Browser:
    """An xdg-open that writes the address to a file, and stays until it gets a line through a pipe."""

    def __init__(self, scenario):
        self.folder, self.opened, self.pipe, self.heard = (
            scenario.path(f"browser-{name}") for name in ("programs", "opened", "pipe", "heard"))
        os.mkdir(self.folder)
        os.mkfifo(self.pipe)
        program = os.path.join(self.folder, "xdg-open")
        with open(program, "w", encoding="ascii") as file:
            file.write(f'#!/bin/sh\nprintf %s "$1" >{self.opened}.new && mv {self.opened}.new {self.opened}\n'
                       f"timeout --foreground 300 head -1 {self.pipe} >{self.heard}.new && mv {self.heard}.new {self.heard}\n")
        os.chmod(program, 0o700)

    def expect(self, url):
        """Returns the descriptor of the pipe, which it reads."""
        wait_for("the browser", lambda: os.path.exists(self.opened))
        with open(self.opened, encoding="ascii") as file:
            check(file.read() == url, "the browser has another address")
        os.remove(self.opened)
        return os.open(self.pipe, os.O_WRONLY)

    def expect_alive(self, fd):
        os.write(fd, b"still there\n")
        os.close(fd)
        wait_for("the browser, which lives on", lambda: os.path.exists(self.heard))
        os.remove(self.heard)


def get_opened(at, path):
    with urllib.request.urlopen(f"{at.scheme}://{at.netloc}{path}", timeout=LIMIT_S) as answer:
        return answer.read()


def check_open(scenario, source):
    summary = json.loads(expect(0, "summary", "--json", source).stdout)
    folder = scenario.path("open")
    os.mkdir(folder)
    browser = Browser(scenario)
    packed = scenario.path("a b\u00e9.jfr.gz")
    with open(source, "rb") as file, gzip.open(packed, "wb", 1) as to:
        to.write(file.read())
    process, at = start_open(scenario, folder, packed, path=browser.folder)
    check(at.hostname == "127.0.0.1" and at.path == "/s/a%20b%C3%A9", f"at {at.geturl()}")
    pipe = browser.expect(at.geturl())
    with open(f"/proc/{process.pid}/task/{process.pid}/children", encoding="ascii") as file:
        [companion] = file.read().split()
    with open(f"/proc/{companion}/maps", encoding="utf-8") as file:
        check("(deleted)" not in file.read(), "the companion keeps what was unpacked")
    check(b"page.js" in get_opened(at, f"{at.path}?{at.query}"), "no page at the address")
    [recording] = json.loads(get_opened(at, "/api/v1/recordings"))["recordings"]
    check(recording["service"] == "a b\u00e9" and not recording["is_running"], f"it has {recording}")
    for kind in ("events", "contexts"):
        check(recording[f"{kind}_in"] == recording[f"{kind}_out"] == summary[kind],
              f"{kind}: {recording}, not {summary[kind]}")
    [service] = json.loads(get_opened(at, f"/api/v1/services?{at.query}"))["services"]
    check(service["contexts_in"] == summary["contexts"], f"the address has another time: {service}")
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does at Ctrl-C
    check(process.wait(60) == 0, f"it ends with {process.returncode}")
    check(os.listdir(folder) == [], f"left behind: {os.listdir(folder)}")
    browser.expect_alive(pipe)

    dot = scenario.path("..jfr")
    os.symlink(source, dot)
    process, at = start_open(scenario, folder, dot, path=browser.folder)
    check(at.path == "/s/~.", f"at {at.geturl()}")
    pipe = browser.expect(at.geturl())
    os.killpg(process.pid, signal.SIGKILL)  # which it cannot see coming
    process.wait(60)
    wait_for("the removal of the directory", lambda: os.listdir(folder) == [])
    browser.expect_alive(pipe)
    process, at = start_open(scenario, folder, "--no-browser", path=browser.folder)  # for files that the page sends
    check(at.path == "/" and at.query == "", f"without a recording it is at {at.geturl()}")
    process.send_signal(signal.SIGTERM)
    check(process.wait(60) == 0, f"it ends with {process.returncode}")
    check(not os.path.exists(browser.opened), "a browser was opened all the same")
    empty = scenario.path("none.jfr")
    with open(empty, "wb"):
        pass
    check("there is no recording" in expect(1, "open", empty).stderr.decode(), "an empty file is opened")


def check_collect(scenario):
    expect_failure("collect", "--agents", "nonsense", "--http", "127.0.0.1:0", "--data", scenario.path("data"))
    expect_failure("collect", "--agents", "tcp://127.0.0.1:0", "--http", "nonsense", "--data", scenario.path("data"))
    with open(scenario.path("a-file"), "w", encoding="ascii"):
        pass
    expect(1, "collect", "--agents", "tcp://127.0.0.1:0", "--http", "127.0.0.1:0", "--data", scenario.path("a-file"))
    expect(1, "collect", "--agents", "tcp://127.0.0.1:0", "--http", "127.0.0.1:0", "--data", scenario.path("data"),
           "--policy", scenario.path("nowhere.jfc"))
    expect(1, "collect", "--agents", "tcp://127.0.0.1:0", "--http", "127.0.0.1:0", "--data", scenario.path("data"),
           "--policy-dir", scenario.path("nowhere"))
    expect(2, "collect", "--policy", scenario.path("nowhere.jfc"), "--policy-dir", scenario.dir)


def body(scenario):
    source = record(scenario)
    check_compact(scenario, source)
    check_policy(scenario, source)
    check_contextual_false(scenario, source)
    check_summary_of_accounts(source, scenario.path("by-policy.jfr"))
    check_names(scenario, source, scenario.path("by-policy.jfr"))
    check_empty(scenario, source)
    check_refusals(scenario, source)
    check_damage(scenario, source)
    check_usage()
    check_program_alone(scenario)
    check_about()
    check_completion(scenario)
    check_policies(scenario)
    check_paths(scenario, source)
    check_truncated(scenario, source)
    check_full_disk(scenario, source)
    check_open(scenario, source)
    check_collect(scenario)


def main():
    need_jdk(NEWEST)
    run("cli", body)


main()
