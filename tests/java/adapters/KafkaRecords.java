// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import static dev.loupe.testapps.Adapters.PARENT;
import static dev.loupe.testapps.Adapters.TRACE;
import static dev.loupe.testapps.Adapters.work;
import static dev.loupe.testapps.Adapters.workInside;

import dev.loupe.Loupe;
import dev.loupe.RecordingContext;
import dev.loupe.kafka.KafkaContext;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Consumes records, with a header that names a trace and without, and with one that does not. They
 * come from the brokers that the property kafka.brokers names, or else from Kafka's own stand-in
 * for a consumer.
 */
final class KafkaRecords implements Adapters.Use {
    private static final String TOPIC = "orders";
    private static final int PARTITIONS = 2;
    private static final int RECORDS = 60;
    private static final int LIMIT_S = 60;

    // The context of each record, by its value.
    private final Map<String, String> expected = new HashMap<>();

    private void expect(int number, int partition, long offset) {
        expected.put("order " + number,
                "kafka_topic=orders,kafka_partition=" + partition + ",kafka_offset=" + offset
                        + (number % 3 == 0 ? ",trace_id=" + TRACE : ""));
    }

    private static void addHeaders(Headers headers, int number) {
        if (number % 3 == 0) {
            headers.add("traceparent", "of whoever had it before".getBytes(StandardCharsets.UTF_8));
            headers.add("traceparent", PARENT.getBytes(StandardCharsets.UTF_8));
        } else if (number % 3 == 1) {
            headers.add("traceparent", null);
        }
    }

    @Override
    public void run() throws Exception {
        String brokers = System.getProperty("kafka.brokers");
        try (Consumer<String, String> consumer =
                        brokers == null ? standIn() : consumerAt(brokers)) {
            consume(consumer);
        }
    }

    private Consumer<String, String> standIn() {
        MockConsumer<String, String> consumer = new MockConsumer<>("earliest");
        Map<TopicPartition, Long> begins = new HashMap<>();
        for (int i = 0; i < PARTITIONS; i++) {
            begins.put(new TopicPartition(TOPIC, i), 0L);
        }
        consumer.assign(begins.keySet());
        consumer.updateBeginningOffsets(begins);
        for (int i = 0; i < RECORDS; i++) {
            int partition = i % PARTITIONS;
            long offset = i / PARTITIONS;
            expect(i, partition, offset);
            ConsumerRecord<String, String> record =
                    new ConsumerRecord<>(TOPIC, partition, offset, null, "order " + i);
            addHeaders(record.headers(), i);
            consumer.addRecord(record);
        }
        return consumer;
    }

    private Consumer<String, String> consumerAt(String brokers) throws Exception {
        try (KafkaProducer<String, String> producer =
                        new KafkaProducer<>(Map.of("bootstrap.servers", brokers),
                                new StringSerializer(), new StringSerializer())) {
            for (int i = 0; i < RECORDS; i++) {
                ProducerRecord<String, String> record =
                        new ProducerRecord<>(TOPIC, i % PARTITIONS, null, "order " + i);
                addHeaders(record.headers(), i);
                RecordMetadata place = producer.send(record).get(LIMIT_S, TimeUnit.SECONDS);
                expect(i, place.partition(), place.offset());
            }
        }
        Consumer<String, String> consumer =
                new KafkaConsumer<>(Map.of("bootstrap.servers", brokers, "group.id", "test",
                                            "auto.offset.reset", "earliest"),
                        new StringDeserializer(), new StringDeserializer());
        consumer.subscribe(List.of(TOPIC));
        return consumer;
    }

    @SuppressWarnings("try")
    private void consume(Consumer<String, String> consumer) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        int count = 0;
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_S);
        while (count < RECORDS && System.nanoTime() < deadline) {
            for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(100))) {
                work("");
                try (RecordingContext context = install(record, count % 2 == 0)) {
                    process(expected.get(record.value()), pool);
                } catch (IllegalStateException e) { // as it should
                }
                work("");
                count++;
            }
        }
        pool.shutdown();
        if (count != RECORDS) {
            throw new AssertionError(count + " records");
        }
    }

    private static RecordingContext install(
            ConsumerRecord<String, String> record, boolean isWhole) {
        return isWhole ? KafkaContext.install(record)
                       : KafkaContext.install(record.topic(), record.partition(), record.offset(),
                               record.headers());
    }

    private void process(String expected, ExecutorService pool) throws Exception {
        workInside(expected, () -> {});
        pool.submit(Loupe.wrap(() -> work(expected))).get(LIMIT_S, TimeUnit.SECONDS);
        if (expected.contains("trace")) {
            throw new IllegalStateException("on purpose");
        }
    }
}
