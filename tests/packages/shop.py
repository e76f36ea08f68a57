# SPDX-License-Identifier: Apache-2.0
"""shop: a program whose threads wait for each other in contexts, and what has to be in a recording of it."""

import json
import pathlib
import tempfile

from runs import expect, run

# Runs until a file is there, whose name is its argument.
PROGRAM = """
import dev.loupe.ContextType;
import dev.loupe.Loupe;
import java.io.File;

public class Shop {
    @jdk.jfr.Name("shop.Request")
    public static class Request extends ContextType {
        @jdk.jfr.Name("number") public String number;
    }

    private static final Object LOCK = new Object();

    private static void serve(File stop) {
        for (int i = 0; !stop.exists(); i++) {
            Request request = new Request();
            request.number = Thread.currentThread().getName() + " " + i;
            request.set();
            synchronized (LOCK) {
                try { Thread.sleep(25); } catch (InterruptedException e) { return; }
            }
            request.unset();
        }
    }

    public static void main(String[] args) throws Exception {
        Loupe.registerContext(Request.class);
        File stop = new File(args[0]);
        Thread first = new Thread(() -> serve(stop)), second = new Thread(() -> serve(stop));
        first.start(); second.start(); first.join(); second.join();
    }
}
"""


def build_shop(jar, classes):
    """The class Shop, compiled against loupe.jar by this machine's javac."""
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "Shop.java")
        source.write_text(PROGRAM, encoding="ascii")
        run("javac", "--release", "17", "-cp", jar, "-d", classes, source)


def check_shop(program, name, row, file):
    """ROW is what the collector lists, FILE what it lets download."""
    expect(not any(row["losses"].values()), f"{name}: nothing was lost")
    summary = json.loads(run(program, "summary", "--json", file))
    listed = run(program, "contexts", file)
    expect("shop.Request number=Thread-" in listed, f"{name}: {summary['events']} events, in contexts of the application's")
