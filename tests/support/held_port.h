// SPDX-License-Identifier: Apache-2.0
// held_port: a port of 127.0.0.1 that is a test's own until it is released, also while nobody
// listens there. One that was only found to be free may be another program's a moment later.
//
// A socket is bound to it and never listens, so who connects is refused. Whoever listens there sets
// SO_REUSEADDR, as NNG does.

#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

typedef struct held_port {
    int fd;
    uint16_t number;
} held_port;

static inline held_port
held_port_take(void)
{
    held_port port = {.fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t size = sizeof(address);
    int yes = 1;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (port.fd < 0 || setsockopt(port.fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes)) != 0 ||
        bind(port.fd, (struct sockaddr *)&address, size) != 0 ||
        getsockname(port.fd, (struct sockaddr *)&address, &size) != 0) {
        perror("held_port");
        abort();
    }
    port.number = ntohs(address.sin_port);
    return port;
}

static inline void
held_port_release(held_port *port)
{
    (void)close(port->fd);
    *port = (held_port){.fd = -1};
}
