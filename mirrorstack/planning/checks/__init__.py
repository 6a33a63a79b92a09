"""What a preview checks, beside the plan itself."""
