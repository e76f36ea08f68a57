// SPDX-License-Identifier: Apache-2.0
#include "agent/ship/dial/ship_names.h"

#include "agent/ship/ship_thread.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_find.h"
#include "common/base/lp_log.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <nng/nng.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

// Returns the address family of a scheme; -1: it has no addresses.
static int
get_family(const char *scheme)
{
    const char *bare = strncmp(scheme, "tls+", 4) == 0 ? scheme + 4 : scheme;
    return strcmp(bare, "tcp") == 0    ? AF_UNSPEC
           : strcmp(bare, "tcp4") == 0 ? AF_INET
           : strcmp(bare, "tcp6") == 0 ? AF_INET6
                                       : -1;
}

// Returns whether the host of a URL has to be looked up.
static bool
is_name(const nng_url *parts)
{
    unsigned char address[sizeof(struct in6_addr)];
    return get_family(parts->u_scheme) >= 0 && parts->u_hostname != NULL &&
           parts->u_hostname[0] != '\0' && strchr(parts->u_hostname, '%') == NULL &&
           inet_pton(AF_INET, parts->u_hostname, address) != 1 &&
           inet_pton(AF_INET6, parts->u_hostname, address) != 1;
}

// Fills in everything that is known without a lookup.
static lp_err
init_name(ship_name *name, const char *url, lp_problem *out_problem)
{
    nng_url *parts;
    int error = nng_url_parse(&parts, url);
    if (error != 0) {
        return lp_problem_set(out_problem, error == NNG_ENOMEM ? LP_ENOMEM : LP_ECORRUPT,
            "collector %s: %s", url, nng_strerror(error));
    }
    bool is_whole = true;
    name->url = url;
    if (is_name(parts)) {
        name->scheme = strdup(parts->u_scheme);
        name->host = strdup(parts->u_hostname);
        name->port = strdup(parts->u_port);
        is_whole = name->scheme != NULL && name->host != NULL && name->port != NULL;
    } else {
        name->addresses = calloc(1, sizeof(*name->addresses));
        is_whole = name->addresses != NULL;
        if (is_whole) {
            name->addresses[0].endpoint = url;
            name->address_count = 1;
        }
    }
    nng_url_free(parts);
    return is_whole ? LP_OK : lp_problem_set(out_problem, LP_ENOMEM, "out of memory");
}

lp_err
ship_names_init(
    ship_names *self, const char *const *urls, size_t count, int wake_fd, lp_problem *out_problem)
{
    LP_ASSERT(count <= SHIP_NAMES_MAX);
    *self = (ship_names){.wake_fd = wake_fd, .is_new = true};
    (void)pthread_mutex_init(&self->mutex, NULL);
    lp_err err = LP_OK;
    while (self->count < count && err == LP_OK) {
        err = init_name(&self->items[self->count], urls[self->count], out_problem);
        self->count++;
    }
    if (err != LP_OK) {
        ship_names_fini(self);
    }
    return err;
}

void
ship_names_fini(ship_names *self)
{
    for (size_t i = 0; i < self->count; i++) {
        ship_name *name = &self->items[i];
        free(name->scheme);
        free(name->host);
        free(name->port);
        free(name->addresses);
    }
    if (self->count > 0) {
        (void)pthread_mutex_destroy(&self->mutex);
    }
    *self = (ship_names){0};
}

// --- Lookup

// Makes an address from a result. Returns false for an unknown family.
static bool
make_address(const ship_name *name, const struct addrinfo *found, ship_address *out)
{
    char text[INET6_ADDRSTRLEN];
    bool is_six = found->ai_family == AF_INET6;
    const void *bytes =
        is_six
            ? (const void *)&((const struct sockaddr_in6 *)(const void *)found->ai_addr)->sin6_addr
            : (const void *)&((const struct sockaddr_in *)(const void *)found->ai_addr)->sin_addr;
    if ((!is_six && found->ai_family != AF_INET) ||
        inet_ntop(found->ai_family, bytes, text, sizeof(text)) == NULL) {
        return false;
    }
    *out = (ship_address){.endpoint = name->url};
    int len = snprintf(out->numeric, sizeof(out->numeric), "%s://%s%s%s:%s", name->scheme,
        is_six ? "[" : "", text, is_six ? "]" : "", name->port);
    return len < (int)sizeof(out->numeric);
}

// Makes addresses from the results. The caller owns them. NULL: none, or memory ran out.
static ship_address *
list(const ship_name *name, const struct addrinfo *found, size_t *out_count)
{
    size_t count = 0;
    for (const struct addrinfo *item = found; item != NULL; item = item->ai_next) {
        count++;
    }
    ship_address *addresses = calloc(count + 1, sizeof(*addresses));
    *out_count = 0;
    for (const struct addrinfo *item = found; item != NULL && addresses != NULL;
         item = item->ai_next) {
        ship_address *next = &addresses[*out_count];
        if (make_address(name, item, next)) {
            next->preference = item->ai_family != found->ai_family; // the system's first choice
            ++*out_count;
        }
    }
    if (*out_count == 0) {
        free(addresses);
        return NULL;
    }
    return addresses;
}

// Replaces the addresses of a name.
static void
keep(ship_names *self, ship_name *name, ship_address *addresses, size_t count)
{
    (void)pthread_mutex_lock(&self->mutex);
    free(name->addresses);
    name->addresses = addresses;
    name->address_count = count;
    self->is_new = true;
    (void)pthread_mutex_unlock(&self->mutex);
    ship_wake(self->wake_fd);
}

// Looks up one name. Logs a failure once.
static void
ask(ship_names *self, ship_name *name)
{
    struct addrinfo *found = NULL;
    size_t count = 0;
    const struct addrinfo hints = {
        .ai_family = get_family(name->scheme),
        .ai_socktype = SOCK_STREAM,
        .ai_flags = AI_ADDRCONFIG,
    };
    int error = getaddrinfo(name->host, NULL, &hints, &found);
    ship_address *addresses = error == 0 ? list(name, found, &count) : NULL;
    if (error == 0) {
        freeaddrinfo(found);
    }
    if (addresses != NULL) {
        name->is_fault_logged = false;
        keep(self, name, addresses, count);
    } else if (!name->is_fault_logged) {
        name->is_fault_logged = true;
        lp_log(LP_LOG_WARN, "the collector's name %s has no address: %s; retrying", name->host,
            error == 0 ? "none that can be used" : gai_strerror(error));
    }
}

static void *
run(void *arg)
{
    ship_names *self = arg;
    for (size_t i = 0; i < self->count; i++) {
        if (self->items[i].host != NULL) {
            ask(self, &self->items[i]);
        }
    }
    (void)pthread_mutex_lock(&self->mutex);
    self->is_asking = false;
    ship_wake(self->wake_fd); // still locked: after is_asking the owner may free this
    (void)pthread_mutex_unlock(&self->mutex);
    return NULL;
}

bool
ship_names_are_asked_for(const ship_names *self)
{
    return LP_ANY(self->items, self->count, at->host != NULL);
}

void
ship_names_ask(ship_names *self)
{
    if (!ship_names_are_asked_for(self)) {
        return;
    }
    (void)pthread_mutex_lock(&self->mutex);
    bool is_asking = self->is_asking;
    self->is_asking = true;
    (void)pthread_mutex_unlock(&self->mutex);
    if (!is_asking && ship_thread_start("loupe-names", run, self) != 0) { // the owner retries
        (void)pthread_mutex_lock(&self->mutex);
        self->is_asking = false;
        (void)pthread_mutex_unlock(&self->mutex);
    }
}

bool
ship_names_is_asking(ship_names *self)
{
    (void)pthread_mutex_lock(&self->mutex);
    bool is_asking = self->is_asking;
    (void)pthread_mutex_unlock(&self->mutex);
    return is_asking;
}

bool
ship_names_take(ship_names *self, ship_address out_addresses[SHIP_ADDRESSES_MAX], size_t *out_count)
{
    size_t total = 0;
    *out_count = 0;
    (void)pthread_mutex_lock(&self->mutex);
    bool is_new = self->is_new;
    self->is_new = false;
    for (size_t i = 0; i < self->count && is_new; i++) {
        const ship_name *name = &self->items[i];
        for (size_t j = 0; j < name->address_count; j++) {
            if (total++ < SHIP_ADDRESSES_MAX) {
                out_addresses[(*out_count)++] = name->addresses[j];
            }
        }
    }
    (void)pthread_mutex_unlock(&self->mutex);
    if (total > SHIP_ADDRESSES_MAX && !self->is_excess_logged) {
        self->is_excess_logged = true;
        lp_log(LP_LOG_WARN, "the collectors have %zu addresses, of which only %d are used", total,
            SHIP_ADDRESSES_MAX);
    }
    return is_new && *out_count > 0;
}
