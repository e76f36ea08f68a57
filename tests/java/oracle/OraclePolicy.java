// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** A .jfc file, and what its settings mean for one type of event. */
final class OraclePolicy {
    private static final Pattern TIMESPAN = Pattern.compile("(\\d+) ?(ns|us|ms|s|m|h|d)");
    private static final Pattern RATE = Pattern.compile("(\\d+)/(ns|us|ms|s|m|h|d)");
    private static final String QUOTED = "\"(?:\\\\.|[^\"\\\\])*\"";
    private static final Pattern MATCH =
            Pattern.compile("([^ \"=]+|" + QUOTED + ")=(?:([^ \"*]+|" + QUOTED + ")(\\*)?|\\*)");
    private static final Map<String, Long> UNITS_NS =
            Map.of("ns", 1L, "us", 1_000L, "ms", 1_000_000L, "s", 1_000_000_000L, "m",
                    60_000_000_000L, "h", 3_600_000_000_000L, "d", 86_400_000_000_000L);

    enum Select { ALL, IF_CONTEXT, IF_TRIGGERED }

    /** The rule of an event type. */
    record Rule(boolean isContextual, boolean isEnabled, BigInteger thresholdNs, Select select,
            BigInteger contextThresholdNs, Match match, Rate contextThrottle) {
        /** Whether an event gets as far as select. */
        boolean passes(long durationTicks, long ticksPerSecond) {
            return isEnabled && lasts(thresholdNs, durationTicks, ticksPerSecond);
        }

        /** Whether a context is as long as it has to be to matter. */
        boolean isLongEnough(long durationTicks, long ticksPerSecond) {
            return lasts(contextThresholdNs, durationTicks, ticksPerSecond);
        }

        private static boolean lasts(BigInteger ns, long durationTicks, long ticksPerSecond) {
            return ns == null
                    || BigInteger.valueOf(durationTicks)
                               .multiply(BigInteger.valueOf(1_000_000_000))
                               .compareTo(ns.multiply(BigInteger.valueOf(ticksPerSecond)))
                    >= 0;
        }
    }

    /** What an attribute of a context has to be to matter. */
    record Match(String attribute, String value, boolean isPrefix) {
        /** Null is no match. */
        boolean is(String textOrNull) {
            return textOrNull != null
                    && (isPrefix ? textOrNull.startsWith(value) : textOrNull.equals(value));
        }
    }

    /** How many contexts may be kept in each unit. */
    record Rate(long count, long perNs) {}

    private final Map<String, String> settings = new HashMap<>();

    /** The policy in a file, or the one without any setting where there is none. */
    static OraclePolicy read(Path pathOrNull) throws IOException {
        OraclePolicy policy = new OraclePolicy();
        if (pathOrNull == null) {
            return policy;
        }
        try {
            NodeList events = DocumentBuilderFactory.newInstance()
                                      .newDocumentBuilder()
                                      .parse(pathOrNull.toFile())
                                      .getElementsByTagName("event");
            for (int i = 0; i < events.getLength(); i++) {
                policy.add((Element) events.item(i));
            }
        } catch (ParserConfigurationException | SAXException e) {
            throw new IOException(e);
        }
        return policy;
    }

    private void add(Element event) {
        NodeList found = event.getElementsByTagName("setting");
        for (int i = 0; i < found.getLength(); i++) {
            Element setting = (Element) found.item(i);
            settings.put(event.getAttribute("name") + '#' + setting.getAttribute("name"),
                    setting.getTextContent());
        }
    }

    Rule rule(String type, boolean isAnnotated, boolean hasDuration) {
        String contextual = get(type, "contextual");
        boolean isContextual = contextual == null ? isAnnotated : contextual.equals("true");
        return new Rule(isContextual, !"false".equals(get(type, "enabled")),
                hasDuration ? threshold(get(type, "threshold")) : null,
                select(get(type, "select"), isContextual),
                hasDuration && isContextual ? threshold(get(type, "context-threshold")) : null,
                isContextual ? match(get(type, "context-match")) : null,
                isContextual ? rate(get(type, "context-throttle")) : null);
    }

    /** What is said of a type's contexts at events, or null. */
    String withContextOrNull(String type) {
        return get(type, "withContext");
    }

    /** Whether some type may have a match. */
    boolean hasMatches() {
        return settings.keySet().stream().anyMatch(key -> key.endsWith("#context-match"));
    }

    // Null is none, and so is what makes no sense.
    private static Match match(String text) {
        Matcher matcher = MATCH.matcher(text == null ? "" : text);
        if (!matcher.matches()) {
            return null;
        }
        return matcher.group(2) == null ? new Match(word(matcher.group(1)), "", true)
                                        : new Match(word(matcher.group(1)), word(matcher.group(2)),
                                                matcher.group(3) != null);
    }

    private static Rate rate(String text) {
        Matcher matcher = RATE.matcher(text == null ? "" : text);
        return matcher.matches()
                ? new Rate(Long.parseLong(matcher.group(1)), UNITS_NS.get(matcher.group(2)))
                : null;
    }

    private static String word(String text) {
        return text.startsWith("\"")
                ? text.substring(1, text.length() - 1).replaceAll("(?s)\\\\(.)", "$1")
                : text;
    }

    private String get(String type, String setting) {
        return settings.get(type + '#' + setting);
    }

    // Null is no threshold, and so is what makes no sense.
    private static BigInteger threshold(String text) {
        if ("infinity".equals(text)) {
            return BigInteger.ONE.shiftLeft(200);
        }
        Matcher matcher = TIMESPAN.matcher(text == null ? "" : text);
        return matcher.matches()
                ? new BigInteger(matcher.group(1))
                          .multiply(BigInteger.valueOf(UNITS_NS.get(matcher.group(2))))
                : null;
    }

    private static Select select(String text, boolean isContextual) {
        if (text == null) {
            return isContextual ? Select.IF_TRIGGERED : Select.ALL;
        }
        if (text.equals("if-context") && !isContextual) {
            return Select.IF_CONTEXT;
        }
        return text.equals("if-triggered") && isContextual ? Select.IF_TRIGGERED : Select.ALL;
    }
}
