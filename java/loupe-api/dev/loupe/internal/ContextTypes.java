// SPDX-License-Identifier: Apache-2.0
package dev.loupe.internal;

import dev.loupe.ContextType;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Stream;
import jdk.internal.misc.Unsafe;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** The context types of this JVM: finds their attributes by reflection and registers them with the agent. */
public final class ContextTypes {
  private static final ClassValue<Entry> ENTRIES =
      new ClassValue<>() {
        @Override
        protected Entry computeValue(Class<?> type) {
          return new Entry();
        }
      };

  private static final Object SERVICES_LOCK = new Object();
  private static boolean areServicesStarted; // guarded by SERVICES_LOCK
  private static volatile boolean areServicesDone;

  private ContextTypes() {}

  // What is known of a class. Held by the class itself, so that it does not keep its loader alive.
  private static final class Entry {
    private volatile ContextLayout layout; // null: not registered
  }

  /** Finds the layout of a registered type; null if it is not registered. */
  public static ContextLayout find(Class<? extends ContextType> type) {
    if (!areServicesDone) {
      registerServices();
    }
    return ENTRIES.get(type).layout;
  }

  /** Registers a type; false if it is over the limit on attributes. */
  public static boolean register(Class<? extends ContextType> type) {
    if (!areServicesDone) {
      registerServices();
    }
    return registerOne(type);
  }

  private static boolean registerOne(Class<? extends ContextType> type) {
    Entry entry = ENTRIES.get(type);
    synchronized (entry) {
      if (entry.layout == null) {
        entry.layout = describe(type);
      }
      return entry.layout != null;
    }
  }

  // Other threads wait until the services are registered. The thread that registers them goes on with what there is
  // when a service uses the API itself.
  private static void registerServices() {
    synchronized (SERVICES_LOCK) {
      if (areServicesStarted) {
        return;
      }
      areServicesStarted = true;
      Set<Class<?>> seen = new HashSet<>();
      registerServices(Thread.currentThread().getContextClassLoader(), seen);
      registerServices(ClassLoader.getSystemClassLoader(), seen);
      areServicesDone = true;
    }
  }

  // This class is in the boot loader, which sees no services of the application: so its loaders are asked.
  private static void registerServices(ClassLoader loader, Set<Class<?>> seen) {
    try {
      for (ContextType.Registration service : ServiceLoader.load(ContextType.Registration.class, loader)) {
        if (seen.add(service.getClass())) {
          registerService(service);
        }
      }
    } catch (ServiceConfigurationError | RuntimeException | LinkageError e) {
      logUnusable(e);
    }
  }

  private static void registerService(ContextType.Registration service) {
    try (Stream<Class<? extends ContextType>> types = service.types()) {
      types.forEach(ContextTypes::registerOne);
    } catch (RuntimeException | LinkageError e) {
      logUnusable(e);
    }
  }

  // Whoever happened to use the API first is not to blame and must not fail.
  private static void logUnusable(Throwable problem) {
    Native.log(Native.LOG_WARN, "a ContextType.Registration could not be used: " + problem);
  }

  private static ContextLayout describe(Class<? extends ContextType> type) {
    if (Modifier.isAbstract(type.getModifiers())) {
      throw new IllegalArgumentException("context type " + type.getName() + " is abstract");
    }
    List<Field> fields = findAttributes(type);
    if (fields.isEmpty()) {
      throw new IllegalArgumentException(
          "context type " + type.getName() + " has no field of a primitive type, String or CharSequence");
    }
    int[] kinds = new int[fields.size()];
    long[] offsets = new long[fields.size()];
    List<String> texts = new ArrayList<>();
    Set<String> names = new HashSet<>();
    addTexts(texts, type, type.getName());
    for (int i = 0; i < kinds.length; i++) {
      Field field = fields.get(i);
      kinds[i] = kindOf(field.getType());
      offsets[i] = Unsafe.getUnsafe().objectFieldOffset(field);
      String name = addTexts(texts, field, field.getName());
      if (!names.add(name)) {
        throw new IllegalArgumentException(
            "context type " + type.getName() + " has two attributes named " + name);
      }
    }
    return register(type, texts, kinds, offsets);
  }

  private static ContextLayout register(Class<?> type, List<String> texts, int[] kinds, long[] offsets) {
    int id = Native.registerType(texts.stream().map(Native::utf8).toArray(byte[][]::new), kinds);
    if (id <= 0) {
      String why = id == 0 ? "its attributes are more than are left of the limit" : "out of memory";
      Native.log(Native.LOG_WARN, "context type " + type.getName() + " is not registered: " + why);
      return null;
    }
    return new ContextLayout(id, kinds, offsets);
  }

  // As JFR does for events: no private fields of superclasses.
  private static List<Field> findAttributes(Class<?> type) {
    List<Field> fields = new ArrayList<>();
    for (Class<?> c = type; c != ContextType.class; c = c.getSuperclass()) {
      for (Field field : c.getDeclaredFields()) {
        int modifiers = field.getModifiers();
        boolean isHidden = c != type && Modifier.isPrivate(modifiers);
        if (!isHidden
            && !Modifier.isStatic(modifiers)
            && !Modifier.isTransient(modifiers)
            && kindOf(field.getType()) != 0) {
          fields.add(field);
        }
      }
    }
    return fields;
  }

  private static String addTexts(List<String> texts, AnnotatedElement element, String defaultName) {
    Name name = element.getAnnotation(Name.class);
    Label label = element.getAnnotation(Label.class);
    Description description = element.getAnnotation(Description.class);
    texts.add(name == null ? defaultName : name.value());
    texts.add(label == null ? "" : label.value());
    texts.add(description == null ? "" : description.value());
    return texts.get(texts.size() - 3);
  }

  // 0: not an attribute
  private static int kindOf(Class<?> type) {
    if (type == String.class || type == CharSequence.class) {
      return ContextLayout.STRING;
    }
    if (!type.isPrimitive()) {
      return 0;
    }
    return switch (type.getName()) {
      case "boolean" -> ContextLayout.BOOLEAN;
      case "byte" -> ContextLayout.BYTE;
      case "char" -> ContextLayout.CHAR;
      case "short" -> ContextLayout.SHORT;
      case "int" -> ContextLayout.INT;
      case "long" -> ContextLayout.LONG;
      case "float" -> ContextLayout.FLOAT;
      default -> ContextLayout.DOUBLE;
    };
  }
}
