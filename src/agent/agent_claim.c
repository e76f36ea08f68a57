// SPDX-License-Identifier: Apache-2.0
#include "agent/agent_claim.h"

#include "common/base/lp_buf.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { NAME_BYTES_MAX = 4096 + 64 }; // a path, and the version

typedef _Atomic(const char *)
    claim; // release and acquire: a thread that reads the pointer can read the text

extern __attribute__((visibility("default"))) claim loupe_agent_claim;
claim loupe_agent_claim;

static char own_name[NAME_BYTES_MAX]; // written once

static void
set_own_name(void)
{
    Dl_info info;
    bool is_found =
        dladdr((const void *)&agent_claim_get_name, &info) != 0 && info.dli_fname != NULL;
    (void)snprintf(own_name, sizeof(own_name), "%s, version " LOUPE_VERSION,
        is_found ? info.dli_fname : "a file without a name");
}

const char *
agent_claim_get_name(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, set_own_name);
    return own_name;
}

// Appends the name of a library to the lp_buf names. The program itself has none.
static int
add_name(struct dl_phdr_info *info, size_t size, void *names)
{
    (void)size;
    if (info->dlpi_name != NULL && info->dlpi_name[0] != '\0') {
        lp_buf_append(names, info->dlpi_name, strlen(info->dlpi_name) + 1);
    }
    return 0;
}

// Returns the variable of the library with this name; NULL if it has none.
static claim *
find_claim_in(const char *name)
{
    void *library = dlopen(name, RTLD_LAZY | RTLD_NOLOAD);
    LP_REQUIRE(library != NULL, NULL);
    claim *found = dlsym(library, "loupe_agent_claim");
    (void)dlclose(library); // it stays loaded, if it is a copy
    return found;
}

// Returns the claim of the process; NULL if memory ran out. It opens libraries only after the list
// is complete: the dynamic linker holds a lock while it lists them.
static claim *
find_claim(void)
{
    lp_buf names = {0};
    claim *found = NULL;
    (void)dl_iterate_phdr(add_name, &names); // in the order in which they were loaded
    if (lp_buf_check(&names) == LP_OK) {
        const char *end = (const char *)names.ptr + names.len;
        for (const char *name = (const char *)names.ptr; found == NULL && name < end;
             name += strlen(name) + 1) {
            found = find_claim_in(name);
        }
        found = found == NULL ? &loupe_agent_claim : found; // linked into a program, as in tests
    }
    lp_buf_fini(&names);
    return found;
}

const char *
agent_claim_take(void)
{
    claim *shared = find_claim();
    if (shared == NULL) {
        return "a copy whose name is unknown (out of memory)";
    }
    const char *holder = NULL;
    atomic_compare_exchange_strong(shared, &holder, agent_claim_get_name());
    return holder;
}

void
agent_claim_release(void)
{
    claim *shared = find_claim();
    const char *own = agent_claim_get_name();
    if (shared != NULL) { // else it stays taken
        (void)atomic_compare_exchange_strong(shared, &own, NULL);
    }
}
