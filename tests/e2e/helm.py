# SPDX-License-Identifier: Apache-2.0
"""Promised: what the charts in deploy/helm make is right for Kubernetes, and a collector and a JVM run with it.

The charts are linted and rendered in several ways, and each object is checked against Kubernetes' schemas. Then a collector
is started with the variables of its pod, its volumes laid out as the kubelet lays them out, and a JVM with the
JAVA_TOOL_OPTIONS of another chart's pod; its token is replaced meanwhile, as a Secret is.
"""

import argparse
import json
import os
import re
import shutil
import subprocess

from support.process import AGENT, LIMIT_S, LOUPE, Collector, check, run, wait_for
from support.pypi import HELM, SCHEMAS, need
from support.token_file import WithToken, rule

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
CHARTS = os.path.join(ROOT, "deploy", "helm")
VERSIONS = ("1.25.0", "1.37.0")
OBJECTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "support", "kubernetes_objects.py")
TLS = {"tls": {"existingSecret": "certificate", "clientCa": "agents-ca"}}
WAYS = {
    "defaults": {},
    "all": TLS | {"audit": True, "serviceMonitor": {"enabled": True, "labels": {"release": "prometheus"}},
                  "env": [{"name": "LOUPE_IDLE", "value": "30"}], "persistence": {"storageClass": "fast"},
                  "policies": {"checkout.keep": "age 30d\nbytes 5G\n"}},
    "insecure": {"insecure": True, "networkPolicy": {"enabled": False}},
    "openshift": {"podSecurityContext": {"runAsUser": None, "runAsGroup": None, "fsGroup": None},
                  "tokens": {"existingSecret": "mine"}},
    "store": {"store": {"url": "s3://recordings/loupe?endpoint=https://s3.example.org:9000", "existingSecret": "keys"},
              "networkPolicy": {"storeTo": [{"ipBlock": {"cidr": "192.0.2.0/24"}}], "storePort": 9000}},
    "catalog": {"store": {"url": "s3://recordings"}, "catalog": {"existingSecret": "database"},
                "networkPolicy": {"catalogTo": [{"podSelector": {"matchLabels": {"app": "postgresql"}}}]}},
    "several": TLS | {"store": {"url": "s3://recordings"}, "catalog": {"existingSecret": "database"}, "replicas": 3},
    "log": {"store": {"url": "s3://recordings"}, "catalog": {"existingSecret": "database"}, "replicas": 3,
            "journal": {"url": "kafka://kafka:9093/loupe?group=blue", "existingSecret": "kafka"},
            "networkPolicy": {"journalTo": [{"podSelector": {"matchLabels": {"app": "kafka"}}}], "journalPort": 9093}},
    "identity": {"store": {"url": "s3://recordings?region=eu-west-1"},
                 "serviceAccount": {"annotations": {"eks.amazonaws.com/role-arn": "arn:aws:iam::1:role/loupe"}}},
}
MISTAKES = {"several collectors need store.url": {"replicas": 2, "store": {"url": "s3://recordings"}}, "policies: checkout.txt is neither": {"policies": {"checkout.txt": ""}}, "keepbytes": {"keepbytes": "5G"}}
APPLICATION = """
apiVersion: v1
kind: Pod
metadata:
  name: shop
spec:
  initContainers: {{- include "loupe-agent.initContainer" .Values.loupe | nindent 4 }}
  containers:
    - name: shop
      image: shop
      env: {{- include "loupe-agent.env" .Values.loupe | nindent 8 }}
      volumeMounts: {{- include "loupe-agent.volumeMounts" .Values.loupe | nindent 8 }}
  volumes: {{- include "loupe-agent.volumes" .Values.loupe | nindent 4 }}
"""


class Helm:
    """The programs, and what they say."""

    def __init__(self, scenario):
        self.programs, self.scenario = need(HELM, SCHEMAS), scenario

    def run(self, program, *arguments, stdin=None):
        done = subprocess.run([os.path.join(self.programs, program), *arguments], cwd=self.scenario.dir, timeout=LIMIT_S,
                              input=stdin, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        return done.returncode, done.stdout.decode()

    def render(self, chart, ways):
        """The objects that each of the ways makes of the chart, by kind and name."""
        texts = []
        for values in ways:
            self.write_values(values)
            code, text = self.run("helm", "template", "observed", chart, "--namespace", "shop", "--values", "values.json")
            check(code == 0, text)
            texts.append(text)
        code, said = self.run("python3", OBJECTS, *VERSIONS, stdin=json.dumps(texts).encode())
        check(code == 0, said)
        return [{f"{one['kind']}/{one['metadata']['name']}": one for one in objects} for objects in json.loads(said)]

    def write_values(self, values):
        with open(self.scenario.path("values.json"), "w", encoding="utf-8") as file:
            json.dump(values, file)


def check_charts(helm):
    for chart in ("loupe", "loupe-agent"):
        code, said = helm.run("helm", "lint", "--strict", os.path.join(CHARTS, chart))
        check(code == 0, said)
    for problem, values in MISTAKES.items():
        helm.write_values(values)
        code, said = helm.run("helm", "template", os.path.join(CHARTS, "loupe"), "--values", "values.json")
        check(code != 0 and problem in said, f"{values}: {said}")


def check_ways(helm):
    """Renders the chart in all ways; returns what the defaults make."""
    made = dict(zip(WAYS, helm.render(os.path.join(CHARTS, "loupe"), WAYS.values())))
    pods = {way: pod_of(objects) for way, objects in made.items()}
    known = subprocess.run([LOUPE, "collect", "--help"], stdout=subprocess.PIPE, timeout=LIMIT_S, check=True).stdout.decode()
    for way, pod in pods.items():
        for name in env_of(pod):
            check(re.search(rf"\b{name}\b", known), f"{way}: {name} is no variable of loupe collect")
        mounts = {one["name"] for one in container_of(pod)["volumeMounts"]}
        check(mounts == {"data"} | {one["name"] for one in pod.get("volumes", ())}, f"{way}: volumes are not those that are mounted")
    check("Secret/observed-loupe-tokens" not in made["insecure"] and "Secret/observed-loupe-tokens" not in made["openshift"],
          "tokens that nobody uses")
    check("runAsUser" not in pods["openshift"]["securityContext"], "the platform is not asked for a user")
    check(container_of(pods["all"])["readinessProbe"]["httpGet"]["scheme"] == "HTTPS", "probes do not speak TLS")
    monitor, = (one for name, one in made["all"].items() if name.startswith("ServiceMonitor/"))
    endpoint, = monitor["spec"]["endpoints"]
    ports = [port["name"] for port in made["all"]["Service/observed-loupe"]["spec"]["ports"]]
    check(endpoint["port"] in ports and endpoint["scheme"] == "https", f"{endpoint} is not of {ports}")
    check_store(made, pods)
    check_several(made["several"], pods)
    check_log(made["log"], pods)
    return made["defaults"]


def check_store(made, pods):
    """Where chunks go, by whose keys, and that the network lets them."""
    def egress(way):
        return made[way]["NetworkPolicy/observed-loupe"]["spec"]["egress"]
    check(egress("defaults") == [], "without a store the collector may connect to somebody")
    keys = {one["name"]: one["valueFrom"]["secretKeyRef"] for one in container_of(pods["store"])["env"] if "valueFrom" in one}
    names = ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY")
    check(keys == {name: {"name": "keys", "key": name} for name in names}, f"keys: {keys}")
    uri = {one["name"]: one["valueFrom"]["secretKeyRef"] for one in container_of(pods["catalog"])["env"]
           if "secretKeyRef" in one.get("valueFrom", {})}
    check(uri == {"LOUPE_CATALOG": {"name": "database", "key": "url"}}, f"the catalog: {uri}")
    check([port["port"] for rule in egress("catalog") for port in rule["ports"]] == [53, 53, 443, 5432, "http"],
          f"{egress('catalog')}")
    check(egress("store")[-1] == {"to": [{"ipBlock": {"cidr": "192.0.2.0/24"}}], "ports": [{"port": 9000, "protocol": "TCP"}]},
          f"{egress('store')}")
    check(env_of(pods["identity"])["LOUPE_STORE"] == "s3://recordings?region=eu-west-1", "the store's URL")
    check({port["port"] for rule in egress("identity") for port in rule["ports"]} == {53, 443}, f"{egress('identity')}")
    check("eks.amazonaws.com/role-arn" in made["identity"]["ServiceAccount/observed-loupe"]["metadata"]["annotations"], "no role")


def check_several(made, pods):
    """Collectors that share a catalog have names of their own, and reach each other."""
    check("LOUPE_NODE_URL" not in env_of(pods["store"]), "one that shares no catalog says that it does")
    names = [one for one in container_of(pods["several"])["env"] if one["name"] == "LOUPE_NODE"]
    check(names == [{"name": "LOUPE_NODE", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}}], f"names: {names}")
    url = env_of(pods["several"])["LOUPE_NODE_URL"]
    check(url == "https://$(LOUPE_NODE).observed-loupe-pods.shop.svc:7412", f"its URL: {url}")
    order = [one["name"] for one in container_of(pods["several"])["env"]]
    check(order.index("LOUPE_NODE") < order.index("LOUPE_NODE_URL"), "what refers to a variable has to come behind it")
    check(made["StatefulSet/observed-loupe"]["spec"]["replicas"] == 3, "how many")
    own = {"podSelector": {"matchLabels": made["StatefulSet/observed-loupe"]["spec"]["selector"]["matchLabels"]}}
    policy = made["NetworkPolicy/observed-loupe"]["spec"]
    for rules, side in ((policy["ingress"], "from"), (policy["egress"], "to")):
        check({side: [own], "ports": [{"port": "http", "protocol": "TCP"}]} in rules, f"{side} each other: {rules}")
    check(made["PodDisruptionBudget/observed-loupe"]["spec"]["maxUnavailable"] == 1, "they may all be drained at once")


def check_log(made, pods):
    """Batches go through a topic, with the properties of a Secret, and the network lets them."""
    check("LOUPE_JOURNAL" not in env_of(pods["several"]), "one without a log says that it has one")
    url = env_of(pods["log"])["LOUPE_JOURNAL"]
    check(url == "kafka://kafka:9093/loupe?group=blue&config=/etc/loupe/journal/properties", f"its URL: {url}")
    mount, = [one for one in container_of(pods["log"])["volumeMounts"] if one["name"] == "journal"]
    check(mount == {"name": "journal", "mountPath": "/etc/loupe/journal", "readOnly": True}, f"{mount}")
    volume, = [one for one in pods["log"]["volumes"] if one["name"] == "journal"]
    check(volume["secret"]["secretName"] == "kafka" and volume["secret"]["items"] == [{"key": "properties", "path": "properties"}], f"{volume}")
    rule = {"to": [{"podSelector": {"matchLabels": {"app": "kafka"}}}], "ports": [{"port": 9093, "protocol": "TCP"}]}
    check(rule in made["NetworkPolicy/observed-loupe"]["spec"]["egress"], f"{made['NetworkPolicy/observed-loupe']['spec']['egress']}")


def pod_of(objects):
    return next(one for name, one in objects.items() if name.startswith("StatefulSet/"))["spec"]["template"]["spec"]


def container_of(pod):
    container, = pod["containers"]
    return container


def env_of(pod):
    return {one["name"]: one["value"] for one in container_of(pod)["env"] if "value" in one}


def lay_out(folder, files):
    """A volume as the kubelet makes it: a new version of it takes the place of the old at once."""
    os.makedirs(folder, exist_ok=True)
    version = os.path.join(folder, f"..{len(os.listdir(folder))}")
    os.mkdir(version)
    for name, content in files.items():
        with open(os.path.join(version, name), "w", encoding="utf-8") as file:
            file.write(content)
        if not os.path.lexists(os.path.join(folder, name)):
            os.symlink(os.path.join("..data", name), os.path.join(folder, name))
    os.symlink(os.path.basename(version), os.path.join(folder, "..new"))
    os.rename(os.path.join(folder, "..new"), os.path.join(folder, "..data"))


def start_collector(scenario, pod, secret):
    """The collector of the pod, its files below the scenario's directory."""
    lay_out(scenario.path("tokens"), {"tokens": secret["tokens"]})
    places = {"/etc/loupe/tokens": scenario.path("tokens"), "/usr/share/loupe/policies": os.path.join(ROOT, "policies")}
    collector = Collector(scenario)
    for name, value in env_of(pod).items():
        if name not in ("LOUPE_AGENTS", "LOUPE_HTTP", "LOUPE_DATA"):
            for before, now in places.items():
                value = value.replace(before, now)
            collector.env[name] = value
    collector.start(is_by_flags=False)
    for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
        path = container_of(pod)[probe]["httpGet"]["path"]
        check(collector.get(path).status == 200, f"{path} is not answered")
    check(collector.get("/metrics").status == 401, "metrics without a token")
    check(WithToken(collector, secret["metrics-token"]).get("/metrics").status == 200, "metrics, with their token")
    return collector


def java_tool_options(scenario, helm, collector):
    """What the library makes of the application's chart."""
    chart = scenario.path("shop")
    shutil.copytree(os.path.join(CHARTS, "loupe-agent"), os.path.join(chart, "charts", "loupe-agent"))
    os.makedirs(os.path.join(chart, "templates"))
    for path, content in (("Chart.yaml", "apiVersion: v2\nname: shop\nversion: 1.0.0\n"), ("templates/pod.yaml", APPLICATION)):
        with open(os.path.join(chart, path), "w", encoding="utf-8") as file:
            file.write(content)
    values = {"image": "registry.example.org/loupe", "collector": collector.agents, "service": "shop", "tokenSecret": "tokens",
              "options": "segment=2", "javaOptions": "-Dshop.open=true"}
    ways = [{}, {"caSecret": "ca"}, {"libc": "musl"}, {"collector": ["tcp://a:1", "tcp://b:1"]}]
    made = helm.render(chart, [{"loupe": values | way} for way in ways])
    pod, _, musl, several = (objects["Pod/shop"]["spec"] for objects in made)
    check("-agentpath:/opt/loupe/musl/libloupe.so=" in env_of(musl)["JAVA_TOOL_OPTIONS"], "the agent for musl libc")
    check("=collector=tcp://a:1,collector=tcp://b:1,service=" in env_of(several)["JAVA_TOOL_OPTIONS"], "several collectors")
    check(pod["initContainers"][0]["volumeMounts"][0]["name"] in [one["name"] for one in pod["volumes"]], "no volume")
    text = env_of(pod)["JAVA_TOOL_OPTIONS"]
    check(text.startswith("-Dshop.open=true -agentpath:/opt/loupe/libloupe.so="), text)
    return text.replace("/opt/loupe/libloupe.so", AGENT).replace("/etc/loupe/token/", scenario.path("token") + "/")


def replace_token(scenario, collector, secret):
    """The token of agents, replaced while they run: first both are taken, then the new one alone."""
    after = "the-next-token-of-agents"
    hashes = secret["tokens"] + rule("agents", "ingest", "*", after)
    lay_out(scenario.path("tokens"), {"tokens": hashes})
    lay_out(scenario.path("token"), {"token": after})
    old = next(line for line in hashes.splitlines(True) if line.startswith("agents "))
    lay_out(scenario.path("tokens"), {"tokens": hashes.replace(old, "")})
    recording = collector.recording("shop")
    collector.wait_for_growth(recording, 2)
    return recording


def scenario_of(feature):
    def body(scenario):
        helm = Helm(scenario)
        check_charts(helm)
        objects = check_ways(helm)
        secret = objects["Secret/observed-loupe-tokens"]["stringData"]
        collector = start_collector(scenario, pod_of(objects), secret)
        WithToken(collector, secret["admin-token"])
        lay_out(scenario.path("token"), {"token": secret["agents-token"]})
        options = java_tool_options(scenario, helm, collector)
        stop = scenario.path("stop")
        jvm = scenario.jvm(feature, "SequenceE2E", "200", f"until:{stop}", env={"JAVA_TOOL_OPTIONS": options})
        recording = replace_token(scenario, collector, secret)
        with open(stop, "w", encoding="ascii"):
            pass
        jvm.wait_exit()
        wait_for("the end of the recording", lambda: not collector.recordings()[0]["is_running"])
        losses = collector.recordings()[0]["losses"]
        check(not any(losses.values()), f"nothing is lost, but it says {losses}")
        check(collector.download(recording, scenario.path("all.jfr")), "no recording")
        collector.stop()
    return body


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jdk", type=int, default=17)
    run("helm", scenario_of(parser.parse_args().jdk))


if __name__ == "__main__":
    main()
