// SPDX-License-Identifier: Apache-2.0
package dev.loupe.kafka;

import dev.loupe.RecordingContext;
import dev.loupe.RecordingContextKey;
import dev.loupe.TraceParent;
import dev.loupe.internal.Agent;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * The {@link RecordingContext} for the processing of a record:
 *
 * <pre>{@code
 * for (ConsumerRecord<String, String> record : consumer.poll(timeout)) {
 *   try (RecordingContext context = KafkaContext.install(record)) {
 *     process(record);
 *   }
 * }
 * }</pre>
 *
 * <p>It has these entries:
 *
 * <ul>
 * <li>{@code kafka_topic}: {@code orders};
 * <li>{@code kafka_partition}: {@code 3};
 * <li>{@code kafka_offset}: {@code 1201};
 * <li>{@code trace_id}: that of the record's header {@code traceparent}, if it has a valid one.
 * </ul>
 *
 * <p>It has neither the key nor the value. {@link dev.loupe.Loupe#wrap(Runnable)} takes it to other
 * threads.
 */
public final class KafkaContext {
    private static final RecordingContextKey TOPIC = RecordingContextKey.forName("kafka_topic");
    private static final RecordingContextKey PARTITION =
            RecordingContextKey.forName("kafka_partition");
    private static final RecordingContextKey OFFSET = RecordingContextKey.forName("kafka_offset");
    private static final RecordingContextKey TRACE_ID = RecordingContextKey.forName("trace_id");

    private KafkaContext() {}

    /**
     * Installs the context of a record on the current thread. It extends the installed one.
     *
     * @param record the record
     * @return the context, to be closed on this thread when the record is processed
     */
    public static RecordingContext install(ConsumerRecord<?, ?> record) {
        return install(record.topic(), record.partition(), record.offset(), record.headers());
    }

    /**
     * Installs the context of a record of Kafka Streams, Kafka Connect or the like, which is no
     * {@code ConsumerRecord}.
     *
     * @param topic its topic
     * @param partition its partition
     * @param offset its offset
     * @param headers its headers
     * @return the context, to be closed on this thread when the record is processed
     */
    public static RecordingContext install(
            String topic, int partition, long offset, Headers headers) {
        RecordingContext.Builder context = RecordingContext.where(TOPIC, topic);
        if (!Agent.isActive) {
            return context.build(); // installs nothing
        }
        context.where(PARTITION, Integer.toString(partition)).where(OFFSET, Long.toString(offset));
        String traceId = traceId(headers.lastHeader(TraceParent.HEADER));
        return (traceId == null ? context : context.where(TRACE_ID, traceId)).build();
    }

    private static String traceId(Header header) {
        byte[] value = header == null ? null : header.value();
        return value == null ? null
                             : TraceParent.traceId(new String(value, StandardCharsets.UTF_8));
    }
}
