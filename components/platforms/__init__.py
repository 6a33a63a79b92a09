"""Connect workers on platforms besides this machine: Docker and Kubernetes."""
