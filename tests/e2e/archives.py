# SPDX-License-Identifier: Apache-2.0
"""Promised: the application's class archive is used with the agent as without it, and all contexts arrive.

Each archive is used without the agent first, which tells the application's classes that come out of it; with the agent at
least these do. The application's own copy of loupe.jar is on its class path, and in the archives.

--case dynamic: -XX:ArchiveClassesAtExit, made without the agent, under -Xshare:on; then the agent is loaded into a running JVM.
--case static:  -XX:SharedClassListFile, of a list that was written without the agent, and of one written with it.
--case aot:     JDK 25's AOT cache, of a training without the agent, and of one with it.
--case boot:    loupe.jar is on the boot class path already: the agent uses what is there.
"""

import argparse
import os
import re

from support import judge, sequence
from support.process import API_JAR, Collector, check, run

OURS = re.compile(r"\] (dev\.loupe\.[\w.$]+) source: shared objects file")
BRIEF_RUN = ("1000", "for:200")


def run_plain(feature, scenario, name, *vm):
    """SequenceE2E without the agent, to its end."""
    scenario.jvm(feature, "SequenceE2E", *BRIEF_RUN, vm=vm, name=name).wait_exit()


def loaded(scenario, name):
    """The application's classes that a JVM has taken from its archive."""
    with open(scenario.path(f"{name}.classes"), encoding="utf-8") as file:
        return set(OURS.findall(file.read()))


def log_classes(scenario, name):
    return f"-Xlog:class+load:file={scenario.path(name)}.classes"


def check_superset(without, with_agent, least=10):
    print(f"classes of the application from the archive: {len(without)} without the agent, {len(with_agent)} with it")
    check(len(without) >= least, f"without the agent there are no more than {without}")
    check(without <= with_agent, f"with the agent {sorted(without - with_agent)} are not from the archive")


class Trial:
    """A collector, and JVMs that use an archive."""

    def __init__(self, feature, scenario):
        self.feature, self.scenario = feature, scenario
        self.collector = Collector(scenario).start()

    def use_without(self, name, *vm):
        """Returns the classes that a JVM without the agent takes from the archive."""
        name = f"{name}-without"
        run_plain(self.feature, self.scenario, name, *vm, log_classes(self.scenario, name))
        return loaded(self.scenario, name)

    def use_with(self, name, *vm):
        """Returns the same with the agent, once all contexts have arrived."""
        options = self.scenario.agent_options(self.collector, name)
        jvm = self.scenario.jvm(self.feature, "SequenceE2E", "1000", "for:300", agent=options, name=name,
                                vm=(*vm, log_classes(self.scenario, name)))
        jvm.wait_exit()
        ticks, first_context = sequence.last_words(jvm)
        path = self.collector.download(self.collector.recording(name), self.scenario.path(f"{name}.jfr"))
        sequence.check_complete(path, ticks, first_context)
        return loaded(self.scenario, name)

    def warnings(self, name):
        return [line for line in self.scenario.log_of(name).splitlines() if " warn " in line or " error " in line]


def dynamic(feature, scenario):
    trial = Trial(feature, scenario)
    archive = scenario.path("dynamic.jsa")
    run_plain(feature, scenario, "dump", f"-XX:ArchiveClassesAtExit={archive}")
    use = (f"-XX:SharedArchiveFile={archive}", "-Xshare:on")
    without = trial.use_without("dynamic", *use)
    check_superset(without, trial.use_with("dynamic", *use))
    check(not trial.warnings("dynamic"), f"{trial.warnings('dynamic')}")
    attach(trial, use)
    trial.collector.stop()


def attach(trial, use):
    scenario, stop = trial.scenario, trial.scenario.path("stop")
    late = ["-XX:+EnableDynamicAgentLoading"] if trial.feature >= 21 else []
    jvm = scenario.jvm(trial.feature, "SequenceE2E", "1000", f"until:{stop}", name="attached",
                       vm=(*use, *late, log_classes(scenario, "attached")))
    jvm.wait_line("ready$")
    jvm.load_agent(trial.feature, scenario.agent_options(trial.collector, "attached"))
    recording = trial.collector.recording("attached")
    trial.collector.wait_for_growth(recording)
    with open(stop, "w", encoding="ascii"):
        pass
    jvm.wait_exit()
    ticks, first_context = sequence.last_words(jvm)
    path = trial.collector.download(recording, scenario.path("attached.jfr"))
    first_tick = min(int(event.values["seq"]) for event in judge.dump(path) if event.type == "e2e.Tick")
    sequence.check_complete(path, ticks, first_context, first_tick)


def make_static(trial, name, agent):
    """Returns how a static archive is used whose list of classes is of a run with these options of the agent."""
    words, archive = trial.scenario.path(f"{name}.list"), trial.scenario.path(f"{name}.jsa")
    trial.scenario.jvm(trial.feature, "SequenceE2E", *BRIEF_RUN, agent=agent, name=f"{name}-list",
                       vm=[f"-XX:DumpLoadedClassList={words}"]).wait_exit()
    trial.scenario.jvm(trial.feature, "SequenceE2E", name=f"{name}-dump",
                       vm=["-Xshare:dump", f"-XX:SharedClassListFile={words}", f"-XX:SharedArchiveFile={archive}"]).wait_exit()
    return f"-XX:SharedArchiveFile={archive}", "-Xshare:on"


def static(feature, scenario):
    trial = Trial(feature, scenario)
    use = make_static(trial, "plain", None)
    check_superset(trial.use_without("plain", *use), trial.use_with("plain", *use))
    check(not trial.warnings("plain"), f"{trial.warnings('plain')}")
    # Such an archive has classes of loupe.jar that only the agent uses.
    use = make_static(trial, "listed", scenario.agent_options(trial.collector, "lister"))
    trial.use_with("listed", *use)
    told = trial.warnings("listed")
    check(len(told) == 1 and "class archive is not used" in told[0] and "write the list without the agent" in told[0], f"it says {told}")
    trial.collector.stop()


def aot(feature, scenario):
    trial = Trial(feature, scenario)
    # What extends classes of the agent's is not stored, nor are these.
    for name, agent, least in (("plain", None, 10), ("trained", scenario.agent_options(trial.collector, "trainer"), 2)):
        cache = scenario.path(f"{name}.aot")
        scenario.jvm(feature, "SequenceE2E", *BRIEF_RUN, agent=agent, name=f"{name}-training",
                     vm=[f"-XX:AOTCacheOutput={cache}"]).wait_exit()
        check(os.path.exists(cache), f"{name}: the training has made no cache")
        check((agent is not None) == ("trains an AOT cache" in scenario.log_of(f"{name}-training")),
              f"{name}: the agent says, if it is there, that contexts stay on their threads")
        use = (f"-XX:AOTCache={cache}", "-XX:AOTMode=on")
        check_superset(trial.use_without(name, *use), trial.use_with(name, *use), least)
        check(not trial.warnings(name), f"{trial.warnings(name)}")
    trial.collector.stop()


def boot(feature, scenario):
    trial = Trial(feature, scenario)
    archive = scenario.path("boot.jsa")
    appended = f"-Xbootclasspath/a:{API_JAR}"
    run_plain(feature, scenario, "dump", appended, f"-XX:ArchiveClassesAtExit={archive}")
    use = (appended, f"-XX:SharedArchiveFile={archive}", "-Xshare:on")
    without = trial.use_without("boot", *use)
    check_superset(without, trial.use_with("boot", *use))
    check(not trial.warnings("boot"), f"{trial.warnings('boot')}")
    trial.collector.stop()


CASES = {"dynamic": dynamic, "static": static, "aot": aot, "boot": boot}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    parser.add_argument("--case", choices=sorted(CASES), required=True)
    args = parser.parse_args()
    run(f"archives-{args.case}-{args.jdk}", lambda scenario: CASES[args.case](args.jdk, scenario))


main()
