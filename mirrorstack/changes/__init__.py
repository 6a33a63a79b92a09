"""What a deployment would remove, recreate, replicate again or skip."""
