# SPDX-License-Identifier: Apache-2.0
"""nng_client.py URL FILE: sends the requests of a file through pynng, and prints the answers; run by a python3 that has pynng.

The file has a line of base64 for each request, and so has what is printed for each answer. The first line of what is printed
is NNG's version.
"""

import base64
import sys

import pynng

LIMIT_MS = 60000


def main():
    url, path = sys.argv[1:]
    print(pynng.ffi.string(pynng.lib.nng_version()).decode())
    with open(path, encoding="ascii") as file:
        requests = [base64.b64decode(line) for line in file]
    with pynng.Req0(dial=url, block_on_dial=True, send_timeout=LIMIT_MS, recv_timeout=LIMIT_MS) as socket:
        for request in requests:
            socket.send(request)
            print(base64.b64encode(socket.recv()).decode())



main()
