// SPDX-License-Identifier: Apache-2.0
// System calls that are taken end the process or fail, and what a collector does works without
// them. Each case is a process of its own, as a filter stays.

#include "collector/base/syscall_filter.h"

#include <dlfcn.h>
#include <errno.h>
#include <netdb.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { UNFILTERED = 99 }; // the status of a process that got no filter

// run_filtered returns how a process ended that ran what under the filter.
static int
run_filtered(bool (*what)(long arg), long arg)
{
    pid_t child = fork();
    if (child == 0) {
        const struct rlimit none = {0, 0};
        (void)setrlimit(RLIMIT_CORE, &none);
        lp_problem problem;
        if (syscall_filter_load(&problem) != LP_OK) {
            _exit(UNFILTERED);
        }
        _exit(what(arg) ? 0 : 1);
    }
    assert_true(child > 0);
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

// make_call makes a call with arguments that the kernel refuses, should it get to see them.
static bool
make_call(long number)
{
    errno = 0;
    return syscall(number, -1L, -1L, -1L, -1L, -1L, -1L) == -1;
}

static void
test_calls_that_nobody_tries_end_the_process(void **state)
{
    (void)state;
    static const long calls[] = {SYS_execve, SYS_execveat, SYS_ptrace, SYS_process_vm_readv,
        SYS_process_vm_writev, SYS_perf_event_open, SYS_bpf, SYS_userfaultfd, SYS_mount,
        SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_setns, SYS_unshare, SYS_open_by_handle_at,
        SYS_mknodat, SYS_setuid, SYS_setgid, SYS_setresuid, SYS_setgroups, SYS_capset, SYS_keyctl,
        SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_reboot,
        SYS_swapon, SYS_sethostname, SYS_clock_settime};
    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
        int status = run_filtered(make_call, calls[i]);
        if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGSYS) {
            fail_msg("system call %ld: status %x", calls[i], (unsigned)status);
        }
    }
}

static bool
fails_with(bool has_failed, int error)
{
    return has_failed && errno == error;
}

static bool
cannot_fork(long arg)
{
    (void)arg;
    pid_t child = fork();
    return fails_with(child == -1, EPERM);
}

static bool
cannot_open_packets(long arg)
{
    (void)arg;
    return fails_with(socket(AF_PACKET, SOCK_RAW, 0) == -1, EAFNOSUPPORT);
}

static bool
cannot_execute_memory(long arg)
{
    (void)arg;
    size_t size = (size_t)sysconf(_SC_PAGESIZE);
    void *memory =
        mmap(NULL, size, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return fails_with(memory == MAP_FAILED, EPERM);
}

#ifdef __x86_64__
static bool
cannot_make_memory_executable(long arg)
{
    (void)arg;
    size_t size = (size_t)sysconf(_SC_PAGESIZE);
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory != MAP_FAILED &&
           fails_with(mprotect(memory, size, PROT_READ | PROT_EXEC) == -1, EPERM);
}
#endif

static bool
has_no_such_call(long number)
{
    return make_call(number) && errno == ENOSYS;
}

static void
expect_true(bool (*what)(long arg), long arg)
{
    assert_int_equal(run_filtered(what, arg), 0);
}

static void
test_calls_that_libraries_try_fail(void **state)
{
    (void)state;
    expect_true(cannot_fork, 0);
    expect_true(cannot_open_packets, 0);
    expect_true(cannot_execute_memory, 0);
#ifdef __x86_64__
    expect_true(cannot_make_memory_executable, 0);
#endif
    expect_true(has_no_such_call, SYS_clone3);
    expect_true(has_no_such_call, SYS_io_uring_setup);
}

static void *
return_arg(void *arg)
{
    return arg;
}

static bool
can_start_threads(long arg)
{
    pthread_t thread;
    void *result = NULL;
    return pthread_create(&thread, NULL, return_arg, &arg) == 0 &&
           pthread_join(thread, &result) == 0 && result == &arg;
}

static bool
can_find_addresses(long arg)
{
    (void)arg;
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_ADDRCONFIG};
    struct addrinfo *found = NULL;
    int code = getaddrinfo("localhost", "80", &hints, &found);
    if (code == 0) {
        freeaddrinfo(found);
    }
    return code == 0;
}

static bool
can_load_libraries(long arg)
{
    (void)arg;
    return dlopen("libnss_compat.so.2", RTLD_NOW) != NULL;
}

static void
test_what_a_collector_does_works(void **state)
{
    (void)state;
    expect_true(can_start_threads, 0);
    expect_true(can_find_addresses, 0);
    expect_true(can_load_libraries, 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calls_that_nobody_tries_end_the_process),
        cmocka_unit_test(test_calls_that_libraries_try_fail),
        cmocka_unit_test(test_what_a_collector_does_works),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
