# SPDX-License-Identifier: Apache-2.0
"""An object store: versitygw, a real one that keeps objects as files; and what lies between it and a collector when a network
or the store does not do what it should."""

import glob
import http.client
import http.server
import os
import threading
import time
import urllib.parse

from support import gotool
from support.process import LIMIT_S, HeldPort, check, wait_for

FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "objects")
KEY_ID, SECRET = "e2e-key", "e2e-secret-that-nobody-prints"
CREDENTIALS = {"AWS_ACCESS_KEY_ID": KEY_ID, "AWS_SECRET_ACCESS_KEY": SECRET}
BUCKET = "loupe"
CUTS_MAX = 5  # a recording is as long as a busy machine makes it: to cut all of it would take minutes


class ObjectServer:
    """The store behind one port; its process can be killed and started again. log is a file for a line a request."""

    def __init__(self, scenario, log=None):
        self.scenario, self.log = scenario, [log] if log else []
        self.program = gotool.build_once(FOLDER)
        self.root = scenario.path("objects")
        self.port = HeldPort()
        self.process = None
        os.makedirs(os.path.join(self.root, BUCKET))

    def start(self):
        env = dict(os.environ, ROOT_ACCESS_KEY=KEY_ID, ROOT_SECRET_KEY=SECRET)
        arguments = [self.program, f"127.0.0.1:{self.port.number}", self.root, *self.log]
        self.process = self.scenario.popen("objects", arguments, env=env)
        wait_for("the object store", self.is_ready)
        return self

    def is_ready(self):
        check(self.process.poll() is None, "the object store ended")
        connection = http.client.HTTPConnection("127.0.0.1", self.port.number, timeout=LIMIT_S)
        try:
            connection.request("GET", "/")
            return connection.getresponse().status == 403  # nobody has signed
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()

    def kill(self):
        self.process.kill()
        self.process.wait(LIMIT_S)

    def url(self, prefix="", port=None):
        return f"s3://{BUCKET}/{prefix}?endpoint=http://127.0.0.1:{port or self.port.number}"

    def objects(self, prefix=""):
        """The paths of its files, by key behind the prefix."""
        folder = os.path.join(self.root, BUCKET, prefix)
        found = glob.glob(f"{folder}/**/*", recursive=True)
        return {os.path.relpath(path, folder): path for path in found if os.path.isfile(path)}


class Proxy:
    """Stands before an object server. mode is what it does to each request from now on:

    pass    nothing
    busy    503
    cut     answers to GETs of objects break off in the middle: first that of a 503, then the object; of CUTS_MAX objects
    late    a tenth of a second later
    hang    no answer, until the mode changes
    keep    403 to DELETEs, as to keys without that right
    deaf    segments of the index are stored, but nobody is told so, until the mode changes
    portal  200 to PUTs, and a page of somebody else's
    """

    def __init__(self, server):
        self.server = server
        self.changed = threading.Condition()
        self.mode = "pass"
        self.counts = {}  # of requests, by mode
        self.connections = 0
        self.refused = 0  # DELETEs
        self.cuts = {}  # of answers, by path
        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self.handler())
        self.http.daemon_threads = True
        self.http.handle_error = lambda *_: None  # connections that end anywhere are what it is for
        self.port = self.http.server_address[1]
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    def set_mode(self, mode):
        with self.changed:
            self.mode = mode
            self.changed.notify_all()

    def take_mode(self):
        """What to do to a request that has come."""
        with self.changed:
            mode = self.mode
            self.counts[mode] = self.counts.get(mode, 0) + 1
            if mode == "hang":
                self.changed.wait_for(lambda: self.mode != "hang")
            elif mode == "late":
                self.changed.wait_for(lambda: self.mode != "late", 0.1)
            return mode

    def wait_for_another(self, mode):
        with self.changed:
            self.counts["segments"] = self.counts.get("segments", 0) + 1
            self.changed.wait_for(lambda: self.mode != mode)

    def count_cut(self, mode, method, path):
        """Which answer it is that breaks off, 1 or 2; 0: it does not."""
        with self.changed:
            if mode != "cut" or method != "GET" or not path.endswith((".zst", ".pack")) or self.cuts.get(path) == 2:
                return 0
            if path not in self.cuts and len(self.cuts) == CUTS_MAX:
                return 0
            self.cuts[path] = self.cuts.get(path, 0) + 1
            return self.cuts[path]

    def handler(proxy):  # pylint: disable=no-self-argument
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True  # a body that waits for the acknowledgement of its headers would take 40 ms

            def setup(self):
                super().setup()
                with proxy.changed:
                    proxy.connections += 1

            def pass_on(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                mode = proxy.take_mode()
                cut = proxy.count_cut(mode, self.command, self.path)
                if (mode, self.command) == ("keep", "DELETE"):
                    proxy.refused += 1
                    self.answer(403, [], b"<Error><Code>AccessDenied</Code></Error>")
                    return
                if (mode, self.command) == ("portal", "PUT"):
                    self.answer(200, [], b"<html>Please log in</html>")
                    return
                if mode == "busy" or cut == 1:
                    self.answer(503, [], b"<Error><Code>SlowDown</Code></Error>", cut == 1)
                    return
                connection = http.client.HTTPConnection("127.0.0.1", proxy.server.port.number, timeout=LIMIT_S)
                try:
                    connection.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
                    for name, value in self.headers.items():
                        if name.lower() != "expect":
                            connection.putheader(name, value)
                    connection.endheaders(body)
                    answer = connection.getresponse()
                    content = answer.read()
                except (OSError, http.client.HTTPException):
                    self.close_connection = True
                    return
                finally:
                    connection.close()
                if (mode, self.command) == ("deaf", "PUT") and "/index/" in self.path:
                    proxy.wait_for_another(mode)
                headers = [(name, value) for name, value in answer.getheaders()
                           if name.lower() not in ("content-length", "connection", "transfer-encoding", "date", "server")]
                self.answer(answer.status, headers, content, cut == 2)

            def answer(self, status, headers, content, is_cut=False):
                try:
                    self.send_response(status)
                    for name, value in headers:
                        self.send_header(name, value)
                    if status != 204:
                        self.send_header("Content-Length", str(len(content)))
                    self.end_headers()
                    self.wfile.write(content[:len(content) // 2] if is_cut else content)
                except OSError:
                    is_cut = True
                self.close_connection = self.close_connection or is_cut

            def log_message(self, *_):  # pylint: disable=arguments-differ
                pass

            do_GET = do_PUT = do_DELETE = do_POST = pass_on

        return Handler


class TokenService:
    """Answers as AWS's STS does to a web identity: it gives the store's keys, without a session's token, which the store would
    refuse, for no longer than a client may use them before it asks for new ones."""

    def __init__(self):
        self.forms = []
        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self.handler())
        self.http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.http.server_address[1]}/"
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    def handler(service):  # pylint: disable=no-self-argument
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                service.forms.append(urllib.parse.parse_qs(body, strict_parsing=True))
                end = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 300))
                content = (f"<AssumeRoleWithWebIdentityResponse xmlns='https://sts.amazonaws.com/doc/2011-06-15/'>"
                           f"<AssumeRoleWithWebIdentityResult><Credentials>"
                           f"<SecretAccessKey>{SECRET}</SecretAccessKey><Expiration>{end}</Expiration>"
                           f"<AccessKeyId>{KEY_ID}</AccessKeyId></Credentials></AssumeRoleWithWebIdentityResult>"
                           f"</AssumeRoleWithWebIdentityResponse>").encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_):  # pylint: disable=arguments-differ
                pass

        return Handler
