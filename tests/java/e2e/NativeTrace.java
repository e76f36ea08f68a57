// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import java.lang.annotation.Annotation;
import java.util.List;
import jdk.jfr.AnnotationElement;
import jdk.jfr.Event;
import jdk.jfr.EventFactory;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.ValueDescriptor;

/**
 * An event type with JDK 25's own jdk.jfr.Contextual on a field, made at run time: 17 does not
 * have it.
 */
final class NativeTrace {
    private static final EventFactory FACTORY = factory();

    private NativeTrace() {}

    static boolean isThere() {
        return FACTORY != null;
    }

    private static EventFactory factory() {
        Class<? extends Annotation> contextual;
        try {
            contextual = Class.forName("jdk.jfr.Contextual").asSubclass(Annotation.class);
        } catch (ClassNotFoundException e) {
            return null;
        }
        List<AnnotationElement> onField = List.of(new AnnotationElement(contextual));
        EventFactory factory =
                EventFactory.create(List.of(new AnnotationElement(Name.class, "e2e.NativeTrace"),
                                            new AnnotationElement(StackTrace.class, false)),
                        List.of(new ValueDescriptor(long.class, "id", onField)));
        factory.register();
        return factory;
    }

    static Event create(long id) {
        Event event = FACTORY.newEvent();
        event.set(0, id);
        return event;
    }
}
