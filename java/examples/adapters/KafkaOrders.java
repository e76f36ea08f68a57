// SPDX-License-Identifier: Apache-2.0
package shop;

import dev.loupe.RecordingContext;
import dev.loupe.kafka.KafkaContext;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;

/** A consumer of Kafka in whose recordings each record that it processes is a context. */
public final class KafkaOrders {
    private KafkaOrders() {}

    /** Processes records until the thread is interrupted. */
    @SuppressWarnings("try")
    public static void consume(KafkaConsumer<String, String> consumer, Consumer<String> process) {
        consumer.subscribe(List.of("orders"));
        while (!Thread.currentThread().isInterrupted()) {
            for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(100))) {
                try (RecordingContext context = KafkaContext.install(record)) {
                    process.accept(record.value());
                }
            }
        }
    }
}
