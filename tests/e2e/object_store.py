# SPDX-License-Identifier: Apache-2.0
"""Promised: with --store s3://... compacted chunks are in an object store, and everything else is as with files: nothing that
was acknowledged is lost or there twice, whatever the store and the network do, and downloads have the same bytes.

--case suite   the tests that files and object stores share, over a real store
--case kill    store and collector are killed while a JVM records; journals stay until their objects are there
--case faults  a store that is busy, late, hangs and breaks off: the collector answers meanwhile, and downloads say why not
--case rights  keys without the right to delete, and something on the way that takes objects and stores none
--case credentials  a file that changes, and a pod's web identity, whose keys are asked for again before they end
--case place   chunks are looked for in one place; removal; what is missing from the store

Several cases run one after the other. In rights and place each chunk is an object of its own, in the others they gather for a second. packs.py has more of that.
"""

import argparse
import glob
import os
import shutil
import subprocess

from support import packs, sequence
from support.object_server import CREDENTIALS, KEY_ID, SECRET, ObjectServer, Proxy, TokenService
from support.process import BIN_DIR, LIMIT_S, LOUPE, Collector, check, run_each, wait_for
from support.stored import end_jvm, journals, metric, start_jvm, wait_stored

CONNECTIONS_MAX = 16  # CLIENT_HTTP_IDLE_MAX


def use(collector, url, pack_seconds=1):
    collector.env = {**CREDENTIALS, "LOUPE_STORE": url, "LOUPE_PACK_SECONDS": str(pack_seconds)}
    return collector


def check_download(scenario, collector, recording, name, words):
    path = collector.download(recording, scenario.path(name))
    sequence.check_complete(path, *words)
    return path


def suite(scenario, _):
    server = ObjectServer(scenario).start()
    program = os.path.join(BIN_DIR, "test_chunk_store")
    env = dict(os.environ, **CREDENTIALS, LOUPE_TEST_STORE=server.url("some/where"))
    done = subprocess.run([program], env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600, check=False)
    text = done.stdout.decode()
    check(done.returncode == 0 and "SKIPPED" not in text, f"{program}: {text[-4000:]}")
    check(SECRET not in text, "the secret is in the log")


def kill(scenario, feature):
    server = ObjectServer(scenario).start()
    collector = use(Collector(scenario), server.url("prefix")).start()
    jvm, stop = start_jvm(scenario, feature, collector, "kill")
    recording = collector.recording("kill")
    wait_for("objects", lambda: server.objects("prefix"))
    for is_killed in (True, False):
        server.kill()
        before = set(server.objects("prefix"))
        failed = metric(collector, "loupe_object_requests_failed_total")
        # What comes now is journalled, and stays so.
        wait_for("a chunk that cannot be stored",
                 lambda failed=failed: metric(collector, "loupe_object_requests_failed_total") > failed)
        wait_for("journals", lambda: len(journals(collector)) > 2)
        check(set(server.objects("prefix")) == before, "somebody else stores objects")
        if is_killed:
            collector.kill()
            server.start()
            collector.start()
        else:
            server.start()
        wait_for("more objects", lambda before=before: set(server.objects("prefix")) - before)
    words = end_jvm(jvm, stop)
    wait_stored(collector, recording)
    first = check_download(scenario, collector, recording, "first.jfr", words)
    collector.kill()
    collector.start()
    check_same(first, collector.download(recording, scenario.path("second.jfr")))
    check(len(collector.recordings()) == 1, "more than one recording of one JVM run")
    collector.stop()
    check(SECRET not in scenario.log_of("collector"), "the secret is in the log")
    check_same(first, download_as_files(scenario, collector, server, recording))


def check_same(path, other):
    with open(path, "rb") as file, open(other, "rb") as other_file:
        check(file.read() == other_file.read(), f"{other} has other bytes than {path}")


def download_as_files(scenario, collector, server, recording):
    """The download of a collector that has the objects as files."""
    files = Collector(scenario, "files")
    shutil.copytree(collector.data, files.data)
    os.remove(f"{files.data}/store")
    for path in server.objects("prefix").values():
        for session, ordinal, content in packs.chunks(path):
            with open(f"{files.data}/chunks/{session}/{ordinal}.jfr.zst", "wb") as file:
                file.write(content)
    files.start()
    path = files.download(recording, scenario.path("files.jfr"))
    files.stop()
    return path


def faults(scenario, feature):
    server = ObjectServer(scenario).start()
    proxy = Proxy(server)
    collector = use(Collector(scenario), server.url(port=proxy.port))
    collector.divisor = 10  # of the 10 s until a store that says nothing has failed, too
    collector.start()
    jvm, stop = start_jvm(scenario, feature, collector, "faults")
    recording = collector.recording("faults")
    wait_for("objects", server.objects)
    for mode in ("busy", "hang", "late"):
        proxy.set_mode(mode)
        wait_for(f"requests while it is {mode}", lambda mode=mode: proxy.counts.get(mode, 0) > 2, 2 * LIMIT_S)
        check(collector.get("/readyz").status == 200, "batches are taken, but it is not ready")
        if mode != "late":
            check_refused(collector, recording)
        before = set(server.objects())
        proxy.set_mode("pass")
        wait_for("more objects", lambda before=before: set(server.objects()) - before, 2 * LIMIT_S)
    words = end_jvm(jvm, stop)
    wait_stored(collector, recording)
    proxy.set_mode("cut")
    cut = check_download(scenario, collector, recording, "cut.jfr", words)
    check(2 in proxy.cuts.values(), f"no object broke off: {proxy.cuts}")
    proxy.set_mode("hang")
    collector.process.terminate()  # nobody who hangs holds it
    check(collector.process.wait(LIMIT_S) == 0, "SIGTERM while the store hangs")
    proxy.set_mode("pass")
    proxy.connections, proxy.counts = 0, {}
    collector.start()
    check_same(cut, collector.download(recording, scenario.path("again.jfr")))
    check_connections(scenario, collector, recording, proxy)
    collector.stop()


def check_connections(scenario, collector, recording, proxy):
    """All requests share a few connections."""
    while proxy.counts["pass"] < 4 * CONNECTIONS_MAX:  # each time one for each chunk
        collector.download(recording, scenario.path("again.jfr"))
    check(proxy.connections <= CONNECTIONS_MAX, f"{proxy.connections} connections for {proxy.counts['pass']} requests")


def check_refused(collector, recording):
    """A download while the store does not answer: it is never part of it, and others do not wait for it."""
    refused = collector.get(f"/api/v1/recordings/{recording}.jfr")
    check(refused.status == 503 and b"object store" in refused.body, f"download: {refused.status} {refused.body[:300]}")
    head = collector.get(f"/api/v1/recordings/{recording}.jfr", method="HEAD")
    check(head.status == 200, f"HEAD: {head.status}")
    asked = collector.get(f"/api/v1/contexts?recording={recording}")
    check(asked.status == 200 and asked.json()["left_out"]["chunks"] > 0, f"question: {asked.status} {asked.body[:300]}")


def rights(scenario, feature):
    server = ObjectServer(scenario).start()
    proxy = Proxy(server)
    collector = use(Collector(scenario), server.url(port=proxy.port), 0).start()
    jvm, stop = start_jvm(scenario, feature, collector, "first")
    first = collector.recording("first")
    wait_for("objects", server.objects)
    proxy.set_mode("portal")
    before = set(server.objects())
    wait_for("objects that nobody stored", lambda: proxy.counts.get("portal", 0) > 4)
    proxy.set_mode("pass")
    wait_for("more objects", lambda: set(server.objects()) - before, 2 * LIMIT_S)
    words = end_jvm(jvm, stop)
    wait_stored(collector, first)
    check_download(scenario, collector, first, "first.jfr", words)
    check("without an ETag" in scenario.log_of("collector"), "the log does not say who answered")
    check_keeps(scenario, feature, collector, proxy, first)
    wait_for("no objects of the first one", lambda: not [key for key in server.objects() if key.startswith(first)], 2 * LIMIT_S)
    collector.stop()


def check_keeps(scenario, feature, collector, proxy, removed):
    """While it deletes nothing everything else goes on."""
    os.remove(scenario.path("stop"))
    jvm, stop = start_jvm(scenario, feature, collector, "second")
    second = collector.recording("second")
    wait_for("its first chunk", lambda: collector.get(f"/api/v1/recordings/{second}.jfr").status == 200)
    failed = metric(collector, "loupe_jobs_failed_total")
    proxy.set_mode("keep")
    gone = collector.get(f"/api/v1/recordings/{removed}", method="DELETE")
    check(gone.status == 204, f"DELETE: {gone.status}")

    def refused():
        answer = collector.get(f"/api/v1/recordings/{second}.jfr")
        check(answer.status == 200, f"download: {answer.status} {answer.body[:300]}")
        return proxy.refused > 4
    wait_for("refused DELETEs", refused, 2 * LIMIT_S)
    words = end_jvm(jvm, stop)
    wait_stored(collector, second)
    check_download(scenario, collector, second, "second.jfr", words)
    check(metric(collector, "loupe_jobs_failed_total") == failed, "chunks were not stored, as others were not deleted")
    proxy.set_mode("pass")


def credentials(scenario, feature):
    server = ObjectServer(scenario).start()
    from_file(scenario, feature, server)
    from_identity(scenario, feature, server)


def write_keys(path, secret):
    with open(path, "w", encoding="ascii") as file:
        file.write(f"[loupe]\naws_access_key_id = {KEY_ID}\naws_secret_access_key = {secret}\n")


def from_file(scenario, feature, server):
    """Keys that are refused are read again."""
    path = scenario.path("credentials")
    write_keys(path, "an-old-one")
    collector = Collector(scenario, "file")
    collector.env = {"AWS_SHARED_CREDENTIALS_FILE": path, "AWS_PROFILE": "loupe", "LOUPE_STORE": server.url("file"),
                     "LOUPE_PACK_SECONDS": "1"}
    collector.start()
    jvm, stop = start_jvm(scenario, feature, collector, "file")
    wait_for("a refusal", lambda: "403 SignatureDoesNotMatch" in scenario.log_of("file"))
    check(not server.objects("file"), "objects, with a wrong secret")
    write_keys(path, SECRET)
    wait_for("objects", lambda: server.objects("file"))
    end_jvm(jvm, stop)
    wait_stored(collector, collector.recording("file"))
    collector.stop()
    os.remove(stop)


def from_identity(scenario, feature, server):
    token = scenario.path("token")
    with open(token, "w", encoding="ascii") as file:
        file.write("a.web/identity+token=\n")
    sts = TokenService()
    collector = Collector(scenario, "identity")
    collector.env = {"AWS_WEB_IDENTITY_TOKEN_FILE": token, "AWS_ROLE_ARN": "arn:aws:iam::1:role/loupe",
                     "AWS_ENDPOINT_URL_STS": sts.url, "LOUPE_STORE": server.url("identity"), "LOUPE_PACK_SECONDS": "1"}
    collector.start()
    jvm, stop = start_jvm(scenario, feature, collector, "identity")
    wait_for("objects", lambda: server.objects("identity"))
    wait_for("keys once more", lambda: len(sts.forms) > 2)  # those that it gives end at once
    for form in sts.forms:
        check(form == {"Action": ["AssumeRoleWithWebIdentity"], "Version": ["2011-06-15"], "RoleSessionName": ["loupe"],
                       "RoleArn": ["arn:aws:iam::1:role/loupe"], "WebIdentityToken": ["a.web/identity+token="]}, f"STS: {form}")
    end_jvm(jvm, stop)
    wait_stored(collector, collector.recording("identity"))
    collector.stop()


def place(scenario, feature):
    server = ObjectServer(scenario).start()
    collector = use(Collector(scenario), server.url("a/b"), 0).start()
    jvm, stop = start_jvm(scenario, feature, collector, "place")
    recording = collector.recording("place")
    wait_for("three objects", lambda: len(server.objects("a/b")) > 2)
    end_jvm(jvm, stop)
    wait_stored(collector, recording)
    collector.stop()
    check_places(scenario, collector, server)
    check_missing(collector.start(), server, recording)
    removed = collector.get(f"/api/v1/recordings/{recording}", method="DELETE")
    check(removed.status == 204, f"DELETE: {removed.status}")
    wait_for("no objects", lambda: not server.objects("a/b"), 3 * LIMIT_S)  # an hour's segment goes later
    wait_for("nothing of it here", lambda: not glob.glob(f"{collector.data}/chunks/*"))
    collector.stop()


def check_places(scenario, collector, server):
    def said(*arguments, **env):
        done = subprocess.run([LOUPE, *arguments, "--data", collector.data], env={**os.environ, **env}, timeout=LIMIT_S,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        check(done.returncode == 1, f"{arguments}: status {done.returncode}: {done.stdout.decode()}")
        return done.stdout.decode()
    here = "its chunks are in s3://loupe/a/b/"
    check(here in said("collect"), "it starts without its store")
    check(here in said("fsck"), "fsck takes all chunks for lost")
    check(here in said("index", "--rebuild"), "the index is made again of nothing")
    check(here in said("collect", "--store", server.url("a/c"), **CREDENTIALS), "it starts with another store")
    check("no credentials" in said("collect", "--store", server.url("a/b"), HOME=""), "it starts without credentials")
    files = Collector(scenario, "files")
    os.makedirs(f"{files.data}/chunks/{'0' * 32}")
    with open(f"{files.data}/chunks/{'0' * 32}/1.jfr.zst", "wb"):
        pass
    collector.data, kept = files.data, collector.data
    check("chunks in files" in said("collect", "--store", server.url("a/b"), **CREDENTIALS), "it starts with chunks in files")
    collector.data = kept


def check_missing(collector, server, recording):
    """A chunk that somebody deleted is left out of what is sent, and named."""
    whole = collector.get(f"/api/v1/recordings/{recording}.jfr")
    gone = sorted(server.objects("a/b").items())[1]
    os.remove(gone[1])
    number = os.path.basename(gone[0]).split(".")[0]
    for _ in range(2):  # as it is noticed, and as it is known
        part = collector.get(f"/api/v1/recordings/{recording}.jfr")
        check(part.status == 200, f"download: {part.status}")
        check(part.headers["Loupe-Missing-Chunks"] == number, f"missing: {part.headers['Loupe-Missing-Chunks']}")
        check(0 < len(part.body) < len(whole.body), "the other chunks are not there")
        check(part.headers["ETag"] != whole.headers["ETag"], "it has the tag of the whole")
        wait_for("it is known", lambda: collector.get(f"/api/v1/recordings/{recording}").json()["losses"]["chunks_lost"] == 1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int)
    cases = {"suite": suite, "credentials": credentials, "faults": faults, "kill": kill, "place": place, "rights": rights}
    parser.add_argument("--case", choices=cases, nargs="+", required=True)
    args = parser.parse_args()
    run_each({f"object-store-{case}": lambda scenario, case=case: cases[case](scenario, args.jdk) for case in args.case})


main()
