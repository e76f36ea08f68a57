#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_elf.py FILE...: what cmake/LoupeHardening.cmake asks for is in the programs and libraries that were built.

The agent holds static libraries of Debian's that are built without some of it, so what the compiler does is looked for, not
counted. For the same reason neither the agent nor the program has the mark of IBT and SHSTK, which the linker leaves out where
one object lacks it: Debian 12's crt1.o does.
"""

import platform
import re
import subprocess
import sys


def output(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, check=True, env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"}).stdout.decode()


def check_segments(path):
    text = output("readelf", "-hlW", path)
    if not re.search(r"Type: +DYN ", text):
        yield "it is loaded at an address that is known: not position independent"
    flags = re.findall(r"^ +(LOAD|GNU_STACK|GNU_RELRO) +(?:0x\w+ +){5}([RWE ]+?) +0x", text, re.MULTILINE)
    if ("GNU_STACK", "RW") not in flags:
        yield "its stack can be executed"
    if any(name == "LOAD" and "W" in rights and "E" in rights for name, rights in flags):
        yield "some of it can be written and executed"
    if not any(name == "GNU_RELRO" for name, _ in flags):
        yield "its relocations stay writable: no RELRO"


def check_dynamic(path):
    text = output("readelf", "-dW", path)
    if not re.search(r"\(FLAGS(_1)?\).*\b(BIND_)?NOW\b", text):
        yield "its functions are bound when they are called, in memory that stays writable: no BIND_NOW"
    if re.search(r"\((RPATH|RUNPATH)\)", text):
        yield "it has a path of its own to libraries"
    if re.search(r"\(TEXTREL\)|TEXTREL", text):
        yield "its code is relocated"


def check_functions(path):
    names = set(re.findall(r" (__\w+_chk|__stack_chk_fail)\b", output("readelf", "-W", "--dyn-syms", path)))
    if "__stack_chk_fail" not in names:
        yield "no stack is protected"
    if not names - {"__stack_chk_fail"}:
        yield "no size is checked: no _FORTIFY_SOURCE"


def check_code(path):
    text = output("objdump", "-d", "--no-show-raw-insn", path)
    if not re.search(r"orq +\$0x0,\(%rsp\)", text):
        yield "a large frame may step over the guard of the stack: no -fstack-clash-protection"
    entries = re.findall(r"^[0-9a-f]+ <(main|Agent_OnLoad)>:\n +[0-9a-f]+:\t(\S+)", text, re.MULTILINE)
    if not entries or any(first != "endbr64" for _, first in entries):
        yield "functions do not say that they may be jumped to: no -fcf-protection"


def main():
    checks = [check_segments, check_dynamic, check_functions]
    if platform.machine() == "x86_64":
        checks.append(check_code)
    problems = [f"{path}: {problem}" for path in sys.argv[1:] for check in checks for problem in check(path)]
    print("\n".join(problems) or "all is hardened")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
