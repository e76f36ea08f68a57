// SPDX-License-Identifier: Apache-2.0

// spent NAME PROGRAM ARGUMENT...: runs a test and ends as it does. Where LOUPE_SPENT names a file,
// it appends a line "NAME SECONDS": the CPU time of the program and of all children that it waited
// for.

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CANNOT_RUN = 127 };

static void
run(char **command)
{
    (void)execvp(command[0], command);
    (void)fprintf(stderr, "%s: %s\n", command[0], strerror(errno));
    _exit(CANNOT_RUN);
}

static double
seconds_of(const struct timeval *time)
{
    return (double)time->tv_sec + (double)time->tv_usec / 1e6;
}

static void
append(const char *path, const char *name, const struct rusage *used)
{
    char line[300];
    int bytes = snprintf(line, sizeof(line), "%s %.2f\n", name,
        seconds_of(&used->ru_utime) + seconds_of(&used->ru_stime));
    int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
    if (fd < 0 || bytes < 0 ||
        write(fd, line, (size_t)bytes) != bytes) { // one write: lines of tests side by side
        (void)fprintf(stderr, "%s: %s\n", path, strerror(errno));
    }
    if (fd >= 0) {
        (void)close(fd);
    }
}

int
main(int argc, char **argv)
{
    if (argc < 3) {
        (void)fprintf(stderr, "usage: spent NAME PROGRAM ARGUMENT...\n");
        return CANNOT_RUN;
    }
    const char *path = getenv("LOUPE_SPENT");
    pid_t child = path == NULL ? 0 : fork();
    if (child == 0) {
        run(argv + 2);
    }
    int status;
    struct rusage used;
    if (child < 0 || wait4(child, &status, 0, &used) != child) {
        perror("spent");
        return CANNOT_RUN;
    }
    append(path, argv[1], &used);
    if (WIFSIGNALED(status)) {
        (void)signal(WTERMSIG(status), SIG_DFL);
        (void)raise(WTERMSIG(status)); // so that ctest sees a crash as one
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : CANNOT_RUN;
}
