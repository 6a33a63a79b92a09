"""Tests on platforms that are not part of the set-up: `make test-platforms`."""
