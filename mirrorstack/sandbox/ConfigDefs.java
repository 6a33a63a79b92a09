import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.utils.AppInfoParser;
import org.apache.kafka.connect.connector.Connector;
import org.apache.kafka.connect.runtime.SourceConnectorConfig;
import org.apache.kafka.server.config.AbstractKafkaConfig;
import org.apache.kafka.storage.internals.log.LogConfig;

/**
 * Prints, as JSON, every key that the classes of a Kafka release declare: those of MirrorMaker's
 * connectors and their filters, of a Connect worker, of dedicated mode and of the clients.
 *
 * java -cp "jars/*" ConfigDefs.java
 */
public class ConfigDefs {
    static final String MIRROR = "org.apache.kafka.connect.mirror.";

    public static void main(String[] arguments) throws Exception {
        Map<String, Object> sections = new LinkedHashMap<>();
        for (String kind : List.of("Source", "Checkpoint", "Heartbeat"))
            sections.put(kind.toLowerCase(), connector(MIRROR + "Mirror" + kind + "Connector"));
        sections.put("topic-filter", filter("DefaultTopicFilter$TopicFilterConfig"));
        sections.put("group-filter", filter("DefaultGroupFilter$GroupFilterConfig"));
        sections.put(
            "property-filter", filter("DefaultConfigPropertyFilter$ConfigPropertyFilterConfig"));
        // What `source.cluster.` and `target.cluster.` may be followed by.
        sections.put("cluster", keys(field(MIRROR + "MirrorClientConfig", "CLIENT_CONFIG_DEF")));
        sections.put("dedicated", keys(method(MIRROR + "MirrorMakerConfig", "config")));
        sections.put("worker", worker());
        sections.put("consumer", keys(ConsumerConfig.configDef()));
        sections.put("producer", keys(ProducerConfig.configDef()));
        sections.put("admin", keys(AdminClientConfig.configDef()));
        // What Connect may be told to create topics with.
        sections.put("topic", keys(LogConfig.configDefCopy()));
        // Only to tell who does read a key that stands in the wrong file.
        sections.put("broker", keys(AbstractKafkaConfig.CONFIG_DEF));
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("kafka", AppInfoParser.getVersion());
        all.put("sections", sections);
        new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValue(System.out, all);
    }

    /** As Connect's REST API lists them: the connector's own, and what Connect adds to them. */
    static Map<String, Map<String, Object>> connector(String name) throws Exception {
        Connector made = (Connector) Class.forName(name).getDeclaredConstructor().newInstance();
        Map<String, Map<String, Object>> keys = keys(made.config());
        keys(SourceConnectorConfig.configDef()).forEach((key, told) -> {
            if (keys.putIfAbsent(key, told) == null) told.put("framework", true);
        });
        return keys;
    }

    static Map<String, Map<String, Object>> filter(String name) throws Exception {
        return keys(field(MIRROR + name, "DEF"));
    }

    static Map<String, Map<String, Object>> worker() throws Exception {
        Class<?> type = Class.forName("org.apache.kafka.connect.runtime.distributed.Crypto");
        Method made = Class.forName("org.apache.kafka.connect.runtime.distributed.DistributedConfig")
            .getDeclaredMethod("config", type);
        made.setAccessible(true);
        Field system = type.getDeclaredField("SYSTEM");
        system.setAccessible(true);
        Map<String, Map<String, Object>> keys =
            keys((ConfigDef) made.invoke(null, system.get(null)));
        // Read by a policy that the worker can be told to use.
        keys.putAll(keys(field(
            "org.apache.kafka.connect.connector.policy."
                + "AllowlistConnectorClientConfigOverridePolicy", "CONFIG_DEF")));
        return keys;
    }

    static ConfigDef field(String owner, String name) throws Exception {
        Field field = Class.forName(owner).getDeclaredField(name);
        field.setAccessible(true);
        return (ConfigDef) field.get(null);
    }

    static ConfigDef method(String owner, String name) throws Exception {
        Method method = Class.forName(owner).getDeclaredMethod(name);
        method.setAccessible(true);
        return (ConfigDef) method.invoke(null);
    }

    static Map<String, Map<String, Object>> keys(ConfigDef def) throws Exception {
        Map<String, Map<String, Object>> keys = new TreeMap<>();
        for (ConfigDef.ConfigKey key : def.configKeys().values()) keys.put(key.name, describe(key));
        return keys;
    }

    static Map<String, Object> describe(ConfigDef.ConfigKey key) throws Exception {
        Map<String, Object> told = new LinkedHashMap<>();
        told.put("type", key.type.name());
        told.put("importance", key.importance.name());
        if (!key.hasDefault()) told.put("required", true);
        else if (key.defaultValue != null)
            told.put("default", ConfigDef.convertToString(key.defaultValue, key.type));
        if (key.internalConfig) told.put("internal", true);
        if (key.validator != null) rule(key.validator, told);
        return told;
    }

    /** What a validator accepts, for those kinds whose rule can be written down. */
    static void rule(ConfigDef.Validator validator, Map<String, Object> told) throws Exception {
        if (validator instanceof ConfigDef.Range) {
            put(told, "min", inside(validator, "min"));
            put(told, "max", inside(validator, "max"));
        } else if (validator instanceof ConfigDef.ValidString) {
            put(told, "choices", inside(validator, "validStrings"));
        } else if (validator instanceof ConfigDef.CaseInsensitiveValidString) {
            put(told, "choices", inside(validator, "validStrings"));
            told.put("ignore_case", true);
        } else if (validator instanceof ConfigDef.ValidList) {
            put(told, "choices", inside(inside(validator, "validString"), "validStrings"));
            if (!accepts(validator, List.of())) told.put("not_empty", true);
            if (!accepts(validator, List.of(""))) told.put("no_empty_items", true);
        } else {
            told.put("rule", validator.toString().replaceAll("@[0-9a-f]+$", ""));
        }
    }

    static boolean accepts(ConfigDef.Validator validator, Object value) {
        try {
            validator.ensureValid("key", value);
            return true;
        } catch (Exception refused) {
            return false;
        }
    }

    static Object inside(Object owner, String name) throws Exception {
        Field field = owner.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field.get(owner);
    }

    static void put(Map<String, Object> told, String name, Object value) {
        if (value instanceof Collection) {
            // In an order that does not change from one run to the next.
            value = ((Collection<?>) value).stream().map(String::valueOf).sorted().toList();
            if (((List<?>) value).isEmpty()) return;
        }
        if (value != null) told.put(name, value);
    }
}
