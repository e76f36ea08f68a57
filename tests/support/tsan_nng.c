// SPDX-License-Identifier: Apache-2.0
// tsan_nng: what ThreadSanitizer does not see of NNG, which is the distribution's and built without
// it: it counts who holds a dialer by atomics, and frees it on a thread of its own after the last
// one.
//
// Threads: any thread.

__attribute__((visibility("default"))) const char *__tsan_default_suppressions(void);

const char *
__tsan_default_suppressions(void)
{
    return "race:nni_posix_tcp_dialer_rele\n";
}
