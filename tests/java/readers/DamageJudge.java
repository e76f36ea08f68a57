// SPDX-License-Identifier: Apache-2.0

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import jdk.jfr.AnnotationElement;
import jdk.jfr.EventType;
import jdk.jfr.SettingDescriptor;
import jdk.jfr.Timespan;
import jdk.jfr.Timestamp;
import jdk.jfr.ValueDescriptor;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedObject;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;

/**
 * The JDK's reader as a judge of many recordings, one after the other in one JVM.
 *
 * <p>Reads their paths from standard input, a line each, and answers each with a line: "ok", or
 * "error" and what was thrown. A recording is ok if its event types and all of its events can be
 * read, and every value and every annotation can be asked for, in the way that `jfr metadata` and
 * `jfr print` ask: by the annotations of a field, and stack traces frame by frame. And `jfr print`
 * itself prints it, with all frames of its stack traces. JDK 17 and later; the JDK's tool has to be
 * opened: --add-opens jdk.jfr/jdk.jfr.internal.tool=ALL-UNNAMED.
 */
public final class DamageJudge {
    /** Of objects within objects: they may refer to each other in circles. */
    private static final int DEPTH_MAX = 4;

    /** Constants of the recording that is being read, which many events refer to. */
    private static final Set<Object> ASKED = Collections.newSetFromMap(new IdentityHashMap<>());

    private static final PrintStream OUT = System.out;

    private DamageJudge() {}

    public static void main(String[] args) throws Exception {
        BufferedReader paths = new BufferedReader(new InputStreamReader(System.in));
        for (String path; (path = paths.readLine()) != null;) {
            String answer = "ok";
            try {
                read(Path.of(path));
                print(path);
            } catch (Throwable thrown) { // errors, too: an InternalError is the reader's
                answer = "error " + describe(thrown);
            }
            OUT.println(answer.replaceAll("\\p{Cntrl}", " "));
        }
    }

    private static String describe(Throwable thrown) {
        StringBuilder text = new StringBuilder();
        for (Throwable t = thrown; t != null; t = t.getCause()) {
            StackTraceElement[] trace = t.getStackTrace();
            text.append(t).append(trace.length == 0 ? "" : " (" + trace[0] + ") ");
        }
        return text.toString();
    }

    private static void read(Path path) throws Exception {
        ASKED.clear();
        try (RecordingFile file = new RecordingFile(path)) {
            for (EventType type : file.readEventTypes()) {
                ask(type);
            }
            while (file.hasMoreEvents()) {
                ask(file.readEvent());
            }
        }
    }

    private static void print(String path) throws Exception {
        Class<?> tool = Class.forName("jdk.jfr.internal.tool.Command");
        Method find = tool.getDeclaredMethod("valueOf", String.class);
        Method execute = tool.getDeclaredMethod("execute", Deque.class);
        find.setAccessible(true);
        execute.setAccessible(true);
        System.setOut(new PrintStream(OutputStream.nullOutputStream()));
        try {
            execute.invoke(find.invoke(null, "print"),
                    new ArrayDeque<>(List.of("--stack-depth", "10000", path)));
        } finally {
            System.setOut(OUT);
        }
    }

    private static void ask(EventType type) {
        type.getName();
        type.getLabel();
        type.getDescription();
        type.getCategoryNames();
        ask(type.getAnnotationElements());
        for (SettingDescriptor setting : type.getSettingDescriptors()) {
            setting.getName();
            setting.getTypeName();
            ask(setting.getAnnotationElements());
        }
        for (ValueDescriptor field : type.getFields()) {
            field.getLabel();
            field.getDescription();
            field.getContentType();
            ask(field.getAnnotationElements());
        }
    }

    private static void ask(Iterable<AnnotationElement> annotations) {
        for (AnnotationElement annotation : annotations) {
            annotation.getValues();
            for (ValueDescriptor member : annotation.getValueDescriptors()) {
                annotation.getValue(member.getName());
            }
        }
    }

    private static void ask(RecordedEvent event) {
        event.getStartTime();
        event.getEndTime();
        event.getDuration();
        event.getThread();
        RecordedStackTrace trace = event.getStackTrace();
        if (trace != null) {
            for (RecordedFrame frame : trace.getFrames()) {
                frame.getMethod();
            }
        }
        askFields(event, 0);
    }

    private static void askFields(RecordedObject object, int depth) {
        for (ValueDescriptor field : object.getFields()) {
            String name = field.getName();
            if (field.getAnnotation(Timespan.class) != null) {
                object.getDuration(name);
            } else if (field.getAnnotation(Timestamp.class) != null) {
                object.getInstant(name);
            } else {
                ask((Object) object.getValue(name), depth + 1);
            }
        }
    }

    private static void ask(Object value, int depth) {
        if (value instanceof Object[]) {
            for (Object element : (Object[]) value) {
                ask(element, depth);
            }
        } else if (value instanceof RecordedObject && depth < DEPTH_MAX && ASKED.add(value)) {
            askOfKind((RecordedObject) value);
            askFields((RecordedObject) value, depth);
        }
    }

    private static void askOfKind(RecordedObject value) {
        if (value instanceof RecordedThread) {
            RecordedThread thread = (RecordedThread) value;
            thread.getJavaName();
            thread.getJavaThreadId();
            thread.getOSName();
            thread.getOSThreadId();
        } else if (value instanceof RecordedFrame) {
            RecordedFrame frame = (RecordedFrame) value;
            frame.getMethod();
            frame.getLineNumber();
            frame.isJavaFrame();
        } else if (value instanceof RecordedMethod) {
            RecordedMethod method = (RecordedMethod) value;
            method.getType();
            method.getName();
            method.getDescriptor();
            method.isHidden();
        } else if (value instanceof RecordedClass) {
            ((RecordedClass) value).getClassLoader(); // getName fails where a class has none
        }
    }
}
