// SPDX-License-Identifier: Apache-2.0
// The native side of dev.loupe.testapps.Forks: makes processes as native libraries of an
// application may, without the JVM's help.

#include <jni.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILD_SECONDS_MAX = 30 };

static void
run_child(int how, const char *file)
{
    (void)alarm(CHILD_SECONDS_MAX);
    if (how == 0) {
        _exit(0);
    }
    if (how == 1) {
        exit(0);
    }
    (void)execl("/bin/sh", "sh", "-c", "exec ls -l /proc/self/fd > \"$0\"", file, (char *)NULL);
    _exit(1);
}

JNIEXPORT jint JNICALL Java_dev_loupe_testapps_Forks_fork(JNIEnv *, jclass, jint, jstring);

JNIEXPORT jint JNICALL
Java_dev_loupe_testapps_Forks_fork(JNIEnv *jni, jclass klass, jint how, jstring file)
{
    (void)klass;
    const char *path = (*jni)->GetStringUTFChars(jni, file, NULL);
    if (path == NULL) {
        return -1;
    }
    pid_t child = fork();
    if (child == 0) {
        run_child(how, path);
    }
    int status = -1;
    (void)waitpid(child, &status, 0);
    (*jni)->ReleaseStringUTFChars(jni, file, path);
    return status;
}
