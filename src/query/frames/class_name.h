// SPDX-License-Identifier: Apache-2.0
// class_name: names of classes without the parts that the JVM or a library generates per process,
// so that the same code has the same name in all JVMs.
//
//   shop.Main$$Lambda+0x00007f1c.12345   shop.Main$$Lambda
//   shop.Main$$Lambda$14/0x00007f1c      shop.Main$$Lambda            (also with $14+0x..)
//   ..LambdaForm$MH+0x00007f1c.12345     ..LambdaForm$MH              (method handles)
//   ..GeneratedMethodAccessor7           ..GeneratedMethodAccessor    (reflection)
//   jdk.proxy2.$Proxy87                  jdk.proxy.$Proxy
//   shop.Cart$$SpringCGLIB$$0            shop.Cart$$SpringCGLIB       (and others of CGLIB)
//   shop.Cart$HibernateProxy$uZ7         shop.Cart$HibernateProxy     (ByteBuddy)
//   shop.Hidden+0x00007f1c.12345         shop.Hidden                  (hidden classes)
//
// Threads: any thread; pure functions.
// Tests:   tests/unit/query/frames/test_class_name.c, tests/e2e/flamegraph.py

#ifndef LP_QUERY_CLASS_NAME_H
#define LP_QUERY_CLASS_NAME_H

#include <stddef.h>

// query_class_name_join removes these parts in place from a name of len bytes, with dots between
// packages, and returns the new length.
size_t query_class_name_join(char *name, size_t len);

#endif // LP_QUERY_CLASS_NAME_H
