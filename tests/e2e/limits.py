# SPDX-License-Identifier: Apache-2.0
"""Promised: as many context types and attributes as the limits say arrive, on threads of both kinds.

--case types: 32 types of one attribute, and a RecordingContext, are open at once around each event.
--case wide:  a ContextType and a ContextAccess with 16 attributes of every kind, texts among them.
Further types are refused, and the log says why; so it does of a field whose type cannot be an attribute's.
"""

import argparse
import re
import struct
import subprocess

from support import judge
from support.process import API_JAR, Collector, check, need_jdk, run

ROUNDS = 50
TYPES = 32
KINDS = ("boolean", "byte", "char", "short", "int", "long", "float", "double", "String", "CharSequence")
# What a value is made of, of the round n and the number of the attribute.
VALUES = {"boolean": "n % 2 == 1", "byte": "(byte) (n + {i})", "char": "(char) ('a' + {i})", "short": "(short) (n * {i})",
          "int": "n * {i}", "long": "(long) n << {i}", "float": "n + {i}f", "double": "n / 2.0 + {i}",
          "String": '"text" + n + "x{i}"', "CharSequence": 'new StringBuilder("built" + n + "x{i}")'}
MAIN = """import dev.loupe.*;
import jdk.jfr.*;
import java.util.concurrent.ThreadFactory;

public class Limits {
    @Name("limits.Work") @StackTrace(false) static class Work extends Event { int round; String thread; }
%s
    static void set(int n) {
%s    }
    static void unset() {
%s    }
    static void work(String thread) {
        for (int n = 1; n <= %d; n++) {
            set(n);
            Work work = new Work();
            work.round = n;
            work.thread = thread;
            work.commit();
            unset();
        }
    }
    static void expect(boolean condition) {
        if (!condition) {
            throw new AssertionError();
        }
    }
    public static void main(String[] args) throws Exception {
%s
        work("main");
        if (args.length > 0) {
            ThreadFactory virtual = (ThreadFactory) Class.forName("java.lang.Thread$Builder").getMethod("factory")
                .invoke(Thread.class.getMethod("ofVirtual").invoke(null));
            Thread thread = virtual.newThread(() -> work("virtual"));
            thread.start();
            thread.join();
        }
    }
}
"""


def source_of_types():
    types = "".join(f'    @Name("limits.T{i}") @AllFields static class T{i} extends ContextType {{ long value; }}\n    static final '
                    f"ThreadLocal<T{i}> L{i} = ThreadLocal.withInitial(T{i}::new);\n" for i in range(1, TYPES + 1))
    types += """    @Name("limits.Over") @AllFields static class Over extends ContextType { int one; }
    static final RecordingContextKey KEY = RecordingContextKey.forName("round");
    static final ThreadLocal<RecordingContext> OPEN = new ThreadLocal<>();
"""
    register = "".join(f"        expect(Loupe.registerContext(T{i}.class));\n" for i in range(1, TYPES + 1))
    sets = "".join(f"        T{i} t{i} = L{i}.get(); t{i}.value = n * 100 + {i}; t{i}.set();\n" for i in range(1, TYPES + 1))
    sets += '        OPEN.set(RecordingContext.where(KEY, "r" + n).build());\n'
    unsets = "        OPEN.get().close();\n" + "".join(f"        L{i}.get().unset();\n" for i in range(1, TYPES + 1))
    return MAIN % (types, sets, unsets, ROUNDS, register + "        expect(!Loupe.registerContext(Over.class));")


def source_of_wide():
    kinds = [KINDS[i % len(KINDS)] for i in range(16)]
    fields = " ".join(f"{kind} a{i};" for i, kind in enumerate(kinds))
    methods = "".join(f'        @Name("a{i}") {kind} a{i}() {{ return {VALUES[kind].format(i=i)}; }}\n' for i, kind in enumerate(kinds))
    types = f"""    @Name("limits.Fields") @AllFields static class Fields extends ContextType {{ {fields} java.util.UUID id; }}
    @Name("limits.Methods") static class Methods {{
        final int n;
        Methods(int n) {{ this.n = n; }}
{methods}    }}
    @Name("limits.Over") @AllFields static class Over extends ContextType {{ int one; }}
    @Name("limits.Wider") @AllFields static class Wider extends Fields {{ int b; }}
    static final ContextAccess<Methods> METHODS = ContextAccess.forType(Methods.class);
"""
    sets = "        Fields fields = new Fields();\n"
    sets += "".join(f"        fields.a{i} = {VALUES[kind].format(i=i)};\n" for i, kind in enumerate(kinds))
    sets += "        fields.set();\n        METHODS.set(new Methods(n));\n"
    unsets = "        METHODS.unset();\n        new Fields().unset();\n"
    register = """        expect(!Loupe.registerContext(Wider.class));
        expect(Loupe.registerContext(Fields.class));
        expect(!Loupe.registerContext(Over.class));"""
    return MAIN % (types, sets, unsets, ROUNDS, register)


def record(feature, scenario, source):
    """Runs the program and returns its events by type, and its log."""
    collector = Collector(scenario).start()
    with open(scenario.path("Limits.java"), "w", encoding="ascii") as file:
        file.write(source)
    agent = scenario.agent_argument(scenario.agent_options(collector, "limits"))
    done = subprocess.run([f"{need_jdk(feature)}/bin/java", "-XX:+UseSerialGC", agent, "-cp", API_JAR, "Limits.java",
                           *(["virtual"] if feature >= 21 else [])], cwd=scenario.dir, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=120, check=False)
    log = done.stdout.decode("utf-8", "replace")
    check(done.returncode == 0, f"status {done.returncode}: {log}")
    path = collector.download(collector.recording("limits"), scenario.path("download.jfr"))
    found = {}
    for event in judge.dump(path, "limits.", "loupe."):
        found.setdefault(event.type, []).append(event)
    collector.stop()
    threads = 2 if feature >= 21 else 1
    check(len(found["limits.Work"]) == ROUNDS * threads, f"{len(found['limits.Work'])} events")
    return found, log, threads


def check_refused(log, name, has, left):
    told = f"Limits${name} is not registered: it has {has} attributes, and a type can have 16; of the 32"
    lines = [line for line in log.splitlines() if told in line]
    check(len(lines) == 1 and f"{left} are left" in lines[0], f"{name}: {lines}")


def types(feature, scenario):
    found, log, threads = record(feature, scenario, source_of_types())
    for i in range(1, TYPES + 1):
        values = sorted(int(event.values["value"]) for event in found.get(f"limits.T{i}", []))
        check(values == sorted([n * 100 + i for n in range(1, ROUNDS + 1)] * threads), f"type {i}: {values}")
    maps = sorted(event.values["round"].removeprefix("=") for event in found["loupe.RecordingContext"])
    check(maps == sorted([f"r{n}" for n in range(1, ROUNDS + 1)] * threads), f"RecordingContexts: {maps}")
    check_refused(log, "Over", 1, 0)


def value_of(kind, n, i):
    """The value that the JDK's reader returns for it, as OracleDump writes it."""
    return {"boolean": str(n % 2), "byte": str((n + i + 128) % 256 - 128), "char": str(ord("a") + i), "short": str(n * i),
            "int": str(n * i), "long": str(n << i), "float": "f" + struct.pack(">f", n + i).hex().lstrip("0"),
            "double": "d" + struct.pack(">d", n / 2 + i).hex().lstrip("0"), "String": f"=text{n}x{i}",
            "CharSequence": f"=built{n}x{i}"}[kind]


def wide(feature, scenario):
    found, log, threads = record(feature, scenario, source_of_wide())
    for name in ("limits.Fields", "limits.Methods"):
        contexts = found[name]
        check(len(contexts) == ROUNDS * threads, f"{len(contexts)} of {name}")
        rounds = sorted([int(event.values["a4"]) // 4 for event in contexts])
        check(rounds == sorted(list(range(1, ROUNDS + 1)) * threads), f"{name}: rounds {rounds}")
        for event in contexts:
            n = int(event.values["a4"]) // 4
            expected = {f"a{i}": value_of(KINDS[i % len(KINDS)], n, i) for i in range(16)}
            values = {key: value for key, value in event.values.items() if re.match(r"a\d+$", key)}
            check(values == expected, f"{name} {n}: {values}, not {expected}")
    check_refused(log, "Wider", 17, 16)
    check_refused(log, "Over", 1, 0)
    told = [line for line in log.splitlines() if "id (java.util.UUID)" in line and "Limits$Fields" in line]
    check(len(told) == 1 and "primitive type, String or CharSequence" in told[0], f"of the field of another type: {told}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    parser.add_argument("--case", choices=("types", "wide"), required=True)
    args = parser.parse_args()
    run(f"limits-{args.case}-{args.jdk}", lambda scenario: {"types": types, "wide": wide}[args.case](args.jdk, scenario))


main()
