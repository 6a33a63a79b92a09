"""A Pulumi language host for Python programs, written in Python.

Set-ups that cannot download Pulumi build its CLI from Go modules, but the official host,
`pulumi-language-python`, is on no module proxy. This package takes its place next to the CLI. It
is started as `python -I <this directory> --use-executor <script> <engine address>`: a directory
run puts neither the current directory nor PYTHONPATH on the host's module path, so nothing in a
user's project can shadow what the host imports, and nothing leaks into the program's environment.
"""

GRPC_OPTIONS = (
    ("grpc.max_receive_message_length", 400 * 1024 * 1024),  # the limit of Pulumi's own SDKs
    ("grpc.enable_http_proxy", 0),  # everybody the host talks to is on this machine
)
