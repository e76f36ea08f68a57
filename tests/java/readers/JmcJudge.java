// SPDX-License-Identifier: Apache-2.0

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import jdk.jfr.EventType;
import jdk.jfr.Timestamp;
import jdk.jfr.Unsigned;
import jdk.jfr.ValueDescriptor;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedObject;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;
import org.openjdk.jmc.common.IMCFrame;
import org.openjdk.jmc.common.IMCMethod;
import org.openjdk.jmc.common.IMCStackTrace;
import org.openjdk.jmc.common.IMCThread;
import org.openjdk.jmc.common.IMCType;
import org.openjdk.jmc.common.item.IAccessorKey;
import org.openjdk.jmc.common.item.IItem;
import org.openjdk.jmc.common.item.IItemCollection;
import org.openjdk.jmc.common.item.IItemIterable;
import org.openjdk.jmc.common.item.IMemberAccessor;
import org.openjdk.jmc.common.item.IType;
import org.openjdk.jmc.common.unit.IQuantity;
import org.openjdk.jmc.common.unit.UnitLookup;
import org.openjdk.jmc.flightrecorder.JfrAttributes;
import org.openjdk.jmc.flightrecorder.JfrLoaderToolkit;

/**
 * JDK Mission Control's parser as a judge of recordings that were compacted.
 *
 * <pre>JmcJudge [INPUT OUTPUT]... [--merged [INPUT OUTPUT]...]
 *         [--styled [INPUT OUTPUT]... [--merged [INPUT OUTPUT]...]]</pre>
 *
 * For each pair: every event that it sees in the output, with all its attributes and its times, is
 * one that it sees in the input, and begins for the JDK's reader when it did; of each type of the
 * output it sees as many events as the JDK's reader, with the same times, threads, stack traces,
 * texts and numbers; and what the output says that it does not hold, in the events
 * dev.loupe.Accounting, is what it sees in the input alone. An input that JMC cannot read is no
 * reason to fail; an output is. Prints a line for each pair, and how many events of the input are
 * not in the output; exit status 1 if one failed.
 *
 * Behind --merged the input has chunks of several JVMs, which the output has on one line of time:
 * each event begins no more than a millisecond away from one of its type in the input; where
 * nothing was dropped, in their order.
 *
 * Behind --styled the two are one recording in two context styles: all events of the input are in
 * the output, where they may have further attributes, and what these say of contexts is what the
 * JDK reads. The output also has events dev.loupe.ContextAttribute.
 */
public final class JmcJudge {
    private static final int SHOWN_MAX = 4;
    private static final String ACCOUNTING = "dev.loupe.Accounting";
    private static final String ATTRIBUTE = "dev.loupe.ContextAttribute";
    // What Loupe adds to a recording: in an output that is not styled all but ATTRIBUTE.
    private static final Set<String> ADDED = Set.of(ACCOUNTING, ATTRIBUTE, "dev.loupe.Request",
            "dev.loupe.HandOver", "dev.loupe.RequestAccounting");
    // JMC and the JDK turn ticks into nanoseconds each with roundings of their own.
    private static final long APART_MAX_NS = 1000;
    private static final long MERGED_APART_MAX_NS = 1_000_000 + APART_MAX_NS;

    // What JMC appends to the name of a type that it makes of another chunk's: it takes every
    // reference to a structure that it does not know for another in each chunk.
    private static final Pattern COPY =
            Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}$");

    private final boolean isStyled;
    private final boolean isMerged;
    private final List<String> problems = new ArrayList<>();

    private JmcJudge(boolean isStyled, boolean isMerged) {
        this.isStyled = isStyled;
        this.isMerged = isMerged;
    }

    public static void main(String[] args) {
        boolean isFailed = false;
        boolean isStyled = false;
        boolean isMerged = false;
        for (int i = 0; i < args.length; i += 2) {
            if (args[i].equals("--merged") || args[i].equals("--styled")) {
                isMerged = args[i].equals("--merged");
                isStyled |= !isMerged;
                i--;
                continue;
            }
            JmcJudge judge = new JmcJudge(isStyled, isMerged);
            String verdict;
            try {
                verdict = judge.judge(args[i], args[i + 1]);
            } catch (Exception | Error e) {
                e.printStackTrace();
                judge.problems.add(e.toString());
                verdict = "not read";
            }
            System.out.println((judge.problems.isEmpty() ? "ok " : "FAILED ") + args[i + 1] + ": "
                    + verdict + ' ' + String.join("; ", judge.problems));
            isFailed |= !judge.problems.isEmpty();
        }
        System.exit(isFailed ? 1 : 0);
    }

    private String judge(String input, String output) throws Exception {
        IItemCollection made = JfrLoaderToolkit.loadEvents(new File(output));
        Map<String, Seen> madeByJdk = compareWithJdk(made, output);
        boolean isWithoutInput = input.equals(output);
        IItemCollection origin;
        try {
            origin = isWithoutInput ? made : JfrLoaderToolkit.loadEvents(new File(input));
        } catch (Exception | Error e) {
            return sum(everything(made, null)) + " events; JMC cannot read the input";
        }
        Map<String, Integer> before = everything(origin, null);
        Map<String, Integer> after =
                isWithoutInput ? before : everything(made, isStyled ? attributes(origin) : null);
        for (Map.Entry<String, Integer> event : after.entrySet()) {
            int surplus = event.getValue() - before.getOrDefault(event.getKey(), 0);
            boolean isAdded = isStyled ? event.getKey().startsWith(ATTRIBUTE)
                                       : ADDED.stream().anyMatch(event.getKey()::startsWith);
            if (surplus > 0 && !isAdded) {
                complain("JMC does not see in the input (" + surplus + "): " + event.getKey());
            }
        }
        if (!isStyled) {
            compareWithAccounts(origin, made, isWithoutInput);
        }
        if (isMerged) {
            compareMergedStarts(origin, made);
        } else if (!isWithoutInput) {
            compareStartsByJdk(input, madeByJdk);
        }
        after.keySet().removeIf(event -> isStyled && event.startsWith(ATTRIBUTE));
        int fewer = sum(before) - sum(after);
        if (isStyled && fewer > 0) {
            complain("JMC does not see " + fewer + " events");
        }
        return sum(after) + " events, " + fewer + " fewer";
    }

    private void complain(String problem) {
        if (problems.size() < SHOWN_MAX) {
            problems.add(problem);
        }
    }

    private static int sum(Map<String, Integer> counts) {
        return counts.values().stream().mapToInt(Integer::intValue).sum();
    }

    // --- Input and output, both by JMC

    private String nameOf(IType<IItem> type) {
        String name = type.getIdentifier();
        return isStyled ? COPY.matcher(name).replaceFirst("") : name;
    }

    private Map<String, Set<String>> attributes(IItemCollection items) {
        Map<String, Set<String>> found = new HashMap<>();
        for (IItemIterable ofType : items) {
            found.put(nameOf(ofType.getType()), accessors(ofType.getType()).keySet());
        }
        return found;
    }

    // By those attributes only that each type has in attributesOrNull.
    private Map<String, Integer> everything(
            IItemCollection items, Map<String, Set<String>> attributesOrNull) {
        Map<String, Integer> found = new HashMap<>();
        for (IItemIterable ofType : items) {
            String name = nameOf(ofType.getType());
            Map<String, IMemberAccessor<?, IItem>> accessors = accessors(ofType.getType());
            if (attributesOrNull != null) {
                accessors.keySet().retainAll(attributesOrNull.getOrDefault(name, Set.of()));
            }
            for (IItem item : ofType) {
                StringBuilder text = new StringBuilder(name);
                accessors.forEach((attribute, accessor) -> {
                    text.append(' ').append(attribute).append('=');
                    text.append(text(accessor.getMember(item)));
                });
                found.merge(shorten(text.toString()), 1, Integer::sum);
            }
        }
        return found;
    }

    private Map<String, IMemberAccessor<?, IItem>> accessors(IType<IItem> type) {
        Map<String, IMemberAccessor<?, IItem>> found = new TreeMap<>();
        for (IAccessorKey<?> key : type.getAccessorKeys().keySet()) {
            if (!isMerged || !key.getIdentifier().equals("startTime")) {
                found.put(key.getIdentifier(), type.getAccessor(key));
            }
        }
        return found;
    }

    private String text(Object value) {
        if (value instanceof IMCStackTrace trace) {
            StringBuilder out = new StringBuilder().append(trace.getTruncationState());
            for (IMCFrame frame : trace.getFrames()) {
                IMCMethod method = frame.getMethod();
                out.append('|').append(method == null ? "null" : name(method));
                out.append(method == null ? "" : method.getFormalDescriptor());
                out.append(':')
                        .append(frame.getFrameLineNumber())
                        .append(':')
                        .append(frame.getBCI());
                out.append(frame.getType());
            }
            return shorten(out.toString());
        }
        if (value instanceof IMCThread thread) {
            return thread.getThreadId() + " " + thread.getThreadName();
        }
        if (value instanceof IMCType type) {
            return type.getFullName();
        }
        if (value instanceof IMCMethod method) {
            return name(method) + method.getFormalDescriptor();
        }
        if (value instanceof IQuantity quantity) {
            boolean isTime = quantity.getType() == UnitLookup.TIMESTAMP;
            return isTime && isMerged ? "a time" : quantity.persistableString();
        }
        if (value instanceof Object[] array) {
            return Arrays.stream(array).map(this::text).toList().toString();
        }
        boolean isPlain = value == null || value instanceof String || value instanceof Boolean
                || value instanceof Number || value instanceof Character;
        return isPlain ? String.valueOf(value) : value.getClass().getSimpleName();
    }

    private static String name(IMCMethod method) {
        IMCType type = method.getType();
        return (type == null ? "null" : type.getFullName()) + '.' + method.getMethodName();
    }

    // A long text is as good as its hash, and there are many.
    private static String shorten(String text) {
        long hash = text.length();
        for (int i = 80; i < text.length(); i++) {
            hash = (hash + text.charAt(i)) * 0xd6e8feb86659fd93L;
            hash ^= hash >>> 32;
        }
        return text.length() <= 80 ? text : text.substring(0, 80) + '#' + Long.toHexString(hash);
    }

    // --- What was dropped, by JMC and by what the output says

    /** What the events dev.loupe.Accounting of a recording say of a type, all together. */
    private record Account(long offered, long kept, long dropped) {
        Account plus(Account other, int sign) {
            return new Account(offered + sign * other.offered, kept + sign * other.kept,
                    dropped + sign * other.dropped);
        }
    }

    private static Map<String, Long> countByType(IItemCollection items) {
        Map<String, Long> counts = new TreeMap<>();
        for (IItemIterable ofType : items) {
            counts.merge(ofType.getType().getIdentifier(), ofType.getItemCount(), Long::sum);
        }
        counts.keySet().removeAll(ADDED);
        counts.remove("jdk.JavaExceptionThrow"); // JMC hides those of errors
        return counts;
    }

    private void addAccounts(IItemCollection items, int sign, Map<String, Account> accounts) {
        for (IItemIterable ofType : items) {
            if (ofType.getType().getIdentifier().equals(ACCOUNTING)) {
                var accessors = accessors(ofType.getType());
                ofType.forEach(item -> addAccount(item, accessors, sign, accounts));
            }
        }
    }

    // Whatever else it has are numbers, one for each reason to drop an event, and all of them are
    // sums over its types.
    private static void addAccount(IItem item, Map<String, IMemberAccessor<?, IItem>> accessors,
            int sign, Map<String, Account> accounts) {
        long dropped = 0;
        for (String field : accessors.keySet()) {
            boolean isReason = !Set.of("startTime", "duration", "eventTypes", "offered", "kept")
                                        .contains(field);
            dropped += isReason ? number(item, accessors.get(field)) : 0;
        }
        Account left = new Account(number(item, accessors.get("offered")),
                number(item, accessors.get("kept")), dropped);
        for (String ofType : ((String) accessors.get("eventTypes").getMember(item)).split("; ")) {
            Account account = account(ofType.split(" "));
            String type = jmcName(ofType.substring(0, ofType.indexOf(' ')));
            accounts.put(
                    type, accounts.getOrDefault(type, new Account(0, 0, 0)).plus(account, sign));
            left = left.plus(account, -1);
        }
        if (!left.equals(new Account(0, 0, 0))) {
            throw new IllegalStateException("accounts of types do not sum up: " + left);
        }
    }

    // Of a type, behind its name.
    private static Account account(String[] words) {
        Account account = new Account(0, 0, 0);
        for (int i = 1; i < words.length; i++) {
            long number = Long.parseLong(words[i].substring(words[i].indexOf('=') + 1));
            boolean isOffered = words[i].startsWith("offered=");
            boolean isKept = words[i].startsWith("kept=");
            account = account.plus(new Account(isOffered ? number : 0, isKept ? number : 0,
                                           isOffered || isKept ? 0 : number),
                    1);
        }
        return account;
    }

    private static long number(IItem item, IMemberAccessor<?, IItem> accessor) {
        return ((Number) accessor.getMember(item)).longValue(); // it has no unit
    }

    // The input's own accounts stay in the output, and are about what was dropped before. Without
    // an input there is nothing to be seen but what is kept.
    private void compareWithAccounts(
            IItemCollection origin, IItemCollection made, boolean isWithoutInput) {
        Map<String, Account> accounts = new TreeMap<>();
        addAccounts(made, 1, accounts);
        if (!isWithoutInput) {
            addAccounts(origin, -1, accounts);
        }
        Map<String, Long> before = countByType(origin);
        Map<String, Long> after = countByType(made);
        TreeSet<String> names = new TreeSet<>(before.keySet());
        names.addAll(accounts.keySet());
        names.remove("jdk.JavaExceptionThrow");
        for (String name : names) {
            Account account = accounts.getOrDefault(name, new Account(0, 0, 0));
            long kept = after.getOrDefault(name, 0L);
            long dropped = before.getOrDefault(name, 0L) - kept;
            boolean isWrong = account.offered != account.kept + account.dropped
                    || account.kept > kept || (!isWithoutInput && account.dropped != dropped);
            if (isWrong) {
                complain(name + ": JMC sees " + kept + " kept and " + dropped + " dropped, not "
                        + account);
            }
        }
    }

    // --- The output, by JMC and by the JDK

    /** What both readers say of the events of one type. */
    private static final class Seen {
        final List<Long> starts = new ArrayList<>();
        final Map<String, Integer> texts = new HashMap<>();
    }

    // Returns what the JDK sees in the output.
    private Map<String, Seen> compareWithJdk(IItemCollection items, String output)
            throws Exception {
        Map<String, EventType> types = new HashMap<>();
        Map<String, Seen> expected = byJdk(output, types);
        Map<String, Seen> found = byJmc(items, types);
        long drift = drift(output);
        TreeSet<String> names = new TreeSet<>(expected.keySet());
        names.addAll(found.keySet());
        names.remove("jdk.JavaExceptionThrow"); // JMC hides those of errors
        for (String name : names) {
            Seen jdk = expected.getOrDefault(name, new Seen());
            Seen jmc = found.getOrDefault(name, new Seen());
            if (jdk.starts.size() != jmc.starts.size()) {
                complain(name + ": JMC sees " + jmc.starts.size() + " events, the JDK "
                        + jdk.starts.size());
                continue;
            }
            compareStarts(name, jdk.starts, jmc.starts, APART_MAX_NS + drift);
            jdk.texts.forEach((text, count) -> {
                if (!count.equals(jmc.texts.get(text))) {
                    String other = jmc.texts.keySet().stream().findFirst().orElse("nothing");
                    complain(name + ": JMC does not see: " + text + " but, say, " + other);
                }
            });
        }
        return expected;
    }

    // The JDK's reader takes the first field for the start, whatever it is.
    private static long startNs(RecordedEvent event) {
        String first = event.getFields().get(0).getName();
        java.time.Instant start = first.equals("startTime") || !event.hasField("startTime")
                ? event.getStartTime()
                : event.getInstant("startTime");
        return start.getEpochSecond() * 1_000_000_000 + start.getNano();
    }

    // By how much the chunks' clocks differ from the first one's: the JDK has all times by that,
    // and JMC those of each chunk by its own.
    private static long drift(String output) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(Path.of(output)));
        long startNs = bytes.getLong(32);
        long startTicks = bytes.getLong(48);
        long most = 0;
        for (int at = 0; at < bytes.limit(); at += (int) bytes.getLong(at + 8)) {
            double ticksPerNs = bytes.getLong(at + 56) / 1e9;
            long passed = (long) ((bytes.getLong(at + 48) - startTicks) / ticksPerNs);
            most = Math.max(most, Math.abs(bytes.getLong(at + 32) - startNs - passed));
        }
        return most;
    }

    private void compareMergedStarts(IItemCollection origin, IItemCollection made) {
        Map<String, List<Long>> before = starts(origin);
        starts(made).forEach((name, after) -> {
            List<Long> starts = before.getOrDefault(name, new ArrayList<>());
            if (ADDED.contains(name)) {
                return;
            }
            if (starts.size() == after.size()) {
                compareStarts(name, starts, after, MERGED_APART_MAX_NS);
            } else {
                findStarts(name, new TreeSet<>(starts), after);
            }
        });
    }

    // Where some were dropped, which of them is not known here: each is near one.
    private void findStarts(String name, TreeSet<Long> known, List<Long> starts) {
        for (long start : starts) {
            Long near = known.floor(start + MERGED_APART_MAX_NS);
            if (near == null || near < start - MERGED_APART_MAX_NS) {
                complain(name + ": begins at " + start + " by JMC, none in the input does");
                return;
            }
        }
    }

    private Map<String, List<Long>> starts(IItemCollection items) {
        Map<String, List<Long>> found = new TreeMap<>();
        for (IItemIterable ofType : items) {
            IMemberAccessor<IQuantity, IItem> start =
                    JfrAttributes.START_TIME.getAccessor(ofType.getType());
            if (start != null) {
                List<Long> list =
                        found.computeIfAbsent(nameOf(ofType.getType()), name -> new ArrayList<>());
                ofType.forEach(item
                        -> list.add(start.getMember(item).clampedLongValueIn(UnitLookup.EPOCH_NS)));
            }
        }
        return found;
    }

    private void compareStartsByJdk(String input, Map<String, Seen> made) {
        Map<String, Set<Long>> before;
        try {
            before = startsByJdk(input);
        } catch (Exception | Error e) {
            return; // it need not be read
        }
        made.forEach((name, after) -> {
            List<Long> left = new ArrayList<>(after.starts);
            left.removeAll(before.getOrDefault(name, Set.of()));
            if (!left.isEmpty() && !ADDED.contains(name)) {
                complain(name + ": begins at " + left.get(0) + " by the JDK, which it did not");
            }
        });
    }

    private void compareStarts(String name, List<Long> jdk, List<Long> jmc, long apartMaxNs) {
        jdk.sort(null);
        jmc.sort(null);
        for (int i = 0; i < jdk.size(); i++) {
            // The JDK goes round the end of all numbers where an event is centuries away.
            if (jdk.get(i) > 0 && Math.abs(jdk.get(i) - jmc.get(i)) > apartMaxNs) {
                complain(name + ": begins at " + jmc.get(i) + " by JMC, at " + jdk.get(i)
                        + (isMerged ? " in the input" : " by the JDK"));
                return;
            }
        }
    }

    private static Map<String, Set<Long>> startsByJdk(String input) throws Exception {
        Map<String, Set<Long>> found = new HashMap<>();
        try (RecordingFile file = new RecordingFile(Path.of(input))) {
            while (file.hasMoreEvents()) {
                RecordedEvent event = file.readEvent();
                found.computeIfAbsent(
                             jmcName(event.getEventType().getName()), key -> new HashSet<>())
                        .add(startNs(event));
            }
        }
        return found;
    }

    private Map<String, Seen> byJdk(String output, Map<String, EventType> types) throws Exception {
        Map<String, Seen> found = new HashMap<>();
        try (RecordingFile file = new RecordingFile(Path.of(output))) {
            while (file.hasMoreEvents()) {
                RecordedEvent event = file.readEvent();
                EventType type = event.getEventType();
                String name = jmcName(type.getName());
                types.put(name, type);
                Seen seen = found.computeIfAbsent(name, key -> new Seen());
                seen.starts.add(startNs(event));
                StringBuilder text = new StringBuilder();
                text.append(thread(event));
                text.append(' ').append(stack(event));
                for (ValueDescriptor field : type.getFields()) {
                    if (isComparable(type, field)) {
                        text.append(' ').append(plain(event, field));
                    }
                }
                seen.texts.merge(shorten(text.toString()), 1, Integer::sum);
            }
        }
        return found;
    }

    // JMC shows events of JDK 9 and 10 under the names that they have had since.
    private static String jmcName(String name) {
        String old = "com.oracle.jdk.";
        return name.startsWith(old) ? "jdk." + name.substring(old.length()) : name;
    }

    // Texts, and numbers that are nothing but numbers. Not every writer says that times are times;
    // of a setting JMC shows the name of the type that it is about.
    private boolean isComparable(EventType type, ValueDescriptor field) {
        boolean isContextual = List.of("java.lang.Class", "java.lang.Thread", "loupe.Context",
                                           "boolean", "byte", "float", "double")
                                       .contains(field.getTypeName());
        if (isStyled && isContextual) {
            return true;
        }
        boolean isNumber = List.of("long", "int", "short").contains(field.getTypeName());
        boolean isSettingOf =
                type.getName().endsWith(".ActiveSetting") && field.getName().equals("id");
        return !field.isArray() && !isSettingOf && !field.getName().equals("startTime")
                && !field.getName().equals("duration")
                && (field.getTypeName().equals("java.lang.String")
                        || isNumber && field.getContentType() == null
                                && field.getAnnotation(Unsigned.class) == null);
    }

    // These give a value as text that is the same for both.
    private static String plain(RecordedObject object, ValueDescriptor field) {
        if (field.getAnnotation(Timestamp.class) != null) {
            return "a time";
        }
        Object value = object.getValue(field.getName());
        if (value instanceof RecordedClass type) {
            return type.getName();
        }
        if (value instanceof RecordedThread thread) {
            return String.valueOf(Math.max(0, thread.getJavaThreadId()));
        }
        if (value instanceof RecordedObject structure) {
            return structure.getFields().stream().map(f -> plain(structure, f)).toList().toString();
        }
        if (value instanceof Number number) {
            return plain(number);
        }
        return String.valueOf(value);
    }

    // JMC shows a byte without its sign.
    private static String plain(Number value) {
        if (value instanceof Byte number) {
            return String.valueOf(Byte.toUnsignedInt(number));
        }
        boolean isWhole = !(value instanceof Float || value instanceof Double);
        return isWhole ? String.valueOf(value.longValue()) : String.valueOf(value.doubleValue());
    }

    private static String plain(Object value) {
        if (value instanceof IQuantity quantity) {
            boolean isTime = quantity.getType() == UnitLookup.TIMESTAMP;
            return isTime ? "a time" : plain(quantity.numberValue());
        }
        if (value instanceof IMCType type) {
            return type.getFullName();
        }
        if (value instanceof IMCThread thread) {
            return String.valueOf(thread.getThreadId());
        }
        if (value instanceof Object[] structure) {
            return Arrays.stream(structure).map(JmcJudge::plain).toList().toString();
        }
        return String.valueOf(value);
    }

    // Which other fields are the event's thread, the two do not agree on.
    private static String thread(RecordedEvent event) {
        boolean hasThread = event.hasField("eventThread");
        RecordedThread thread = hasThread ? event.getThread("eventThread") : null;
        return thread == null ? "null" : String.valueOf(Math.max(0, thread.getJavaThreadId()));
    }

    private static String stack(RecordedEvent event) {
        StringBuilder out = new StringBuilder();
        for (RecordedFrame frame : frames(event)) {
            RecordedMethod method = frame.getMethod();
            out.append(method == null ? null : method.getName()).append(':');
            out.append(frame.getLineNumber()).append(' ');
        }
        return out.toString();
    }

    private static List<RecordedFrame> frames(RecordedEvent event) {
        try {
            return event.getStackTrace() == null ? List.of() : event.getStackTrace().getFrames();
        } catch (ClassCastException e) {
            return List.of(); // how the JDK shows a stack trace that the recording does not have
        }
    }

    private Map<String, Seen> byJmc(IItemCollection items, Map<String, EventType> types) {
        Map<String, Seen> found = new HashMap<>();
        for (IItemIterable ofType : items) {
            IType<IItem> type = ofType.getType();
            Seen seen = found.computeIfAbsent(nameOf(type), name -> new Seen());
            EventType described = types.get(nameOf(type));
            Map<String, IMemberAccessor<?, IItem>> accessors = accessors(type);
            for (IItem item : ofType) {
                seen.starts.add(JfrAttributes.START_TIME.getAccessor(type)
                                        .getMember(item)
                                        .clampedLongValueIn(UnitLookup.EPOCH_NS));
                if (described != null) {
                    seen.texts.merge(
                            shorten(text(item, type, described, accessors)), 1, Integer::sum);
                }
            }
        }
        return found;
    }

    private String text(IItem item, IType<IItem> type, EventType described,
            Map<String, IMemberAccessor<?, IItem>> accessors) {
        boolean hasThread = described.getField("eventThread") != null;
        IMCThread thread =
                hasThread ? JfrAttributes.EVENT_THREAD.getAccessor(type).getMember(item) : null;
        var stacks = JfrAttributes.EVENT_STACKTRACE.getAccessor(type);
        IMCStackTrace stack = stacks == null ? null : stacks.getMember(item);
        StringBuilder text = new StringBuilder();
        text.append(thread == null ? "null" : String.valueOf(thread.getThreadId()));
        text.append(' ');
        if (stack != null) {
            for (IMCFrame frame : stack.getFrames()) {
                IMCMethod method = frame.getMethod();
                text.append(method == null ? null : method.getMethodName()).append(':');
                text.append(frame.getFrameLineNumber()).append(' ');
            }
        }
        for (ValueDescriptor field : described.getFields()) {
            if (isComparable(described, field)) {
                var accessor = accessors.get(field.getName());
                text.append(' ');
                text.append(accessor == null ? "no such field" : plain(accessor.getMember(item)));
            }
        }
        return text.toString();
    }
}
