"""A Pulumi language host for Python programs, written in Python.

Where Pulumi cannot be downloaded, the set-up builds its CLI from Go modules, but the official host,
`pulumi-language-python`, is not available as a Go module. This package replaces it, next to the
CLI. It is started as `python -I <this directory> --use-executor <script> <engine address>`: with
`-I`, neither the current directory nor PYTHONPATH is on the host's module path, so no file of the
user's project can shadow a module of the host, and the program's environment is not changed.
"""

GRPC_OPTIONS = (
    ("grpc.max_receive_message_length", 400 * 1024 * 1024),  # the limit of Pulumi's own SDKs
    ("grpc.enable_http_proxy", 0),  # the host connects to this machine only
)
