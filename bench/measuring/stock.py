#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A slow server: answers GET /ID with a number, after 1 to 30 ms that depend on ID alone.

Run as a program, it prints its port. It ends when its standard input does.
"""

import asyncio
import re
import sys

DELAYS_MS = 30


def delay_s(number):
    """Spread evenly, neighbours apart from each other."""
    return (1 + number * 17 % DELAYS_MS) / 1000


async def serve(reader, writer):
    try:
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            number = int(re.match(rb"GET /(\d+) ", head).group(1))
            await asyncio.sleep(delay_s(number))
            body = b"%d" % (number % 100)
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body))
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    finally:
        writer.close()


async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    server.close()


if __name__ == "__main__":
    asyncio.run(main())
