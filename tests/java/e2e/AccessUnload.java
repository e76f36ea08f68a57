// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import dev.loupe.ContextAccess;
import java.lang.invoke.MethodHandles;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.List;

/**
 * Loads classes again and again in class loaders of their own, and as hidden classes, sets contexts
 * of them until that is compiled, and lets go of them: all have to be collected.
 */
public final class AccessUnload {
    private static final int ROUNDS = 20;
    private static final int SETS = 20_000;
    private static final int COLLECTIONS_MAX = 200;

    private AccessUnload() {}

    public static void main(String[] args) throws Exception {
        ReferenceQueue<Object> collected = new ReferenceQueue<>();
        List<Reference<?>> waiting = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            ClassLoader loader = new CopyLoader("AccessTypes");
            use(loader.loadClass("dev.loupe.testapps.AccessTypes$Hidden"), 1L);
            use(loader.loadClass("dev.loupe.testapps.AccessTypes$Over"), 1);
            waiting.add(new PhantomReference<>(loader, collected));
            Class<?> hidden =
                    MethodHandles.lookup()
                            .defineHiddenClass(ClassBytes.of(AccessTypes.Hidden.class), true)
                            .lookupClass();
            use(hidden, 1L);
            waiting.add(new PhantomReference<>(hidden, collected));
            // An access that nobody has set yet.
            ClassLoader unused = new CopyLoader("AccessTypes");
            ContextAccess.forType(unused.loadClass("dev.loupe.testapps.AccessTypes$Over"));
        }
        int left = waiting.size();
        for (int i = 0; i < COLLECTIONS_MAX && left > 0; i++) {
            System.gc();
            while (left > 0 && collected.remove(50) != null) {
                left--;
            }
        }
        Reference.reachabilityFence(waiting);
        System.out.println(left + " of " + waiting.size() + " are kept");
    }

    @SuppressWarnings("unchecked")
    private static void use(Class<?> type, Object value) throws Exception {
        Constructor<?> constructor = type.getDeclaredConstructors()[0];
        constructor.setAccessible(true);
        Object instance = constructor.getParameterCount() == 1
                ? constructor.newInstance(value)
                : constructor.newInstance(value, value);
        ContextAccess<Object> access = ContextAccess.forType((Class<Object>) type);
        for (int i = 0; i < SETS; i++) {
            access.set(instance);
            access.unset();
        }
    }
}
