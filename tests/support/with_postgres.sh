#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# with_postgres.sh PROGRAM [ARGUMENT...]: runs a program with a PostgreSQL of its own, which is gone afterwards. Exit status 77
# and a line "skipped: why" where there is none on this machine.
#
#   LOUPE_POSTGRES          postgresql://loupe:SECRET@127.0.0.1:PORT/loupe
#   LOUPE_POSTGRES_CONTROL  this script: `control start`, `control stop`, `control kill`, `control freeze` or `control thaw` as
#                           its arguments do that to the server, for tests of what happens then
#
# Connections by TCP are encrypted, as libpq does it where a server can. It needs initdb and pg_ctl of Debian's package
# postgresql, version 15 or later, and openssl. As root it runs them as nobody.
set -euo pipefail

find_programs() {
  local found
  found=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1)
  if [ -z "$found" ] || [ ! -x "$found/initdb" ]; then
    echo "skipped: there is no initdb below /usr/lib/postgresql (Debian's package postgresql)"
    exit 77
  fi
  echo "$found"
}

as_user() {
  if [ "$(id -u)" = 0 ]; then
    setpriv --reuid=nobody --regid="$(id -g nobody)" --clear-groups -- "$@"
  else
    "$@"
  fi
}

start() { # and waits until it answers
  as_user "$LOUPE_POSTGRES_BIN/pg_ctl" -D "$LOUPE_POSTGRES_DIR/data" -w -t 120 -s -l "$LOUPE_POSTGRES_DIR/log" \
    -o "-p $LOUPE_POSTGRES_PORT -c listen_addresses=127.0.0.1 -c unix_socket_directories=$LOUPE_POSTGRES_DIR -c fsync=off -c ssl=on" \
    start
}

# A port below those that the system gives to connections: one of these could have it while the server is stopped.
find_port() {
  python3 -c '
import random, socket
while True:
    port = random.randrange(20000, 32768)
    try:
        socket.socket().bind(("127.0.0.1", port))
    except OSError:
        continue
    print(port)
    break'
}

start_first() { # on a port that is free; another test may take it right then
  for _ in 1 2 3 4 5; do
    LOUPE_POSTGRES_PORT=$(find_port)
    if start; then
      return
    fi
  done
  cat "$LOUPE_POSTGRES_DIR/log" >&2
  return 1
}

processes() { # the server's: its first one and those of connections
  local first
  first=$(head -1 "$LOUPE_POSTGRES_DIR/data/postmaster.pid")
  echo "$first" $(ps -o pid= --ppid "$first")
}

control() {
  case "$1" in
    start) start ;;
    stop) as_user "$LOUPE_POSTGRES_BIN/pg_ctl" -D "$LOUPE_POSTGRES_DIR/data" -w -t 60 -s -m fast stop ;;
    kill)
      local all
      all=$(processes | xargs)
      kill -KILL $all
      # One that nobody waits for stays as a zombie (Z): for PostgreSQL it would still have the directory.
      while [ -n "$(ps -o stat= -p "$(tr ' ' ',' <<<"$all")" | grep -v '^Z')" ]; do :; done
      rm -f "$LOUPE_POSTGRES_DIR"/data/postmaster.pid "$LOUPE_POSTGRES_DIR"/.s.PGSQL.* ;;
    freeze) kill -STOP $(processes) ;;
    thaw) kill -CONT $(processes) ;;
    *) exit 2 ;;
  esac
}

if [ "$1" = control ]; then
  control "$2"
  exit
fi

LOUPE_POSTGRES_BIN=$(find_programs) || { echo "$LOUPE_POSTGRES_BIN"; exit 77; }
LOUPE_POSTGRES_DIR=$(mktemp -d "${TMPDIR:-/tmp}/loupe-postgres-XXXXXX")
LOUPE_POSTGRES_CONTROL=$(readlink -f "$0")
export LOUPE_POSTGRES_BIN LOUPE_POSTGRES_DIR LOUPE_POSTGRES_CONTROL

end() {
  if [ -f "$LOUPE_POSTGRES_DIR/data/postmaster.pid" ]; then
    kill -CONT $(processes) 2>/dev/null || true
    as_user "$LOUPE_POSTGRES_BIN/pg_ctl" -D "$LOUPE_POSTGRES_DIR/data" -w -s -m immediate stop || true
  fi
  rm -rf "$LOUPE_POSTGRES_DIR"
}
trap end EXIT

[ "$(id -u)" != 0 ] || chown nobody "$LOUPE_POSTGRES_DIR"
chmod 755 "$LOUPE_POSTGRES_DIR"
echo pass-9f2 >"$LOUPE_POSTGRES_DIR/password"
as_user "$LOUPE_POSTGRES_BIN/initdb" -D "$LOUPE_POSTGRES_DIR/data" -U loupe --auth-local=trust --auth-host=scram-sha-256 \
  --pwfile="$LOUPE_POSTGRES_DIR/password" --encoding=UTF8 --locale=C.UTF-8 --locale-provider=icu --icu-locale=en --no-sync >"$LOUPE_POSTGRES_DIR/initdb.log" 2>&1 ||
  { cat "$LOUPE_POSTGRES_DIR/initdb.log" >&2; exit 1; }
as_user openssl req -new -x509 -days 2 -nodes -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -subj /CN=localhost \
  -out "$LOUPE_POSTGRES_DIR/data/server.crt" -keyout "$LOUPE_POSTGRES_DIR/data/server.key" 2>/dev/null
chmod 600 "$LOUPE_POSTGRES_DIR/data/server.key"
start_first
LOUPE_POSTGRES="postgresql://loupe:pass-9f2@127.0.0.1:$LOUPE_POSTGRES_PORT/loupe"
export LOUPE_POSTGRES LOUPE_POSTGRES_PORT
as_user "$LOUPE_POSTGRES_BIN/psql" -q -h "$LOUPE_POSTGRES_DIR" -p "$LOUPE_POSTGRES_PORT" -U loupe -d postgres -c 'CREATE DATABASE loupe'
"$@"
