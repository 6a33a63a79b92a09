"""The policy pack, as the engine starts it."""

from policies.pack import serve

serve()
