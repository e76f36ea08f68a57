#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# certificates.sh DIR: makes, by openssl alone, what tests of TLS need: NAME.pem and NAME.key each.
#
#   itself            for localhost, signed by its own key
#   ca, other-ca      authorities; nobody trusts the second
#   server, renewed   of ca, for localhost
#   wrong-name        of ca, for elsewhere.example
#   expired           of ca, for localhost, until yesterday
#   stranger          of other-ca, for localhost
#   agent             of ca, for agent-7.example, to be shown by agents
#   named             of ca, without a DNS name; its common name is agent-8
#   spaced            the same as agent of 9
#   agent-expired     of ca, until yesterday
#   agent-stranger    of other-ca
#   chain             for localhost, of an authority between it and ca, whose certificate follows
#   locked.key        server.key with a passphrase
set -eu
cd "$1"
exec 2>certificates.log # of openssl; shown where it fails
trap '[ $? = 0 ] || cat certificates.log' EXIT

key() {
  openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1.key"
}

signs=keyUsage=critical,keyCertSign,cRLSign # Python 3.13 asks it of an authority

# authority NAME
authority() {
  key "$1"
  openssl req -x509 -new -key "$1.key" -out "$1.pem" -days 30 -subj "/CN=$1" \
    -addext basicConstraints=critical,CA:TRUE -addext "$signs"
}

# OpenSSL 3.4 and later make nothing that ends before it begins, and can be told when it began; earlier ones cannot.
days="-days 30"
past="-days -1"
if openssl x509 -help 2>&1 | grep -q -- -not_before; then
  past="-not_before 20200101000000Z -not_after 20200102000000Z"
fi

# certificate NAME AUTHORITY VALIDITY COMMON-NAME [EXTENSION [EXTENSION]]; VALIDITY is options of openssl's.
certificate() {
  key "$1"
  openssl req -new -key "$1.key" -out "$1.csr" -subj "/CN=$4" ${5:+-addext "$5"} ${6:+-addext "$6"}
  openssl x509 -req -in "$1.csr" -CA "$2.pem" -CAkey "$2.key" -CAcreateserial -copy_extensions copy \
    $3 -out "$1.pem"
}

key itself
openssl req -x509 -new -key itself.key -out itself.pem -days 30 -subj "/CN=localhost" \
  -addext subjectAltName=DNS:localhost -addext basicConstraints=critical,CA:FALSE
authority ca
authority other-ca
certificate server ca "$days" localhost subjectAltName=DNS:localhost,IP:127.0.0.1
certificate renewed ca "$days" localhost subjectAltName=DNS:localhost,IP:127.0.0.1
certificate wrong-name ca "$days" elsewhere subjectAltName=DNS:elsewhere.example
certificate expired ca "$past" localhost subjectAltName=DNS:localhost,IP:127.0.0.1
certificate stranger other-ca "$days" localhost subjectAltName=DNS:localhost,IP:127.0.0.1
certificate agent ca "$days" ignored subjectAltName=DNS:agent-7.example,DNS:other.example
certificate named ca "$days" agent-8
certificate spaced ca "$days" "agent of 9"
certificate agent-expired ca "$past" agent-7 subjectAltName=DNS:agent-7.example
certificate agent-stranger other-ca "$days" agent-7 subjectAltName=DNS:agent-7.example
certificate between ca "$days" between basicConstraints=critical,CA:TRUE "$signs"
certificate chain between "$days" localhost subjectAltName=DNS:localhost
cat between.pem >>chain.pem
openssl pkey -in server.key -aes256 -passout pass:secret -out locked.key
