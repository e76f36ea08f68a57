// SPDX-License-Identifier: Apache-2.0
#include "agent/jvmti/jvmti_noted.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct noted_class {
    char *name; // with slashes
    size_t len; // of the name
    unsigned looks;
    bool is_loaded;
} noted_class;

// Written before the others are called.
static jclass outside_class;
static jfieldID contextual; // a String
static jfieldID noted;      // an int, the number of classes that were ever noted
static jstring no_name;     // for a class whose name found no memory

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static noted_class classes[JVMTI_NOTED_MAX];
static size_t class_count;

#define TEXT "Ljava/lang/String;"

bool
jvmti_noted_open(JNIEnv *jni, jclass outside)
{
    if (no_name != NULL) {
        return true;
    }
    outside_class = outside;
    contextual = (*jni)->GetStaticFieldID(jni, outside, "contextual", TEXT);
    noted = contextual == NULL ? NULL : (*jni)->GetStaticFieldID(jni, outside, "noted", "I");
    jstring text = noted == NULL ? NULL : (*jni)->NewStringUTF(jni, "a class");
    no_name = text == NULL ? NULL : (*jni)->NewGlobalRef(jni, text);
    (*jni)->DeleteLocalRef(jni, text);
    return no_name != NULL;
}

static char *
copy_name(lp_slice name)
{
    char *copy = malloc(name.len + 1);
    if (copy != NULL) {
        memcpy(copy, name.ptr, name.len);
        copy[name.len] = '\0';
    }
    return copy;
}

void
jvmti_noted_set(JNIEnv *jni, lp_slice name)
{
    char *copy = name.len == 0 ? NULL : copy_name(name);
    for (char *c = copy; c != NULL && *c != '\0'; c++) {
        *c = *c == '/' ? '.' : *c;
    }
    jstring text = copy == NULL ? NULL : (*jni)->NewStringUTF(jni, copy);
    (*jni)->ExceptionClear(jni);
    (*jni)->SetStaticObjectField(jni, outside_class, contextual, text == NULL ? no_name : text);
    (*jni)->DeleteLocalRef(jni, text);
    free(copy);
}

// Returns the index of a noted class; class_count if there is none.
static size_t
find(const char *name, size_t len)
{
    size_t i = 0;
    while (i < class_count && (classes[i].len != len || memcmp(classes[i].name, name, len) != 0)) {
        i++;
    }
    return i;
}

// Returns false if there is no room for a class.
static bool
keep(lp_slice name)
{
    size_t index = find((const char *)name.ptr, name.len);
    if (index == JVMTI_NOTED_MAX) {
        return false;
    }
    if (index == class_count) {
        char *copy = copy_name(name);
        if (copy == NULL) {
            return false;
        }
        classes[class_count++] = (noted_class){.name = copy, .len = name.len};
    }
    // Another loader may have loaded one of that name.
    classes[index].looks = 0;
    classes[index].is_loaded = false;
    return true;
}

void
jvmti_noted_add(JNIEnv *jni, lp_slice name)
{
    (void)pthread_mutex_lock(&mutex);
    bool is_kept = keep(name);
    jint count = (*jni)->GetStaticIntField(jni, outside_class, noted);
    (*jni)->SetStaticIntField(jni, outside_class, noted, (jint)((uint32_t)count + 1));
    (void)pthread_mutex_unlock(&mutex);
    if (!is_kept) {
        jvmti_noted_set(jni, name);
    }
}

static void
look_at(jvmtiEnv *jvmti, jclass klass)
{
    char *signature = NULL;
    if ((*jvmti)->GetClassSignature(jvmti, klass, &signature, NULL) != JVMTI_ERROR_NONE) {
        return;
    }
    if (signature[0] == 'L') { // Lname; or Lname.number; of a hidden class
        size_t index = find(signature + 1, strcspn(signature + 1, ".;"));
        if (index < class_count) {
            classes[index].is_loaded = true;
        }
    }
    (void)(*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
}

static void
forget_all(void)
{
    while (class_count > 0) {
        free(classes[--class_count].name);
    }
}

bool
jvmti_noted_are_loaded(jvmtiEnv *jvmti, const jclass *loaded, size_t count)
{
    (void)pthread_mutex_lock(&mutex);
    for (size_t i = 0; i < count && class_count > 0; i++) {
        look_at(jvmti, loaded[i]);
    }
    bool are_loaded = true;
    for (size_t i = 0; i < class_count; i++) {
        classes[i].looks++;
        are_loaded &= classes[i].is_loaded || classes[i].looks > JVMTI_NOTED_LOOKS;
    }
    if (are_loaded) {
        forget_all();
    }
    (void)pthread_mutex_unlock(&mutex);
    return are_loaded;
}
