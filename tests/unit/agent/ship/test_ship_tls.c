// SPDX-License-Identifier: Apache-2.0
// TLS of the agent: files that cannot be used are named with what is wrong; a handshake that fails
// says why, whichever side it is that refuses; it leaves no descriptor behind and can be asked
// again.
//
// The collector is openssl's s_server, or a socket of the test that speaks no TLS.

#include "support/certificates.h"
#include "support/held_port.h"

#include "agent/ship/dial/ship_absence.h"
#include "agent/ship/dial/ship_tls.h"
#include "agent/ship/ship_thread.h"

#include <dirent.h>
#include <fcntl.h>
#include <mbedtls/version.h>
#include <nng/supplemental/util/platform.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { LONG_MS = 60 * 1000 };

static certificates made;
static int wake_fd;

typedef struct paths {
    certificates_path ca;
    certificates_path cert;
    certificates_path key;
    ship_tls files;
} paths;

// find finds the files of an agent: ca.pem, and NAME.pem and NAME.key (NULL: none).
static void
find(paths *out, const char *ca, const char *cert, const char *key)
{
    out->ca = certificates_find(&made, ca);
    out->cert = certificates_find(&made, cert == NULL ? "" : cert);
    out->key = certificates_find(&made, key == NULL ? "" : key);
    out->files = (ship_tls){.ca = out->ca.text,
        .cert = cert == NULL ? NULL : out->cert.text,
        .key = key == NULL ? NULL : out->key.text};
}

static void
test_files_are_read(void **state)
{
    (void)state;
    paths agent;
    ship_tls_content content;
    lp_problem problem;
    find(&agent, "ca.pem", NULL, NULL);
    assert_int_equal(ship_tls_read(&agent.files, &content, &problem), LP_OK);
    assert_memory_equal(content.ca_text, "-----BEGIN", 10);
    assert_null(content.cert_text);
    ship_tls_content_fini(&content);
    find(&agent, "ca.pem", "agent.pem", "agent.key");
    assert_int_equal(ship_tls_read(&agent.files, &content, &problem), LP_OK);
    ship_tls_content_fini(&content);
}

static void
test_what_is_wrong_with_files_is_named(void **state)
{
    static const struct {
        const char *ca;
        const char *cert;
        const char *key;
        const char *at_fault;
        const char *why;
    } cases[] = {
        {"none.pem", NULL, NULL, "none.pem", "No such file"},
        {"ca.key", NULL, NULL, "ca.key", "no certificates in PEM"},
        {"ca.pem", "none.pem", "agent.key", "none.pem", "No such file"},
        {"ca.pem", "agent.pem", "none.key", "none.key", "No such file"},
        {"ca.pem", "agent.pem", "agent.pem", "agent.pem", "no key in PEM"},
        {"ca.pem", "server.pem", "locked.key", "locked.key", "without a passphrase"},
        {"ca.pem", "agent.pem", "server.key", "server.key", "not the key of the certificate"},
        {"", NULL, NULL, "", "not a file"},
        {"pipe", NULL, NULL, "pipe", "not a file"}, // nobody writes into it, ever
        {"ca.pem", "agent.pem", "pipe", "pipe", "not a file"},
    };
    (void)state;
    assert_int_equal(mkfifo(certificates_find(&made, "pipe").text, 0600), 0);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        paths agent;
        ship_tls_content content;
        lp_problem problem = {.text = ""};
        find(&agent, cases[i].ca, cases[i].cert, cases[i].key);
        assert_int_not_equal(ship_tls_read(&agent.files, &content, &problem), LP_OK);
        print_message("%s\n", problem.text);
        assert_non_null(strstr(problem.text, cases[i].at_fault));
        assert_non_null(strstr(problem.text, cases[i].why));
    }
}

// --- A server

typedef struct server {
    held_port port;
    pid_t pid;
} server;

// await_accept waits until s_server says that it listens.
static void
await_accept(int out)
{
    char text[200] = "";
    size_t size = 0;
    while (strstr(text, "ACCEPT") == NULL) {
        ssize_t count = read(out, text + size, sizeof(text) - 1 - size);
        assert_true(count > 0);
        size += (size_t)count;
        text[size] = '\0';
    }
}

// start_server starts s_server with the certificate name; asks: for one of the agent's.
static server
start_server(const char *name, bool asks)
{
    char own[40];
    char own_key[40];
    char address[40];
    int fds[2];
    server started = {.port = held_port_take()};
    posix_spawn_file_actions_t actions;
    (void)snprintf(own, sizeof(own), "%s.pem", name);
    (void)snprintf(own_key, sizeof(own_key), "%s.key", name);
    (void)snprintf(address, sizeof(address), "127.0.0.1:%d", started.port.number);
    certificates_path cert = certificates_find(&made, own);
    certificates_path key = certificates_find(&made, own_key);
    certificates_path ca = certificates_find(&made, "ca.pem");
    certificates_path log = certificates_find(&made, "s_server.log");
    const char *arguments[20] = {"openssl", "s_server", "-accept", address, "-cert", cert.text,
        "-cert_chain", cert.text, "-key", key.text, "-www"};
    if (asks) {
        const char *const more[] = {"-Verify", "2", "-CAfile", ca.text, "-verify_return_error"};
        memcpy(&arguments[11], more, sizeof(more));
    }
    assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
    assert_int_equal(posix_spawn_file_actions_init(&actions), 0);
    assert_int_equal(posix_spawn_file_actions_adddup2(&actions, fds[1], 1), 0);
    assert_int_equal(posix_spawn_file_actions_addopen(
                         &actions, 2, log.text, O_WRONLY | O_CREAT | O_APPEND, 0600),
        0);
    assert_int_equal(posix_spawnp(&started.pid, "openssl", &actions, NULL,
                         (char *const *)(uintptr_t)arguments, environ),
        0);
    (void)posix_spawn_file_actions_destroy(&actions);
    (void)close(fds[1]);
    await_accept(fds[0]);
    (void)close(fds[0]);
    return started;
}

static void
end_server(server *s)
{
    int status;
    (void)kill(s->pid, SIGKILL);
    assert_int_equal(waitpid(s->pid, &status, 0), s->pid);
    held_port_release(&s->port);
}

// --- Handshakes

static ship_handshake_state
step_to_end(ship_handshake *shake)
{
    ship_handshake_state found;
    while ((found = ship_handshake_step(shake)) == SHIP_HANDSHAKE_BUSY) {
        struct pollfd woken = {wake_fd, POLLIN, 0};
        uint64_t count;
        assert_int_equal(poll(&woken, 1, LONG_MS), 1);
        assert_int_equal(read(wake_fd, &count, sizeof(count)), sizeof(count));
    }
    assert_int_equal(ship_handshake_step(shake), SHIP_HANDSHAKE_IDLE);
    return found;
}

// ask begins with a wake for nothing: the last one of the answer before may come as late as this.
static ship_handshake_state
ask(ship_handshake *shake, const ship_tls *files, const char *host, int port)
{
    char url[100];
    ship_wake(wake_fd);
    (void)snprintf(url, sizeof(url), "tls+tcp://%s:%d", host, port);
    const ship_address at = {.endpoint = url};
    ship_handshake_start(shake, files, &at, wake_fd);
    ship_handshake_start(shake, files, &at, wake_fd); // it asks already
    return step_to_end(shake);
}

static size_t
count_descriptors(void)
{
    size_t count = 0;
    DIR *dir = opendir("/proc/self/fd");
    assert_non_null(dir);
    while (readdir(dir) != NULL) {
        count++;
    }
    (void)closedir(dir);
    return count;
}

// Mbed TLS 2 takes no address of a certificate for one.
#if MBEDTLS_VERSION_MAJOR >= 3
#define BY_ADDRESS NULL
#else
#define BY_ADDRESS "use the certificate's name"
#endif

static void
test_handshakes_say_why_they_fail(void **state)
{
    static const struct {
        const char *server;
        bool asks;
        const char *host;
        const char *ca;
        const char *agent;
        const char *why; // NULL: it does not fail
    } cases[] = {
        {"server", false, "localhost", "ca.pem", NULL, NULL},
        {"itself", false, "localhost", "itself.pem", NULL, NULL},
        {"chain", false, "localhost", "ca.pem", NULL, NULL},
        {"server", true, "localhost", "ca.pem", "agent", NULL},
        {"server", false, "localhost", "ca.pem", "agent", NULL}, // nobody asks
        {"expired", false, "localhost", "ca.pem", NULL, "its certificate has expired"},
        {"stranger", false, "localhost", "ca.pem", NULL,
            "its certificate is from no authority in "},
        {"wrong-name", false, "localhost", "ca.pem", NULL,
            "its certificate is for another name than localhost"},
        {"server", false, "127.0.0.1", "ca.pem", NULL, BY_ADDRESS},
        {"expired", false, "localhost", "other-ca.pem", NULL, "other-ca.pem, and has expired"},
        {"server", true, "localhost", "ca.pem", NULL, "may want a certificate"},
        {"server", true, "localhost", "ca.pem", "agent-expired", "does not accept the certificate"},
        {"server", true, "localhost", "ca.pem", "agent-stranger",
            "does not accept the certificate"},
    };
    static ship_handshake shake;
    (void)state;
    size_t descriptors = 0;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char own[40];
        char own_key[40];
        paths agent;
        (void)snprintf(own, sizeof(own), "%s.pem", cases[i].agent);
        (void)snprintf(own_key, sizeof(own_key), "%s.key", cases[i].agent);
        find(&agent, cases[i].ca, cases[i].agent == NULL ? NULL : own,
            cases[i].agent == NULL ? NULL : own_key);
        server s = start_server(cases[i].server, cases[i].asks);
        ship_handshake_state found = ask(&shake, &agent.files, cases[i].host, s.port.number);
        print_message("%s, %s: %d %s\n", cases[i].server,
            cases[i].agent == NULL ? "no certificate" : cases[i].agent, (int)found,
            found == SHIP_HANDSHAKE_REFUSED ? shake.problem.text : "");
        if (cases[i].why == NULL) {
            assert_int_equal(found, SHIP_HANDSHAKE_DONE);
        } else {
            assert_int_equal(found, SHIP_HANDSHAKE_REFUSED);
            assert_non_null(strstr(shake.problem.text, cases[i].why));
        }
        end_server(&s);
        if (i == 0) {
            descriptors = count_descriptors();
        }
    }
    for (int i = 0; i < LONG_MS / 10 && count_descriptors() > descriptors; i++) {
        nng_msleep(10); // NNG takes connections down on a thread of its own
    }
    assert_true(count_descriptors() <= descriptors);
}

static void
test_files_are_looked_at_first(void **state)
{
    static ship_handshake shake;
    (void)state;
    paths agent;
    find(&agent, "none.pem", NULL, NULL);
    assert_int_equal(ask(&shake, &agent.files, "localhost", 1), SHIP_HANDSHAKE_REFUSED);
    assert_non_null(strstr(shake.problem.text, "none.pem"));
}

// answer_bare has a socket answer what it is sent, and end the connection.
static void
answer_bare(int listener, const void *answer, size_t size)
{
    char hello[2000];
    struct pollfd dialled = {listener, POLLIN, 0};
    assert_int_equal(poll(&dialled, 1, LONG_MS), 1);
    int connection = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    assert_true(connection >= 0);
    if (size > 0) {
        assert_int_equal(send(connection, answer, size, MSG_NOSIGNAL), size);
    }
    (void)shutdown(connection, SHUT_WR);
    while (recv(connection, hello, sizeof(hello), 0) > 0) {
    }
    (void)close(connection);
}

typedef struct bare {
    int listener;
    const char *answer;
    size_t size;
} bare;

static void *
run_bare(void *arg)
{
    const bare *b = arg;
    answer_bare(b->listener, b->answer, b->size);
    return NULL;
}

static void
test_what_speaks_no_tls_is_told(void **state)
{
    static const struct {
        const char *answer;
        size_t size;
    } cases[] = {{"\0SP\0\0\x31\0\0", 8}, {"HTTP/1.1 400 Bad Request\r\n\r\n", 28}, {"", 0}};
    static ship_handshake shake;
    (void)state;
    paths agent;
    find(&agent, "ca.pem", NULL, NULL);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct sockaddr_in address = {
            .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
        socklen_t size = sizeof(address);
        bare b = {socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), cases[i].answer, cases[i].size};
        assert_int_equal(bind(b.listener, (struct sockaddr *)&address, size), 0);
        assert_int_equal(listen(b.listener, 1), 0);
        assert_int_equal(getsockname(b.listener, (struct sockaddr *)&address, &size), 0);
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, run_bare, &b), 0);
        assert_int_equal(ask(&shake, &agent.files, "127.0.0.1", ntohs(address.sin_port)),
            SHIP_HANDSHAKE_REFUSED);
        assert_non_null(strstr(shake.problem.text, "does not speak TLS"));
        assert_int_equal(pthread_join(thread, NULL), 0);
        (void)close(b.listener);
    }
}

static void
test_nobody_is_away(void **state)
{
    static ship_handshake shake;
    (void)state;
    paths agent;
    held_port port = held_port_take();
    find(&agent, "ca.pem", NULL, NULL);
    assert_int_equal(ask(&shake, &agent.files, "127.0.0.1", port.number), SHIP_HANDSHAKE_AWAY);
    held_port_release(&port);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files_are_read),
        cmocka_unit_test(test_what_is_wrong_with_files_is_named),
        cmocka_unit_test(test_handshakes_say_why_they_fail),
        cmocka_unit_test(test_files_are_looked_at_first),
        cmocka_unit_test(test_what_speaks_no_tls_is_told),
        cmocka_unit_test(test_nobody_is_away),
    };
    made = certificates_make();
    wake_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    int result = cmocka_run_group_tests_name("ship_tls", tests, NULL, NULL);
    temp_dir_remove(&made.dir);
    return result;
}
