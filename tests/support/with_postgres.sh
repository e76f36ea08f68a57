#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# with_postgres.sh [--shared] PROGRAM [ARGUMENT...]: runs a program with a PostgreSQL of its own, which is gone afterwards. With
# --shared it has a database of its own, in a server that all tests of one ctest share: the first one starts it, and it ends
# with ctest. Exit status 77 and a line "skipped: why" where there is no PostgreSQL on this machine.
#
#   LOUPE_POSTGRES          postgresql://loupe:SECRET@127.0.0.1:PORT/DATABASE
#   LOUPE_POSTGRES_CONTROL  this script: `control start`, `control stop`, `control kill`, `control freeze` or `control thaw` as
#                           its arguments do that to the server, for tests of what happens then; not with --shared
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
    -o "-p $LOUPE_POSTGRES_PORT -c listen_addresses=127.0.0.1 -c unix_socket_directories=$LOUPE_POSTGRES_DIR -c fsync=off -c ssl=on -c max_connections=300" \
    start
}

# hold_port has a port be the server's until this ends, also while that is stopped: nobody else is given one that is bound. The
# server sets SO_REUSEADDR as this does, and so may listen there.
hold_port() {
  coproc HOLDER {
    exec python3 -c '
import socket, sys
held = socket.socket()
held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
held.bind(("127.0.0.1", 0))
print(held.getsockname()[1], flush=True)
sys.stdin.read()'
  }
  read -r LOUPE_POSTGRES_PORT <&"${HOLDER[0]}"
}

start_first() {
  hold_port
  start || { cat "$LOUPE_POSTGRES_DIR/log" >&2; return 1; }
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

# find_ctest prints the process of the ctest that runs this, and a name for it that no other process ever has.
find_ctest() {
  local pid=$PPID
  while [ "$pid" -gt 1 ]; do
    if [ "$(</proc/$pid/comm)" = ctest ]; then
      echo "$pid $pid-$(sed 's/.*) //' /proc/$pid/stat | cut -d' ' -f20)"
      return
    fi
    pid=$(sed 's/.*) . //' /proc/$pid/stat | cut -d' ' -f1)
  done
}

end() {
  if [ -f "$LOUPE_POSTGRES_DIR/data/postmaster.pid" ]; then
    kill -CONT $(processes) 2>/dev/null || true
    as_user "$LOUPE_POSTGRES_BIN/pg_ctl" -D "$LOUPE_POSTGRES_DIR/data" -w -s -m immediate stop || true
  fi
  rm -rf "$LOUPE_POSTGRES_DIR" "$LOUPE_POSTGRES_DIR.lock"
}

make_server() { # in LOUPE_POSTGRES_DIR, until this ends
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
}

serve() { # as a process of its own, until the ctest with this pid is gone
  make_server
  echo "$LOUPE_POSTGRES_PORT" >"$LOUPE_POSTGRES_DIR/port.new"
  mv "$LOUPE_POSTGRES_DIR/port.new" "$LOUPE_POSTGRES_DIR/port"
  tail --pid="$1" -f /dev/null
}

join_server() { # of the ctest with this pid and name
  LOUPE_POSTGRES_DIR=${TMPDIR:-/tmp}/loupe-postgres-of-$2
  export LOUPE_POSTGRES_DIR
  (
    flock 9
    if mkdir "$LOUPE_POSTGRES_DIR" 2>/dev/null; then
      setsid "$0" serve "$1" </dev/null >/dev/null 2>&1 9>&- &
    fi
    for _ in $(seq 1200); do
      [ ! -f "$LOUPE_POSTGRES_DIR/port" ] || exit 0
      [ -d "$LOUPE_POSTGRES_DIR" ] || break # it could not be started
      sleep 0.1
    done
    echo "PostgreSQL did not start" >&2
    exit 1
  ) 9>"$LOUPE_POSTGRES_DIR.lock"
  LOUPE_POSTGRES_PORT=$(<"$LOUPE_POSTGRES_DIR/port")
}

run_sql() {
  as_user "$LOUPE_POSTGRES_BIN/psql" -q -h "$LOUPE_POSTGRES_DIR" -p "$LOUPE_POSTGRES_PORT" -U loupe -d postgres -c "$1"
}

LOUPE_POSTGRES_BIN=$(find_programs) || { echo "$LOUPE_POSTGRES_BIN"; exit 77; }
LOUPE_POSTGRES_CONTROL=$(readlink -f "$0")
export LOUPE_POSTGRES_BIN LOUPE_POSTGRES_CONTROL

if [ "$1" = serve ]; then
  serve "$2"
  exit
fi
ctest=
if [ "$1" = --shared ]; then
  shift
  ctest=$(find_ctest)
fi
database=loupe
if [ -n "$ctest" ]; then
  join_server $ctest
  database=loupe_$$
  trap 'run_sql "DROP DATABASE $database WITH (FORCE)"' EXIT
else
  LOUPE_POSTGRES_DIR=$(mktemp -d "${TMPDIR:-/tmp}/loupe-postgres-XXXXXX")
  export LOUPE_POSTGRES_DIR
  make_server
fi
LOUPE_POSTGRES="postgresql://loupe:pass-9f2@127.0.0.1:$LOUPE_POSTGRES_PORT/$database"
export LOUPE_POSTGRES LOUPE_POSTGRES_PORT
run_sql "CREATE DATABASE $database"
"$@"
