#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_checks.py: the checks of this folder find what they look for.

Each case is a small tree that has one thing wrong, and what the check prints of it. With that thing
put right, the check passes.
"""

import contextlib
import io
import json
import pathlib
import platform
import runpy
import shutil
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

HERE = pathlib.Path(__file__).parent
sys.path += [str(HERE), str(HERE.parent / "support")]

import check_messages
import pages

SKIPPED = 77
NINJA = """rule cc
  command = cc -MD -MF $out.d -c $in -o $out
  depfile = $out.d
  deps = gcc
build a.o: cc ../src/a.c
"""
WORKFLOW = ".github/workflows/build.yml"
STEPS = "on: push\njobs:\n  one:\n    runs-on: ubuntu-24.04\n    steps:\n"
NULL_READ = "return p == 0 ? *p : 0;"
VERSION_LINE = "| 1.2.0 | 2 | catalog 5 | 1 |"
SPDX = "// SPDX-License-Identifier: Apache-2.0\n"


def run(check, files):
    """The exit code and the output of a check on a tree of files."""
    with tempfile.TemporaryDirectory() as root:
        for name, text in files.items():
            path = pathlib.Path(root, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return run_here(HERE / f"check_{check}.py", root)


def run_here(program, *arguments):
    """The exit code and the output of a program in Python, in this process: to start one takes longer than most checks."""
    said = io.StringIO()
    with unittest.mock.patch("sys.argv", [str(program), *arguments]), contextlib.redirect_stdout(said):
        try:
            runpy.run_path(str(program), run_name="__main__")
        except SystemExit as end:
            return end.code or 0, said.getvalue()
    return 0, said.getvalue()


def version_tree(line, released=""):
    """A tree of version 1.2.0, with a line in its table of versions."""
    return {"CMakeLists.txt": "project(loupe VERSION 1.2.0 LANGUAGES C)\n", "docs/reference/compatibility.md": f"{line}\n",
            "CHANGELOG.md": f"# Changelog\n## Unreleased\n{released}",
            "src/common/wire/wire.h": "WIRE_VERSION = 2,\n",
            "src/collector/store/catalog/sqlite/catalog_schema.h": "CATALOG_SCHEMA_VERSION = 5",
            "src/common/rollup/rollup_bytes.h": "ROLLUP_VERSION = 1"}


def tidy_source(line):
    return f"int f(const int *p) {{ {line} }}\n"


def commit(root, *files):
    subprocess.run(["git", "-C", root, "init", "-q"], check=True)
    subprocess.run(["git", "-C", root, "add", *files], check=True)
    subprocess.run(["git", "-C", root, "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-qm", "a"], check=True)


def tidy_tree(folder):
    """A tree with a build of one C file, which is still to be written."""
    root = pathlib.Path(folder)
    for name in ("src", "tests", "build"):
        (root / name).mkdir()
    for name in (".clang-tidy", "tests/.clang-tidy"):
        shutil.copy(HERE.parent.parent / name, root / name)
    (root / "build/build.ninja").write_text(NINJA, encoding="utf-8")
    command = {"directory": f"{root}/build", "file": f"{root}/src/a.c", "command": "cc -c ../src/a.c"}
    (root / "build/compile_commands.json").write_text(json.dumps([command]))
    return root


class ChecksTest(unittest.TestCase):
    def assert_finds(self, check, wrong, right, message):
        self.assertEqual(run(check, right)[0], 0, run(check, right))
        code, output = run(check, wrong)
        self.assertEqual(code, 1, output)
        self.assertIn(message, output)

    def test_layers_finds_an_include_upwards(self):
        path = "src/common/base/lp_a.h"
        self.assert_finds("layers", {path: SPDX + '#include "agent/agent.h"\n'},
                          {path: SPDX + '#include "common/base/lp_b.h"\n'},
                          f'{path}:2: common/base includes "agent/agent.h", but knows only itself')

    def test_layers_finds_what_a_room_does_not_know(self):
        path = "src/collector/keep/retention.c"
        room = {"src/collector/keep/CMakeLists.txt": "# " + SPDX + "loupe_room(keep\n  KNOWS common journal\n  SOURCES retention.c)\n",
                "src/collector/journal/journal.h": SPDX}
        self.assert_finds("layers", {**room, path: SPDX + '#include "collector/server/server.h"\n'},
                          {**room, path: SPDX + '#include "collector/journal/journal.h"\n'},
                          f'{path}:2: collector/keep includes "collector/server/server.h", but knows only common, collector/journal')

    def test_layers_finds_a_header_of_others(self):
        path = "src/engine/read/view.c"
        self.assert_finds("layers", {path: SPDX + "#include <jansson.h>\n"},
                          {path: SPDX + "#include <string.h>\n"}, "engine/read includes <jansson.h>")

    def test_layers_finds_a_banned_call(self):
        path = "src/engine/read/view.c"
        self.assert_finds("layers", {path: SPDX + "int a = open(b);\n"},
                          {path: SPDX + "int a = view_open(b); // not open(b)\n"},
                          f"{path}:2: open() is banned here")

    def test_layers_finds_an_assertion_on_an_application_thread(self):
        path = "src/agent/context/ctx_rings.c"
        self.assert_finds("layers", {path: SPDX + "LP_ASSERT(a);\n"},
                          {path: SPDX + "if (LP_NEVER(a)) {\n"}, f"{path}:2: LP_ASSERT() is banned here")

    def test_layers_finds_a_file_without_a_licence(self):
        path = "src/policy/policy.c"
        self.assert_finds("layers", {path: "int a;\n"}, {path: SPDX}, f"{path}:1: no SPDX")

    def test_rooms_finds_an_import_upwards_in_the_page(self):
        path = "web/src/parts/table.ts"
        self.assert_finds("rooms", {path: 'import { a } from "../screens/events";\n'},
                          {path: 'import { a } from "../base/html";\nimport "./table.css";\n'},
                          "web/src/parts/table.ts imports screens/events, which stands above it")

    def test_headers_finds_a_header_without_threads(self):
        path = "src/policy/policy.h"
        self.assert_finds("headers", {path: SPDX + "// policy: rules.\n#if 0\n// Threads: none.\n"},
                          {path: SPDX + "\n// policy: rules.\n//\n// Threads: any thread.\n#if 0\n"},
                          f"{path}:1: no line `// Threads:`")

    def test_circles_finds_modules_that_include_each_other(self):
        right = {"src/a.h": "", "src/a.c": '#include "a.h"\n#include "b.h"\n', "src/b.h": ""}
        self.assert_finds("circles", right | {"src/b.c": '#include "a.h"\n'}, right, "includes b")

    def test_workflows_finds_a_script_that_is_not_there(self):
        self.assert_finds("workflows", {WORKFLOW: STEPS + "      - run: ./scripts/tset --all\n"}, {WORKFLOW: STEPS + "      - run: true\n"},
                          "build.yml: ./scripts/tset is no program")

    def test_workflows_finds_an_action_without_a_commit(self):
        self.assert_finds("workflows", {WORKFLOW: STEPS + "      - uses: actions/checkout@v4\n"},
                          {WORKFLOW: f"{STEPS}      - uses: actions/checkout@{'0' * 40}\n"}, "actions/checkout@v4 is not named by its commit")

    def test_compatibility_finds_a_format_that_has_changed(self):
        self.assert_finds("compatibility", version_tree("| 1.2.0 | 2 | catalog 4 | 1 |"), version_tree(VERSION_LINE),
                          "compatibility.md lacks a line that begins with: | 1.2.0 | 2 | catalog 5 | 1 |")

    def test_compatibility_finds_a_version_without_a_day(self):
        self.assert_finds("compatibility", version_tree(VERSION_LINE, "## 1.2.0\n"), version_tree(VERSION_LINE, "## 1.2.0 - 2026-01-02\n"),
                          "CHANGELOG.md: '## 1.2.0' is not '## VERSION - YYYY-MM-DD'")

    def test_rooms_finds_an_include_of_a_higher_room(self):
        path = "src/engine/read/view.c"
        self.assert_finds("rooms", {path: '#include "engine/decide/decide.h"\n'},
                          {path: '#include "engine/read/rows.h"\n#include "engine/reason.h"\n'},
                          f"{path} includes engine/decide/decide.h, which stands above it")

    def test_rooms_finds_a_room_that_knows_the_face(self):
        path = "src/engine/job/job.c"
        include = '#include "engine/compact.h"\n'
        self.assert_finds("rooms", {path: include}, {"src/engine/compact.c": include},
                          f"{path} includes engine/compact.h, which stands above it")

    def test_tests_finds_a_module_without_a_test(self):
        files = {"src/policy/policy.h": SPDX, "src/policy/policy.c": SPDX}
        self.assert_finds("tests", files, files | {"tests/unit/policy/test_policy.c": ""},
                          "src/policy/policy.h: neither tests/unit/policy/test_policy.c nor")

    def test_tests_finds_a_named_test_that_does_not_exist(self):
        module = "src/policy/policy.h"
        files = {module: SPDX + "// Threads: any.\n// Tests:   tests/prop/a.c,\n//   tests/prop/b.c.\n",
                 "tests/prop/a.c": ""}
        self.assert_finds("tests", files, files | {"tests/prop/b.c": ""},
                          f"{module}: Tests: names tests/prop/b.c, which does not exist")

    def test_tests_finds_a_claim_without_its_test(self):
        name = "docs/internals/proposals.md"
        page = "| | claim | test |\n| --- | --- | --- |\n| 1 | a | `e2e/a.py: case` |\n| 2 | b | none |\n"
        files = {name: page, "tests/e2e/a.py": "case"}
        for wrong, message in (({"tests/e2e/a.py": ""}, "row 1: tests/e2e/a.py has no case"),
                               ({name: page.replace("a.py", "b.py")}, "row 1 names tests/e2e/b.py, which does not exist"),
                               ({name: page.replace("none", "some")}, "row 2 names no test"),
                               ({name: page.replace("| 2", "| 3")}, "row 3 is where row 2 should be")):
            self.assert_finds("tests", files | wrong, files, f"{name}: {message}")

    def test_options_finds_a_table_that_is_not_that_of_the_program(self):
        table = {"src/cli/base/options.def": '\nLOUPE_OPTION(sum, TEXT, in, "in", \'i\', "A", "LOUPE_IN", NULL,\n    "read " "it, (\'so\')")\n'}
        page = ("<!-- options of sum -->\n\n| option | meaning |\n"
                "| --- | --- |\n| `-i`, `--in A` | read it, ('so') |\n\n<!-- end -->\n")
        name = "docs/reference/configuration.md"
        self.assert_finds("options", table | {name: page.replace("read it", "write it")}, table | {name: page},
                          f"{name} says other options than src/cli/base/options.def")
        self.assert_finds("options", table | {name: ""}, table | {name: page}, f"{name}: no options of sum")
        self.assert_finds("options", {key: text.replace("LOUPE_IN", "LOUPE_OUT") for key, text in table.items()} | {name: page},
                          table | {name: page}, "the variable of --in has another name")

    def test_routes_finds_what_the_page_lacks_or_invents(self):
        table = {"src/collector/http/routes/http_routes.def": 'ROUTE("/a/{id}", "GET, HEAD", X, Y, f)\nROUTE("/a/{id}", "DELETE", X, Y, f)\n'
                 'ROUTE("/api/v1/{question}", "GET, HEAD", X, Y, f)\nROUTE("/{page}", "GET, HEAD", X, Y, f)\n',
                 "src/collector/ask/a.c": '    .path = "ids/",\n'}
        head = "| path | answer |\n| --- | --- |\n| `/` | page |\n"
        whole = "| `/a/{id}` | one; DELETE removes it |\n| `/api/v1/ids/{value}?x=Y` | ids |\n"
        name = "docs/reference/http-api.md"
        for wrong, message in ((whole.replace("DELETE", "it"), "does not say that /a/{} answers DELETE"),
                               (whole + "| `/b` | b |\n", "lists /b, which src/collector/http/routes/http_routes.def does not have"),
                               (whole.split("\n")[0] + "\n", "does not list /api/v1/ids/")):
            self.assert_finds("routes", table | {name: head + wrong}, table | {name: head + whole}, f"{name} {message}")

    def test_messages_finds_a_page_that_lacks_one(self):
        source = """// It's full.
void f(void) {
    lp_log(LP_LOG_WARN, is_new ? "the disk of %s is full" : "%" PRIu64 " bytes are"
        " free, \\"%s\\"", size /* the disk's */, name);
    lp_problem_set(problem, LP_EIO, "option %.*s: too, long, over %" PRIu32, 3, key, 5);
}
"""
        rows = ("| warn | `... bytes are free, \"...\"` |", "| problem | `option ...: too, long, over ...` |", "| warn | `the disk of ... is full` |")
        with tempfile.TemporaryDirectory() as root:
            path = pathlib.Path(root, "src/collector/a.c")
            path.parent.mkdir(parents=True)
            path.write_text(source, encoding="utf-8")
            page = check_messages.make_page(pathlib.Path(root))
        self.assertEqual([line for line in page.splitlines() if line.startswith("| ") and "`" in line], list(rows))
        changed = {"src/collector/a.c": source.replace("full", "empty"), check_messages.PAGE: page}
        self.assert_finds("messages", changed, {**changed, "src/collector/a.c": source}, "lists other messages than the sources")

    def test_tidy_finds_what_the_analyser_sees(self):
        with tempfile.TemporaryDirectory() as folder:
            root = tidy_tree(folder)
            for line, code in ((NULL_READ, 1), ("return p == 0 ? 0 : *p;", 0)):
                self.assert_tidy_ends(code, root, line)
            (root / "README.md").write_text("Of a commit without C\n")
            for files in ("src", "README.md"):  # with a mistake, and without C
                (root / "src/a.c").write_text(tidy_source(NULL_READ))
                commit(root, files)
            self.assert_tidy_ends(0, root, NULL_READ)  # it has not changed
            self.assert_tidy_ends(1, root, NULL_READ, "--all")
            self.assert_tidy_ends(1, root, NULL_READ + " /* changed */")

    def assert_tidy_ends(self, code, root, line, *options):
        (root / "src/a.c").write_text(tidy_source(line))
        subprocess.run(["ninja", "-C", root / "build"], check=True, stdout=subprocess.DEVNULL)
        done = subprocess.run([sys.executable, HERE / "check_tidy.py", root, root / "build", *options],
                              capture_output=True, text=True, check=False)
        if done.returncode == SKIPPED:
            self.skipTest(done.stdout)
        self.assertEqual(done.returncode, code, done.stdout)
        self.assertEqual("NullDereference" in done.stdout, code == 1, done.stdout)

    def test_format_finds_what_changed(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "src").mkdir()
            for name, text in (("old", "int  a;\n"), ("new", "int b;\n")):
                (root / f"src/{name}.c").write_text(text)
                commit(root, ".")
            for text, options, code in (("int b;\n", (), 0), ("int b;\n", ("--all",), 1), ("int  b;\n", (), 1)):
                (root / "src/new.c").write_text(text)
                done = subprocess.run([sys.executable, HERE / "check_format.py", root, *options], capture_output=True, text=True, check=False)
                if done.returncode == SKIPPED:
                    self.skipTest(done.stdout)
                self.assertEqual(done.returncode != 0, code != 0, done.stderr)

    def test_elf_finds_each_flag_that_is_missing(self):
        flags = {"-fstack-protector-all": "-fno-stack-protector", "-fstack-clash-protection": "-fno-stack-clash-protection",
                 "-fcf-protection=full": "-fcf-protection=none", "-O2 -D_FORTIFY_SOURCE=2": "-O2 -U_FORTIFY_SOURCE",
                 "-Wl,-z,now": "-Wl,-z,lazy", "-Wl,-z,relro": "-Wl,-z,norelro", "-Wl,-z,noexecstack": "-Wl,-z,execstack",
                 "-fPIE -pie": "-no-pie", "-Wl,-z,defs": "-Wl,-rpath,/tmp"}
        if platform.machine() != "x86_64":
            self.skipTest("not x86-64")
        with tempfile.TemporaryDirectory() as folder:
            source, built = pathlib.Path(folder, "a.c"), pathlib.Path(folder, "a")
            source.write_text("#include <stdio.h>\n#include <string.h>\nint main(int n, char **words) {\n"
                              "char a[99999]; strcpy(a, words[n - 1]); return puts(a); }\n")
            for missing in (None, *flags):
                given = [without if flag == missing else flag for flag, without in flags.items()]
                subprocess.run(["cc", *" ".join(given).split(), source, "-o", built], check=True)
                code, output = run_here(HERE / "check_elf.py", str(built))
                self.assertEqual(code, 0 if missing is None else 1, f"{missing}: {output}")

    def test_deploy_finds_what_is_wrong_or_open(self):
        unit = (HERE.parent.parent / "deploy/loupe.service").read_text(encoding="utf-8")
        for change, code in ((("", ""), 0), (("UMask=", "UMaks="), 1), (("PrivateUsers=yes\nRestrictSUIDSGID=yes\n", ""), 1)):
            with tempfile.TemporaryDirectory() as root:
                (pathlib.Path(root) / "deploy").mkdir()
                (pathlib.Path(root) / "deploy/loupe.service").write_text(unit.replace(*change), encoding="utf-8")
                done = subprocess.run([sys.executable, HERE / "check_deploy.py", root, "/bin/true"],
                                      capture_output=True, text=True, check=False)
            if done.returncode == SKIPPED:
                self.skipTest(done.stdout)
            self.assertEqual(done.returncode, code, done.stdout)

    def test_version_finds_a_copy(self):
        cmake = "project(loupe VERSION 3.4.5 LANGUAGES C)\n"
        self.assert_finds("version", {"CMakeLists.txt": cmake, "docs/a.md": "\nloupe-3.4.5.jar\n"},
                          {"CMakeLists.txt": cmake, "docs/a.md": "loupe-VERSION.jar and 13.4.5\n"},
                          "docs/a.md:2: a copy of the version")
        path = "java/examples/maven/pom.xml"
        self.assert_finds("version", {"CMakeLists.txt": cmake, path: "3.4.4\n"}, {"CMakeLists.txt": cmake, path: "3.4.5\n"},
                          f"{path} does not have the version, 3.4.5")

    def test_links_finds_a_link_that_leads_nowhere(self):
        self.assert_finds("links", {"a.md": "[b](b.md#c)"}, {"a.md": "[b](b.md#c-d)", "b.md": "## `C` [d](a.md)"},
                          "a.md: b.md does not exist")
        self.assert_finds("links", {"a.md": "# a\n```\n# b\n```\n[c](#b)"}, {"a.md": "# b\n# B\n[c](#b-1)"}, "a.md: #b: no such heading")

    def test_pages_run_as_they_stand_there(self):
        page = ("# A\n## One\n```console\n$ echo '\"id\": \"7a\"' \\\n    >made\n$ cat made\n```\nText.\n```console\n$ echo 1 ID; echo 2; exit_of() "
                "{ return $1; }\n1 ...a\n2\n$ exit_of 0\n```\n## Two\n```console\n$ false\n```\n")
        with tempfile.TemporaryDirectory() as folder:
            self.run_page(page, "One", folder)
            self.assertEqual(pathlib.Path(folder, "made").read_text(encoding="ascii"), '"id": "7a"\n')
            for wrong, message in (
                    ("$ false", "failed"), ("$ exit_of 3", "failed"), ("$ echo ID", "none was printed before"),
                    ("$ echo 1; echo 2\n2\n1", "did not print the line `1`"), ("$ echo 12\n1", "did not print the line `1`"),
                    ("text", "begins without a command")):
                with self.assertRaisesRegex(pages.Wrong, message):
                    self.run_page(f"## One\n```console\n{wrong}\n```\n", "One", folder)
            for title in ("Three", "A"):
                with self.assertRaisesRegex(pages.Wrong, "no"):
                    self.run_page("# A\n```\n$ true\n```\n", title, folder)

    def run_page(self, page, title, folder):
        made = pages.commands(page, title)
        shell = pages.Shell([], folder, None, 60)
        try:
            for command in made:
                shell.run(command)
        finally:
            shell.end()


if __name__ == "__main__":
    unittest.main()
