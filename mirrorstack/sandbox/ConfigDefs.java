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
        // The keys that are allowed after `source.cluster.` and `target.cluster.`.
        sections.put("cluster", keys(field(MIRROR + "MirrorClientConfig", "CLIENT_CONFIG_DEF")));
        sections.put("dedicated", keys(method(MIRROR + "MirrorMakerConfig", "config")));
        sections.put("worker", worker());
        sections.put("consumer", keys(ConsumerConfig.configDef()));
        sections.put("producer", keys(ProducerConfig.configDef()));
        sections.put("admin", keys(AdminClientConfig.configDef()));
        // Topic configs that Connect accepts for the topics it creates.
        sections.put("topic", keys(LogConfig.configDefCopy()));
        // Only to report which component reads a key that is in the wrong file.
        sections.put("broker", keys(AbstractKafkaConfig.CONFIG_DEF));
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("kafka", AppInfoParser.getVersion());
        all.put("sections", sections);
        new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValue(System.out, all);
    }

    /** The keys that Connect's REST API lists: the connector's, and those that Connect adds. */
    static Map<String, Map<String, Object>> connector(String name) throws Exception {
        Connector connector =
            (Connector) Class.forName(name).getDeclaredConstructor().newInstance();
        Map<String, Map<String, Object>> keys = keys(connector.config());
        keys(SourceConnectorConfig.configDef()).forEach((key, description) -> {
            if (keys.putIfAbsent(key, description) == null) description.put("framework", true);
        });
        return keys;
    }

    static Map<String, Map<String, Object>> filter(String name) throws Exception {
        return keys(field(MIRROR + name, "DEF"));
    }

    static Map<String, Map<String, Object>> worker() throws Exception {
        Class<?> type = Class.forName("org.apache.kafka.connect.runtime.distributed.Crypto");
        Method config =
            Class.forName("org.apache.kafka.connect.runtime.distributed.DistributedConfig")
                .getDeclaredMethod("config", type);
        config.setAccessible(true);
        Field system = type.getDeclaredField("SYSTEM");
        system.setAccessible(true);
        Map<String, Map<String, Object>> keys =
            keys((ConfigDef) config.invoke(null, system.get(null)));
        // Read by a client config override policy that the worker can be configured with.
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
        Map<String, Object> description = new LinkedHashMap<>();
        description.put("type", key.type.name());
        description.put("importance", key.importance.name());
        if (!key.hasDefault()) description.put("required", true);
        else if (key.defaultValue != null)
            description.put("default", ConfigDef.convertToString(key.defaultValue, key.type));
        if (key.internalConfig) description.put("internal", true);
        if (key.validator != null) rule(key.validator, description);
        return description;
    }

    /** The values that a validator accepts, for the validators that declare them. */
    static void rule(ConfigDef.Validator validator, Map<String, Object> description)
        throws Exception {
        if (validator instanceof ConfigDef.Range) {
            put(description, "min", inside(validator, "min"));
            put(description, "max", inside(validator, "max"));
        } else if (validator instanceof ConfigDef.ValidString) {
            put(description, "choices", inside(validator, "validStrings"));
        } else if (validator instanceof ConfigDef.CaseInsensitiveValidString) {
            put(description, "choices", inside(validator, "validStrings"));
            description.put("ignore_case", true);
        } else if (validator instanceof ConfigDef.ValidList) {
            put(description, "choices", inside(inside(validator, "validString"), "validStrings"));
            if (!accepts(validator, List.of())) description.put("not_empty", true);
            if (!accepts(validator, List.of(""))) description.put("no_empty_items", true);
        } else {
            description.put("rule", validator.toString().replaceAll("@[0-9a-f]+$", ""));
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

    static void put(Map<String, Object> description, String name, Object value) {
        if (value instanceof Collection) {
            // Sorted, so that the output is the same on every run.
            value = ((Collection<?>) value).stream().map(String::valueOf).sorted().toList();
            if (((List<?>) value).isEmpty()) return;
        }
        if (value != null) description.put(name, value);
    }
}
