// SPDX-License-Identifier: Apache-2.0

#include "cli/serve/end_watch.h"

#include "common/base/lp_end.h"
#include "common/base/lp_log.h"
#include "common/base/lp_time.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { DESCRIPTION_BYTES = 400 };

// There is one, as a process has one set of signals.
static struct {
    end_watch_config config;
    sigset_t signals;      // that the thread waits for
    sem_t came;            // posted for each signal that end_watch_next returns
    atomic_int end_signal; // 0: none came. Pairs with the load in end_watch_is_told
    int64_t end_mono_ms;   // used by the thread alone
} watch;

static void
on_alarm(int signal_number)
{
    (void)signal_number;
    _exit(watch.config.status);
}

// set_handler makes this thread receive a signal, even if it is blocked.
static void
set_handler(int signal_number, void (*handler)(int signal_number))
{
    sigset_t only;
    (void)sigemptyset(&only);
    (void)sigaddset(&only, signal_number);
    (void)signal(signal_number, handler);
    (void)pthread_sigmask(SIG_UNBLOCK, &only, NULL);
}

// end_now ends a process that did not exit in time.
static void
end_now(void)
{
    char text[DESCRIPTION_BYTES] = "";
    set_handler(SIGALRM, on_alarm);
    (void)alarm(END_WATCH_LINE_S_MAX);
    watch.config.describe(text, sizeof(text));
    lp_log(LP_LOG_ERROR,
        "did not end within %d s of %s; ending now, as if killed: the journals have all "
        "acknowledged data. Still running: %s",
        watch.config.ms_max / 1000, strsignal(atomic_load(&watch.end_signal)), text);
    _exit(watch.config.status);
}

// end_by_signal ends the process as one that handles no signal.
static void
end_by_signal(int signal_number)
{
    set_handler(signal_number, SIG_DFL);
    (void)raise(signal_number);
}

// get_left returns the time that the process still has.
static struct timespec
get_left(void)
{
    int64_t ms = watch.end_mono_ms - lp_time_mono_ms();
    ms = ms < 0 ? 0 : ms;
    return (struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
}

static void
begin_end(int signal_number)
{
    int64_t now_ms = lp_time_mono_ms();
    watch.end_mono_ms = now_ms + watch.config.ms_max;
    lp_end_set(now_ms + (int64_t)watch.config.ms_max * END_WATCH_WAITS_PERCENT / 100);
    atomic_store(&watch.end_signal, signal_number);
    (void)sem_post(&watch.came);
}

static void *
run(void *arg)
{
    (void)arg;
    for (;;) {
        bool is_ending = atomic_load(&watch.end_signal) != 0;
        struct timespec left = get_left();
        siginfo_t info;
        int came = is_ending ? sigtimedwait(&watch.signals, &info, &left)
                             : sigwaitinfo(&watch.signals, &info);
        if (came < 0 && errno == EAGAIN) {
            end_now();
        } else if (came == SIGHUP) {
            (void)sem_post(&watch.came);
        } else if (came > 0 && is_ending) {
            end_by_signal(came);
        } else if (came > 0) {
            begin_end(came);
        }
    }
    return NULL;
}

lp_err
end_watch_begin(const end_watch_config *config)
{
    pthread_t thread;
    watch.config = *config;
    (void)sem_init(&watch.came, 0, 0); // cannot fail with this value
    (void)sigemptyset(&watch.signals);
    (void)sigaddset(&watch.signals, SIGTERM);
    (void)sigaddset(&watch.signals, SIGINT);
    if (config->has_hangup) {
        (void)sigaddset(&watch.signals, SIGHUP);
    }
    (void)pthread_sigmask(SIG_BLOCK, &watch.signals, NULL);
    int pending = sigtimedwait(&watch.signals, NULL, &(struct timespec){0});
    if (pending > 0 && pending != SIGHUP) { // it came before the program began
        begin_end(pending);
    }
    LP_REQUIRE(pthread_create(&thread, NULL, run, NULL) == 0, LP_ENOMEM);
    (void)pthread_setname_np(thread, "loupe-end");
    (void)pthread_detach(thread); // it is there until the process is not
    return LP_OK;
}

bool
end_watch_is_told(void *arg)
{
    (void)arg;
    return atomic_load(&watch.end_signal) != 0;
}

int
end_watch_next(void)
{
    while (sem_wait(&watch.came) != 0) { // EINTR
    }
    int end_signal = atomic_load(&watch.end_signal);
    return end_signal != 0 ? end_signal : SIGHUP;
}
