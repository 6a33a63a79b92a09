// Command pulumi-resource-kafka is the resource plugin of the Python package pulumi-kafka.
//
// It wraps the same Terraform provider with the same bridge as the official plugin. The set-up
// builds it only where the official download is not available, and tests compare its inputs with
// those that pulumi-kafka declares.
package main

import (
	"github.com/Mongey/terraform-provider-kafka/kafka"
	"github.com/pulumi/pulumi-terraform-bridge/v3/pkg/tfbridge"
	sdkv2 "github.com/pulumi/pulumi-terraform-bridge/v3/pkg/tfshim/sdk-v2"
	"github.com/pulumi/pulumi/sdk/v3/go/common/tokens"
)

// version is set by the linker to the version of pulumi-kafka.
var version = "0.0.0"

func main() {
	// No code is generated from this plugin, so the schema needs only its name and version.
	schema := []byte(`{"name":"kafka","version":"` + version + `"}`)
	tfbridge.Main("kafka", version, provider(), schema)
}

func provider() tfbridge.ProviderInfo {
	info := tfbridge.ProviderInfo{
		P:       sdkv2.NewProvider(kafka.Provider()),
		Name:    "kafka",
		Version: version,
		Resources: map[string]*tfbridge.ResourceInfo{
			"kafka_acl": {
				Tok: resource("acl", "Acl"),
				Fields: map[string]*tfbridge.SchemaInfo{
					"resource_name": {Name: "aclResourceName"},
					"resource_type": {Name: "aclResourceType"},
				},
			},
			"kafka_quota":                 {Tok: resource("quota", "Quota")},
			"kafka_topic":                 {Tok: resource("topic", "Topic")},
			"kafka_user_scram_credential": {Tok: resource("userScramCredential", "UserScramCredential")},
		},
		DataSources: map[string]*tfbridge.DataSourceInfo{
			"kafka_topic":  {Tok: function("getTopic")},
			"kafka_topics": {Tok: function("getTopics")},
		},
	}
	info.SetAutonaming(255, "-")
	return info
}

func resource(module, name string) tokens.Type {
	return tokens.Type("kafka:index/" + module + ":" + name)
}

func function(name string) tokens.ModuleMember {
	return tokens.ModuleMember("kafka:index:" + name)
}
