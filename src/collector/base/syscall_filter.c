// SPDX-License-Identifier: Apache-2.0
#include "collector/base/syscall_filter.h"

#include <errno.h>
#include <sched.h>
#include <seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>

#ifdef LOUPE_SANITIZED

lp_err
syscall_filter_load(lp_problem *out_problem)
{
    (void)out_problem;
    return LP_OK;
}

#else

// Calls that this architecture lacks are negative numbers, which libseccomp ignores.
static const int fatal[] = {
    // Other programs.
    SCMP_SYS(execve),
    SCMP_SYS(execveat),
    SCMP_SYS(uselib),
    // Other processes, and the inside of this one.
    SCMP_SYS(ptrace),
    SCMP_SYS(process_vm_readv),
    SCMP_SYS(process_vm_writev),
    SCMP_SYS(kcmp),
    SCMP_SYS(pidfd_getfd),
    SCMP_SYS(perf_event_open),
    SCMP_SYS(bpf),
    SCMP_SYS(userfaultfd),
    SCMP_SYS(personality),
    SCMP_SYS(modify_ldt),
    SCMP_SYS(lookup_dcookie),
    // Mounts and namespaces.
    SCMP_SYS(mount),
    SCMP_SYS(umount),
    SCMP_SYS(umount2),
    SCMP_SYS(pivot_root),
    SCMP_SYS(chroot),
    SCMP_SYS(move_mount),
    SCMP_SYS(open_tree),
    SCMP_SYS(fsopen),
    SCMP_SYS(fsconfig),
    SCMP_SYS(fsmount),
    SCMP_SYS(fspick),
    SCMP_SYS(mount_setattr),
    SCMP_SYS(setns),
    SCMP_SYS(unshare),
    SCMP_SYS(open_by_handle_at),
    SCMP_SYS(mknod),
    SCMP_SYS(mknodat),
    // Users, capabilities and keys.
    SCMP_SYS(setuid),
    SCMP_SYS(setgid),
    SCMP_SYS(setreuid),
    SCMP_SYS(setregid),
    SCMP_SYS(setresuid),
    SCMP_SYS(setresgid),
    SCMP_SYS(setfsuid),
    SCMP_SYS(setfsgid),
    SCMP_SYS(setgroups),
    SCMP_SYS(capset),
    SCMP_SYS(add_key),
    SCMP_SYS(request_key),
    SCMP_SYS(keyctl),
    // The kernel and the machine.
    SCMP_SYS(init_module),
    SCMP_SYS(finit_module),
    SCMP_SYS(delete_module),
    SCMP_SYS(create_module),
    SCMP_SYS(kexec_load),
    SCMP_SYS(kexec_file_load),
    SCMP_SYS(reboot),
    SCMP_SYS(swapon),
    SCMP_SYS(swapoff),
    SCMP_SYS(acct),
    SCMP_SYS(quotactl),
    SCMP_SYS(quotactl_fd),
    SCMP_SYS(iopl),
    SCMP_SYS(ioperm),
    SCMP_SYS(syslog),
    SCMP_SYS(vhangup),
    SCMP_SYS(nfsservctl),
    SCMP_SYS(sethostname),
    SCMP_SYS(setdomainname),
    SCMP_SYS(settimeofday),
    SCMP_SYS(clock_settime),
    SCMP_SYS(clock_settime64),
    SCMP_SYS(clock_adjtime),
    SCMP_SYS(clock_adjtime64),
    SCMP_SYS(adjtimex),
    SCMP_SYS(stime),
};

// A call that fails, always or if an argument meets the condition. SCMP_CMP_MASKED_EQ has a mask
// and a value.
static const struct refusal {
    int call;
    int error;
    unsigned condition_count;
    struct scmp_arg_cmp condition;
} refusals[] = {
    // New processes. clone also makes threads. A filter cannot see the flags of clone3; the C
    // library falls back to clone if the kernel lacks it.
    {SCMP_SYS(fork), EPERM, 0, {0}},
    {SCMP_SYS(vfork), EPERM, 0, {0}},
    {SCMP_SYS(clone), EPERM, 1, {0, SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0}},
    {SCMP_SYS(clone3), ENOSYS, 0, {0}},
    // Its reads and writes bypass the filter; libuv does without.
    {SCMP_SYS(io_uring_setup), ENOSYS, 0, {0}},
    {SCMP_SYS(io_uring_enter), ENOSYS, 0, {0}},
    {SCMP_SYS(io_uring_register), ENOSYS, 0, {0}},
    // Families behind AF_NETLINK, which getaddrinfo needs: packets, the kernel's cryptography,
    // virtual machines, ...
    {SCMP_SYS(socket), EAFNOSUPPORT, 1, {0, SCMP_CMP_GT, AF_NETLINK, 0}},
    {SCMP_SYS(mmap), EPERM, 1,
        {2, SCMP_CMP_MASKED_EQ, PROT_WRITE | PROT_EXEC, PROT_WRITE | PROT_EXEC}},
#ifdef __x86_64__ // elsewhere the C library marks code with mprotect (BTI)
    {SCMP_SYS(mprotect), EPERM, 1, {2, SCMP_CMP_MASKED_EQ, PROT_EXEC, PROT_EXEC}},
    {SCMP_SYS(pkey_mprotect), EPERM, 1, {2, SCMP_CMP_MASKED_EQ, PROT_EXEC, PROT_EXEC}},
#endif
};

// add_rules returns 0, or a negative errno.
static int
add_rules(scmp_filter_ctx filter)
{
    int error = seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
    for (size_t i = 0; i < sizeof(fatal) / sizeof(fatal[0]) && error == 0; i++) {
        error = seccomp_rule_add_array(filter, SCMP_ACT_KILL_PROCESS, fatal[i], 0, NULL);
    }
    for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]) && error == 0; i++) {
        const struct refusal *r = &refusals[i];
        error = seccomp_rule_add_array(
            filter, SCMP_ACT_ERRNO((unsigned)r->error), r->call, r->condition_count, &r->condition);
    }
    return error;
}

lp_err
syscall_filter_load(lp_problem *out_problem)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    LP_REQUIRE(filter != NULL, lp_problem_set(out_problem, LP_ENOMEM, "out of memory"));
    int error = add_rules(filter);
    error = error != 0 ? error : seccomp_load(filter);
    seccomp_release(filter);
    LP_REQUIRE(error == 0,
        lp_problem_set(out_problem, error == -ENOMEM ? LP_ENOMEM : LP_EIO, "%s", strerror(-error)));
    return LP_OK;
}

#endif // LOUPE_SANITIZED
