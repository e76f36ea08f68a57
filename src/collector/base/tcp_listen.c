// SPDX-License-Identifier: Apache-2.0
#include "collector/base/tcp_listen.h"

#include "collector/base/loopback.h"
#include "collector/base/tcp_address.h"
#include "common/base/lp_assert.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BACKLOG = 512 }; // connections that wait to be accepted

static int
listen_at(const struct addrinfo *at)
{
    static const int on = 1;
    static const int off = 0;
    int fd = socket(at->ai_family, at->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, at->ai_protocol);
    if (fd < 0) {
        return -1;
    }
    if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) != 0 ||
        (at->ai_family == AF_INET6 &&
            setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof(off)) != 0) ||
        bind(fd, at->ai_addr, at->ai_addrlen) != 0 || listen(fd, BACKLOG) != 0) {
        int saved_errno = errno;
        (void)close(fd);
        errno = saved_errno;
        return -1;
    }
    return fd;
}

// listen_any listens at the first address that works, an IPv6 one before others: unspecified, it
// takes IPv4 connections as well.
static int
listen_any(const struct addrinfo *found)
{
    for (int is_ipv6 = 1; is_ipv6 >= 0; is_ipv6--) {
        for (const struct addrinfo *at = found; at != NULL; at = at->ai_next) {
            if ((at->ai_family == AF_INET6) == (is_ipv6 == 1)) {
                int fd = listen_at(at);
                if (fd >= 0) {
                    return fd;
                }
            }
        }
    }
    return -1;
}

// check_local refuses the addresses if other machines can reach one of them.
static lp_err
check_local(const tcp_listen_config *config, const struct addrinfo *found, lp_problem *out_problem)
{
    for (const struct addrinfo *at = found; at != NULL && config->is_local; at = at->ai_next) {
        LP_REQUIRE(loopback_has_address(at->ai_addr),
            lp_problem_set(out_problem, LP_ECORRUPT,
                "other machines can reach '%s': restrict access with --tokens FILE "
                "(docs/secure/security.md), or allow everybody everything with --insecure",
                config->name));
    }
    return LP_OK;
}

static uint16_t
port_of(int fd)
{
    LP_ASSERT(fd >= 0);
    union {
        struct sockaddr any;
        struct sockaddr_in ipv4;
        struct sockaddr_in6 ipv6;
    } bound = {0};
    socklen_t len = sizeof(bound);
    if (getsockname(fd, &bound.any, &len) != 0) {
        return 0;
    }
    return ntohs(bound.any.sa_family == AF_INET6 ? bound.ipv6.sin6_port : bound.ipv4.sin_port);
}

lp_err
tcp_listen_open(
    const tcp_listen_config *config, int *out_fd, uint16_t *out_port, lp_problem *out_problem)
{
    tcp_address at;
    LP_REQUIRE(tcp_address_parse(config->address, &at),
        lp_problem_set(out_problem, LP_ECORRUPT,
            "'%s' is not an address to listen on: use HOST:PORT, [IPV6]:PORT or :PORT",
            config->name));
    struct addrinfo hints = {.ai_family = AF_UNSPEC,
        .ai_socktype = SOCK_STREAM,
        .ai_flags = AI_PASSIVE | AI_NUMERICSERV};
    if (at.host[0] != '\0' && strchr(at.host, ':') == NULL) {
        hints.ai_flags |= config->name_flags;
    }
    struct addrinfo *found = NULL;
    int code = getaddrinfo(at.host[0] == '\0' ? NULL : at.host, at.port, &hints, &found);
    LP_REQUIRE(code == 0,
        lp_problem_set(out_problem, LP_ECORRUPT, "'%s': %s", config->name, gai_strerror(code)));
    lp_err err = check_local(config, found, out_problem);
    if (err != LP_OK) {
        freeaddrinfo(found);
        return err;
    }
    int fd = listen_any(found);
    int saved_errno = errno;
    freeaddrinfo(found);
    LP_REQUIRE(fd >= 0, lp_problem_set(out_problem, LP_EIO, "cannot listen on '%s': %s",
                            config->name, strerror(saved_errno)));
    *out_port = port_of(fd);
    if (*out_port == 0) {
        (void)close(fd);
        return lp_problem_set(
            out_problem, LP_EIO, "cannot listen on '%s': it gets no port", config->name);
    }
    LP_ASSERT(fd >= 0);
    *out_fd = fd;
    return LP_OK;
}

tcp_accepted
tcp_listen_accept(
    int listening_fd, struct sockaddr_storage *out_address, socklen_t *out_size, int *out_fd)
{
    LP_ASSERT(listening_fd >= 0);
    *out_size = sizeof(*out_address);
    *out_fd = accept4(
        listening_fd, (struct sockaddr *)out_address, out_size, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (*out_fd >= 0) {
        return TCP_ACCEPTED_ONE;
    }
    switch (errno) {
    case EMFILE:
    case ENFILE:
    case ENOBUFS:
    case ENOMEM:
        return TCP_ACCEPTED_NO_ROOM;
    case EAGAIN:
        return TCP_ACCEPTED_NONE;
    default:
        return TCP_ACCEPTED_GONE;
    }
}
