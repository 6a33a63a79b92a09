import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Copies topics as fast as two clients can: the upper bound for MirrorMaker, which does the same
 * and keeps offsets.
 *
 * Arguments: source address, target address, partitions, threads, then consumer.KEY=VALUE and
 * producer.KEY=VALUE. Each line on standard input, "SOURCE-TOPIC TARGET-TOPIC", is copied up to the
 * end that the source topic has, and answered with "done".
 */
public class RawCopy {
    public static void main(String[] arguments) throws Exception {
        String source = arguments[0];
        String target = arguments[1];
        int partitions = Integer.parseInt(arguments[2]);
        int threads = Integer.parseInt(arguments[3]);
        Map<String, Object> consumer = settings(arguments, "consumer.", source);
        Map<String, Object> producer = settings(arguments, "producer.", target);
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] topics = line.trim().split(" ");
            copyAll(consumer, producer, topics[0], topics[1], partitions, threads);
            System.out.println("done");
        }
    }

    static Map<String, Object> settings(String[] arguments, String prefix, String address) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", address);
        for (String argument : arguments) {
            if (argument.startsWith(prefix)) {
                String[] pair = argument.substring(prefix.length()).split("=", 2);
                settings.put(pair[0], pair[1]);
            }
        }
        return settings;
    }

    static void copyAll(
            Map<String, Object> consumer,
            Map<String, Object> producer,
            String from,
            String to,
            int partitions,
            int threads)
            throws Exception {
        AtomicReference<Exception> failure = new AtomicReference<>();
        List<Thread> running = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            List<TopicPartition> share = new ArrayList<>();
            for (int partition = thread; partition < partitions; partition += threads) {
                share.add(new TopicPartition(from, partition));
            }
            Thread started = new Thread(() -> {
                try {
                    copy(consumer, producer, share, to);
                } catch (Exception error) {
                    failure.set(error);
                }
            });
            started.start();
            running.add(started);
        }
        for (Thread thread : running) {
            thread.join();
        }
        if (failure.get() != null) {
            throw failure.get();
        }
    }

    static void copy(
            Map<String, Object> consumerSettings,
            Map<String, Object> producerSettings,
            List<TopicPartition> share,
            String to) {
        ByteArrayDeserializer reading = new ByteArrayDeserializer();
        ByteArraySerializer writing = new ByteArraySerializer();
        try (KafkaConsumer<byte[], byte[]> consumer =
                        new KafkaConsumer<>(consumerSettings, reading, reading);
                KafkaProducer<byte[], byte[]> producer =
                        new KafkaProducer<>(producerSettings, writing, writing)) {
            consumer.assign(share);
            consumer.seekToBeginning(share);
            long left = consumer.endOffsets(share).values().stream().mapToLong(end -> end).sum();
            while (left > 0) {
                for (ConsumerRecord<byte[], byte[]> each : consumer.poll(Duration.ofSeconds(1))) {
                    producer.send(
                            new ProducerRecord<>(
                                    to,
                                    each.partition(),
                                    each.timestamp(),
                                    each.key(),
                                    each.value(),
                                    each.headers()),
                            (metadata, error) -> {
                                if (error != null) {
                                    error.printStackTrace();
                                    System.exit(1);
                                }
                            });
                    left--;
                }
            }
            producer.flush();
        }
    }
}
