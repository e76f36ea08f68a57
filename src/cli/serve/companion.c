// SPDX-License-Identifier: Apache-2.0
#include "cli/serve/companion.h"

#include "common/base/lp_io.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    URL_BYTES = 4096,
    DESCRIPTORS = 16, // of a walk through the directory
};

static int
remove_one(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status;
    (void)kind;
    (void)place;
    (void)remove(path);
    return 0;
}

// The signals that the companion ignores, with SIGXFSZ, which the program ignores (main.c).
static const int ignored_signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGCHLD, SIGXFSZ};

static void
set_signals(void (*disposition)(int signal))
{
    for (size_t i = 0; i < sizeof(ignored_signals) / sizeof(ignored_signals[0]); i++) {
        (void)signal(ignored_signals[i], disposition);
    }
}

// browse opens url, and does not wait for that. The browser may be a child of xdg-open's, and
// outlives all others.
static void
browse(const char *url)
{
    if (fork() != 0) {
        return;
    }
    (void)setsid();
    set_signals(SIG_DFL);
    (void)execlp("xdg-open", "xdg-open", url, (char *)NULL);
    _exit(1);
}

// detach makes the companion the last process to end: signals of the terminal, and those to the
// program's process group, do not reach it. SIGCHLD is ignored so that there are no zombies.
static void
detach(void)
{
    (void)setsid();
    set_signals(SIG_IGN);
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        (void)dup2(nowhere, fd); // a pipe's other side must not wait for it
    }
}

// run is the companion's main loop. It reads addresses, one a line, until the other side is closed.
__attribute__((noreturn)) static void
run(int fd, const char *directory)
{
    detach();
    (void)prctl(PR_SET_NAME, "loupe-companion");
    char url[URL_BYTES];
    size_t length = 0;
    while (lp_io_read(fd, url + length, 1) == 1) {
        if (url[length] == '\n') {
            url[length] = '\0';
            browse(url);
            length = 0;
        } else if (length + 1 < sizeof(url)) {
            length++;
        }
    }
    (void)nftw(directory, remove_one, DESCRIPTORS, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
    _exit(0);
}

lp_err
companion_begin(const char *directory, companion *out)
{
    int ends[2];
    LP_REQUIRE(pipe2(ends, O_CLOEXEC) == 0, LP_EIO);
    pid_t pid = fork();
    if (pid == 0) {
        (void)close(ends[1]);
        run(ends[0], directory);
    }
    int error = errno;
    (void)close(ends[0]);
    if (pid < 0) {
        (void)close(ends[1]);
        errno = error;
        return LP_EIO;
    }
    *out = (companion){.pid = pid, .fd = ends[1]};
    return LP_OK;
}

lp_err
companion_show(const companion *self, const char *url)
{
    const lp_slice line[] = {{(const uint8_t *)url, strlen(url)}, {(const uint8_t *)"\n", 1}};
    return lp_io_write_pieces(self->fd, line, 2);
}

void
companion_end(companion *self)
{
    (void)close(self->fd);
    while (waitpid(self->pid, NULL, 0) < 0 && errno == EINTR) {
    }
}
