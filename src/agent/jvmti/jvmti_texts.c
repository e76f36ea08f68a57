// SPDX-License-Identifier: Apache-2.0
#include "agent/jvmti/jvmti_texts.h"

#include <stdlib.h>

char *
jvmti_texts_copy(JNIEnv *jni, jbyteArray bytes)
{
    jsize len = (*jni)->GetArrayLength(jni, bytes);
    char *text = malloc((size_t)len + 1);
    if (text != NULL) {
        (*jni)->GetByteArrayRegion(jni, bytes, 0, len, (jbyte *)text);
        text[len] = '\0';
    }
    return text;
}

char *
jvmti_texts_copy_element(JNIEnv *jni, jobjectArray texts, jsize index)
{
    jbyteArray bytes = (*jni)->GetObjectArrayElement(jni, texts, index);
    char *text = bytes == NULL ? NULL : jvmti_texts_copy(jni, bytes);
    (*jni)->DeleteLocalRef(jni, bytes);
    return text;
}

void
jvmti_texts_throw_no_memory(JNIEnv *jni, const char *what)
{
    jclass error = (*jni)->FindClass(jni, "java/lang/OutOfMemoryError");
    if (error != NULL) { // else FindClass has thrown
        (void)(*jni)->ThrowNew(jni, error, what);
    }
}
