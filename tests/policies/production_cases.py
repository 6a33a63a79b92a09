"""Cases of the rules about production and secrets."""

from __future__ import annotations

from policies.resources import KAFKA_PROVIDER
from tests.policies.case import HERE, JAAS, Case
from tests.policies.harness import UNKNOWN, connector, resource, stack, worker

TRANSPORT = [
    Case(
        "production-clusters-use-tls",
        right=(HERE,),
        wrong=(
            stack(
                clusters={
                    "west": {"security": {"protocol": "SASL_PLAINTEXT", "mechanism": "PLAIN"}}
                },
                production=True,
            ),
        ),
        says="clusters.west.security.protocol is SASL_PLAINTEXT: records can be read and changed",
        absent=("settings", "clusters", "west", "security", "protocol"),
        absent_says=None,
        unknown=(stack(production=UNKNOWN),),
    ),
    Case(
        "clusters-have-authorizers",
        right=(HERE,),
        wrong=(stack(acl_modes={"west": "none"}, production=True),),
        says="The brokers of west have no authorizer",
        absent=("acl_modes",),
        absent_says=None,
        unknown=(stack(acl_modes={"west": UNKNOWN}, production=True),),
    ),
    Case(
        "production-clients-use-tls",
        right=(HERE, connector(), worker()),
        wrong=(HERE, connector(source_cluster_security_protocol="SASL_PLAINTEXT")),
        says="source.cluster.security.protocol is SASL_PLAINTEXT",
        absent=("config", "source.cluster.security.protocol"),
        absent_says="source.cluster.security.protocol is PLAINTEXT",
        unknown=(HERE, connector(source_cluster_security_protocol=UNKNOWN)),
    ),
    Case(
        "production-providers-use-tls",
        right=(HERE, resource(KAFKA_PROVIDER, {"tlsEnabled": True})),
        wrong=(HERE, resource(KAFKA_PROVIDER, {"skipTlsVerify": True})),
        says="skipTlsVerify is true, which disables the verification of certificates",
        absent=("skipTlsVerify",),
        absent_says=None,
        unknown=(HERE, resource(KAFKA_PROVIDER, {"tlsEnabled": UNKNOWN})),
    ),
    Case(
        "production-verifies-host-names",
        right=(HERE, connector(ssl_endpoint_identification_algorithm="https")),
        wrong=(HERE, connector(**{"source.cluster.ssl.endpoint.identification.algorithm": ""})),
        says="source.cluster.ssl.endpoint.identification.algorithm is empty",
        absent=("config", "source.cluster.ssl.endpoint.identification.algorithm"),
        absent_says=None,
        unknown=(HERE, connector(ssl_endpoint_identification_algorithm=UNKNOWN)),
    ),
    Case(
        "production-rest-authentication",
        right=(
            HERE,
            worker(),
            worker(listeners="http://0.0.0.0:1", rest_extension_classes="x"),
            worker(listeners="http://0.0.0.0:2", isolated=True),
        ),
        wrong=(HERE, worker(listeners="http://0.0.0.0:8083")),
        says="listeners has http://0.0.0.0:8083, and no authentication",
        absent=("workers", 0, "config", "listeners"),
        absent_says="listeners has http://:8083",
        unknown=(HERE, worker(listeners=UNKNOWN)),
    ),
    Case(
        "no-plain-secrets-in-workers",
        right=(worker(sasl_jaas_config=JAAS),),
        wrong=(worker(ssl_key_password="hunter2"),),
        says="ssl.key.password looks like a secret in plain text",
        absent=("workers", 0, "config", "ssl.key.password"),
        absent_says=None,
        unknown=(worker(ssl_key_password=UNKNOWN),),
    ),
]
