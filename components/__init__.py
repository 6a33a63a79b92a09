"""Everything that is a Pulumi resource."""
