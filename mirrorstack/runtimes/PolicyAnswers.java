import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.Configurable;
import org.apache.kafka.connect.mirror.ReplicationPolicy;

/**
 * Prints, as JSON, what a ReplicationPolicy answers for topics: their names on the target, what
 * these names show, and which topics MirrorMaker skips. The question is JSON on the standard input.
 *
 * java -cp "jars/*:own.jar" PolicyAnswers.java < question.json
 */
public class PolicyAnswers {
    static final int MOST_ORIGINS = 100;

    public static void main(String[] arguments) throws Exception {
        PrintStream out = System.out;
        System.setOut(System.err); // the class may print
        ObjectMapper mapper = new ObjectMapper();
        JsonNode question = mapper.readTree(System.in);
        Map<String, Object> answers = new LinkedHashMap<>();
        try {
            ReplicationPolicy policy = create(mapper, question);
            answer(policy, question, answers);
        } catch (Throwable failure) {
            answers.put("failure", reason(failure));
        }
        mapper.writeValue(out, answers);
    }

    /** As Kafka's AbstractConfig.getConfiguredInstance does. */
    static ReplicationPolicy create(ObjectMapper mapper, JsonNode question) throws Throwable {
        String name = question.get("class").asText();
        Object created;
        try {
            created = Class.forName(name).getDeclaredConstructor().newInstance();
        } catch (ClassNotFoundException missing) {
            throw new IllegalArgumentException("there is no such class");
        } catch (NoSuchMethodException missing) {
            throw new IllegalArgumentException("it has no constructor without parameters");
        } catch (java.lang.reflect.InvocationTargetException failed) {
            throw failed.getCause();
        }
        if (!(created instanceof ReplicationPolicy))
            throw new IllegalArgumentException("it does not implement ReplicationPolicy");
        if (created instanceof Configurable) {
            Map<String, Object> config = new TreeMap<>();
            question.get("config").fields()
                .forEachRemaining(each -> config.put(each.getKey(), each.getValue().asText()));
            ((Configurable) created).configure(config);
        }
        return (ReplicationPolicy) created;
    }

    static void answer(ReplicationPolicy policy, JsonNode question, Map<String, Object> answers) {
        String source = question.get("source").asText(), target = question.get("target").asText();
        answers.put("checkpoints_topic", policy.checkpointsTopic(source));
        answers.put("offset_syncs_topics", Map.of(
            "source", policy.offsetSyncsTopic(target), "target", policy.offsetSyncsTopic(source)));
        answers.put("heartbeats_topic", policy.heartbeatsTopic());
        Map<String, Object> topics = new LinkedHashMap<>();
        for (JsonNode each : question.get("topics")) {
            String topic = each.asText();
            Map<String, Object> about = new LinkedHashMap<>();
            String name = policy.formatRemoteTopic(source, topic);
            about.put("target_topic", name);
            about.put("source", name == null ? null : policy.topicSource(name));
            about.put("upstream_topic", name == null ? null : policy.upstreamTopic(name));
            about.put("is_internal", policy.isInternalTopic(topic));
            about.put("is_cycle", isCycle(policy, topic, target));
            topics.put(topic, about);
        }
        answers.put("topics", topics);
    }

    /** As MirrorSourceConnector decides it. */
    static boolean isCycle(ReplicationPolicy policy, String topic, String target) {
        String name = topic;
        for (int count = 0; count < MOST_ORIGINS; count++) {
            String source = policy.topicSource(name);
            if (source == null) return false;
            if (source.equals(target)) return true;
            String upstream = policy.upstreamTopic(name);
            if (upstream == null || upstream.equals(name)) return false;
            name = upstream;
        }
        throw new IllegalStateException(
            "topicSource and upstreamTopic find ever more sources in the topic " + topic);
    }

    static String reason(Throwable failure) {
        if (failure.getClass() == IllegalArgumentException.class && failure.getCause() == null)
            return failure.getMessage();
        StackTraceElement[] trace = failure.getStackTrace();
        return failure + (trace.length > 0 ? " at " + trace[0] : "");
    }
}
