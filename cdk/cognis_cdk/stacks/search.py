"""The search cluster of stages that do not search in user shards."""

from __future__ import annotations

from aws_cdk import CfnOutput, Environment, RemovalPolicy, Stack
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_opensearchservice as opensearch
from constructs import Construct

from cognis_cdk.config import SearchDomain


class SearchStack(Stack):
    """An Amazon OpenSearch domain for vectors and BM25.

    It has no policy of its own, so that only roles whose policies name it get in, each request signed. Those
    name indexes by the path of a request, so that a body may not name any. Its logs stay off: they quote
    queries and documents, which are what users said. It may go with its stack, as everything in it is rebuilt
    from the ledger.
    """

    def __init__(self, scope: Construct, id_: str, *, search: SearchDomain, env: Environment) -> None:
        super().__init__(scope, id_, env=env, description="Cognis: search domain")
        self.domain = opensearch.Domain(
            self,
            "Domain",
            version=opensearch.EngineVersion.open_search(search.version),
            capacity=opensearch.CapacityConfig(
                data_nodes=search.data_nodes,
                data_node_instance_type=search.data_node_type,
                master_nodes=search.master_nodes or None,
                master_node_instance_type=search.master_node_type,
                multi_az_with_standby_enabled=False,
            ),
            zone_awareness=opensearch.ZoneAwarenessConfig(
                enabled=search.availability_zones > 1,
                availability_zone_count=search.availability_zones if search.availability_zones > 1 else None,
            ),
            ebs=opensearch.EbsOptions(volume_size=search.volume_gib, volume_type=ec2.EbsDeviceVolumeType.GP3),
            enforce_https=True,
            tls_security_policy=opensearch.TLSSecurityPolicy.TLS_1_2_PFS,
            node_to_node_encryption=True,
            encryption_at_rest=opensearch.EncryptionAtRestOptions(enabled=True),
            advanced_options={"rest.action.multi.allow_explicit_index": "false"},
            removal_policy=RemovalPolicy.DESTROY,
        )
        CfnOutput(self, "SearchEndpoint", value=f"https://{self.domain.domain_endpoint}")
