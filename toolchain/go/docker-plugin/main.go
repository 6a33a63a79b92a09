// Command pulumi-resource-docker is the resource plugin of the Python package pulumi-docker.
//
// It wraps the same Terraform provider with the same bridge as the official plugin. It is built only
// where the official download is not available, for what a stack declares: containers, images and
// networks. The official plugin has an Image besides, which builds images; stacks do not use it.
package main

import (
	"github.com/pulumi/pulumi-terraform-bridge/v3/pkg/tfbridge"
	sdkv2 "github.com/pulumi/pulumi-terraform-bridge/v3/pkg/tfshim/sdk-v2"
	"github.com/pulumi/pulumi/sdk/v3/go/common/tokens"
	"github.com/terraform-providers/terraform-provider-docker/internal/provider"
)

// version is set by the linker to the version of pulumi-docker.
var version = "0.0.0"

func main() {
	// No code is generated from this plugin, so the schema needs only its name and version.
	schema := []byte(`{"name":"docker","version":"` + version + `"}`)
	tfbridge.Main("docker", version, info(), schema)
}

func info() tfbridge.ProviderInfo {
	info := tfbridge.ProviderInfo{
		P:       sdkv2.NewProvider(provider.New(version)()),
		Name:    "docker",
		Version: version,
		Resources: map[string]*tfbridge.ResourceInfo{
			"docker_buildx_builder": {Tok: resource("buildxBuilder", "BuildxBuilder")},
			"docker_config":         {Tok: resource("serviceConfig", "ServiceConfig")},
			"docker_container": {
				Tok: resource("container", "Container"),
				Fields: map[string]*tfbridge.SchemaInfo{
					"command":           {Name: "command"},
					"networks_advanced": {Name: "networksAdvanced"},
				},
			},
			"docker_image":          {Tok: resource("remoteImage", "RemoteImage")},
			"docker_network":        {Tok: resource("network", "Network")},
			"docker_plugin":         {Tok: resource("plugin", "Plugin")},
			"docker_registry_image": {Tok: resource("registryImage", "RegistryImage")},
			"docker_secret":         {Tok: resource("secret", "Secret")},
			"docker_service":        {Tok: resource("service", "Service")},
			"docker_tag":            {Tok: resource("tag", "Tag")},
			"docker_volume":         {Tok: resource("volume", "Volume")},
		},
		IgnoreMappings: []string{"docker_compose", "docker_container_exec", "docker_context"},
	}
	info.SetAutonaming(255, "-")
	return info
}

func resource(module, name string) tokens.Type {
	return tokens.Type("docker:index/" + module + ":" + name)
}
