"""One resource of every type in the table, in the order in which a program would declare them."""

import json
from typing import Any

from tests.rehearsal.aws.program import Program, Standing

TRUST = json.dumps(
    {
        "Version": "2012-10-17",
        "Statement": [{"Effect": "Allow", "Principal": {"Service": "ec2.amazonaws.com"}, "Action": "sts:AssumeRole"}],
    }
)
GRANT = json.dumps(
    {
        "Version": "2012-10-17",
        "Statement": [{"Effect": "Allow", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::b/*"}],
    }
)
WORKER = "arn:aws:iam::aws:policy/AmazonEKSWorkerNodePolicy"


class Stack:
    """Creates on demand, remembers in order, and takes down in the opposite order."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.standing: list[Standing] = []
        self.declared: dict[str, dict[str, Any]] = {}
        self._made: dict[str, Standing] = {}

    def add(self, token: str, inputs: dict[str, Any]) -> Standing:
        standing = self.program.create(token, inputs)
        self.standing.append(standing)
        return standing

    def get(self, token: str) -> Standing:
        """Return the stack's resource of the type, created now with what it needs where it is not there yet."""
        if token not in self._made:
            self.declared[token] = self.inputs(token)
            self._made[token] = self.add(token, self.declared[token])
        return self._made[token]

    def id(self, token: str) -> str:
        return self.get(token).id

    def down(self) -> None:
        while self.standing:
            self.program.delete(self.standing.pop())

    def inputs(self, token: str) -> dict[str, Any]:
        """Return inputs for the type, with references to others of the stack."""
        module, _, name = token.partition("/")
        return getattr(self, f"_{module.removeprefix('aws:')}_{name.split(':')[0]}")()

    def _ec2_vpc(self) -> dict[str, Any]:
        return {"cidrBlock": "10.0.0.0/16", "enableDnsHostnames": True, "tags": {"Name": "lab"}}

    def _ec2_subnet(self) -> dict[str, Any]:
        return {
            "vpcId": self.id("aws:ec2/vpc:Vpc"),
            "cidrBlock": "10.0.1.0/24",
            "availabilityZone": "us-east-1a",
            "enableResourceNameDnsARecordOnLaunch": True,
            "tags": {"Name": "a"},
        }

    def _ec2_routeTable(self) -> dict[str, Any]:  # noqa: N802 -- spelled as the type is
        return {"vpcId": self.id("aws:ec2/vpc:Vpc")}

    def _ec2_routeTableAssociation(self) -> dict[str, Any]:  # noqa: N802 -- spelled as the type is
        return {
            "routeTableId": self.id("aws:ec2/routeTable:RouteTable"),
            "subnetId": self.id("aws:ec2/subnet:Subnet"),
        }

    def _ec2_route(self) -> dict[str, Any]:
        return {
            "routeTableId": self.id("aws:ec2/routeTable:RouteTable"),
            "destinationCidrBlock": "0.0.0.0/0",
            "natGatewayId": self.id("aws:ec2/natGateway:NatGateway"),
        }

    def _ec2_internetGateway(self) -> dict[str, Any]:  # noqa: N802 -- spelled as the type is
        return {"vpcId": self.id("aws:ec2/vpc:Vpc")}

    def _ec2_eip(self) -> dict[str, Any]:
        return {"domain": "vpc", "tags": {"Name": "nat"}}

    def _ec2_natGateway(self) -> dict[str, Any]:  # noqa: N802 -- spelled as the type is
        return {"allocationId": self.id("aws:ec2/eip:Eip"), "subnetId": self.id("aws:ec2/subnet:Subnet")}

    def _ec2_vpcEndpoint(self) -> dict[str, Any]:  # noqa: N802 -- spelled as the type is
        return {
            "vpcId": self.id("aws:ec2/vpc:Vpc"),
            "serviceName": "com.amazonaws.us-east-1.s3",
            "routeTableIds": [self.id("aws:ec2/routeTable:RouteTable")],
            "policy": GRANT,
        }

    def _ec2_flowLog(self) -> dict[str, Any]:  # noqa: N802 -- spelled as the type is
        return {
            "vpcId": self.id("aws:ec2/vpc:Vpc"),
            "trafficType": "ALL",
            "logDestination": self.get("aws:cloudwatch/logGroup:LogGroup")["arn"],
            "iamRoleArn": self.get("aws:iam/role:Role")["arn"],
            "maxAggregationInterval": 60,
        }

    def _ec2_securityGroup(self) -> dict[str, Any]:  # noqa: N802 -- spelled as the type is
        web = {"protocol": "tcp", "fromPort": 443, "toPort": 443, "cidrBlocks": ["10.0.0.0/16"]}
        return {"vpcId": self.id("aws:ec2/vpc:Vpc"), "description": "lab", "ingress": [web]}

    def _ec2_defaultSecurityGroup(self) -> dict[str, Any]:  # noqa: N802 -- spelled as the type is
        return {"vpcId": self.id("aws:ec2/vpc:Vpc")}

    def _ec2_securityGroupRule(self) -> dict[str, Any]:  # noqa: N802 -- spelled as the type is
        return {
            "type": "egress",
            "protocol": "-1",
            "fromPort": 0,
            "toPort": 0,
            "cidrBlocks": ["10.0.0.0/16"],
            "securityGroupId": self.id("aws:ec2/securityGroup:SecurityGroup"),
        }

    def _vpc_securityGroupIngressRule(self) -> dict[str, Any]:  # noqa: N802 -- spelled as the type is
        group = self.id("aws:ec2/securityGroup:SecurityGroup")
        return {
            "securityGroupId": group,
            "ipProtocol": "tcp",
            "fromPort": 1024,
            "toPort": 2048,
            "referencedSecurityGroupId": group,
            "description": "among themselves",
            "tags": {"Name": "rule"},
        }

    def _vpc_securityGroupEgressRule(self) -> dict[str, Any]:  # noqa: N802 -- spelled as the type is
        group = self.id("aws:ec2/securityGroup:SecurityGroup")
        return {"securityGroupId": group, "ipProtocol": "-1", "cidrIpv4": "10.9.0.0/16"}

    def _ec2_launchTemplate(self) -> dict[str, Any]:  # noqa: N802 -- spelled as the type is
        volume = {
            "encrypted": "true",
            "kmsKeyId": self.get("aws:kms/key:Key")["arn"],
            "volumeSize": 200,
            "volumeType": "gp3",
        }
        return {
            "blockDeviceMappings": [{"deviceName": "/dev/xvda", "ebs": {**volume, "deleteOnTermination": "true"}}],
            "metadataOptions": {"httpTokens": "required", "httpPutResponseHopLimit": 1, "httpEndpoint": "enabled"},
            "vpcSecurityGroupIds": [self.id("aws:ec2/securityGroup:SecurityGroup")],
            "tagSpecifications": [{"resourceType": "instance", "tags": {"owner": "ml", "pool": "l4"}}],
            "userData": "IyEvYmluL2Jhc2gK",
            "updateDefaultVersion": True,
        }

    def _ec2_placementGroup(self) -> dict[str, Any]:  # noqa: N802 -- spelled as the type is
        return {"strategy": "cluster"}

    def _kms_key(self) -> dict[str, Any]:
        return {"description": "lab", "enableKeyRotation": True, "rotationPeriodInDays": 180, "deletionWindowInDays": 7}

    def _kms_alias(self) -> dict[str, Any]:
        return {"name": "alias/lab", "targetKeyId": self.id("aws:kms/key:Key")}

    def _iam_role(self) -> dict[str, Any]:
        return {"assumeRolePolicy": TRUST, "description": "nodes", "tags": {"Name": "nodes"}}

    def _iam_rolePolicy(self) -> dict[str, Any]:  # noqa: N802 -- spelled as the type is
        return {"role": self.id("aws:iam/role:Role"), "policy": GRANT}

    def _iam_rolePolicyAttachment(self) -> dict[str, Any]:  # noqa: N802 -- spelled as the type is
        return {"role": self.id("aws:iam/role:Role"), "policyArn": WORKER}

    def _iam_policy(self) -> dict[str, Any]:
        return {"policy": GRANT, "description": "read"}

    def _iam_instanceProfile(self) -> dict[str, Any]:  # noqa: N802 -- spelled as the type is
        return {"role": self.id("aws:iam/role:Role")}

    def _iam_serviceLinkedRole(self) -> dict[str, Any]:  # noqa: N802 -- spelled as the type is
        return {"awsServiceName": "spot.amazonaws.com", "description": "spot"}

    def _iam_openIdConnectProvider(self) -> dict[str, Any]:  # noqa: N802 -- spelled as the type is
        return {
            "url": "https://oidc.example.com/id/1",
            "clientIdLists": ["sts.amazonaws.com"],
            "thumbprintLists": ["0" * 40],
        }

    def _s3_bucket(self) -> dict[str, Any]:
        return {"forceDestroy": True, "tags": {"Name": "data"}}

    def _of_bucket(self, **settings: Any) -> dict[str, Any]:
        return {"bucket": self.id("aws:s3/bucket:Bucket"), **settings}

    def _s3_bucketVersioning(self) -> dict[str, Any]:  # noqa: N802 -- spelled as the type is
        return self._of_bucket(versioningConfiguration={"status": "Enabled"})

    def _s3_bucketServerSideEncryptionConfiguration(self) -> dict[str, Any]:  # noqa: N802 -- spelled as the type is
        key = {"sseAlgorithm": "aws:kms", "kmsMasterKeyId": self.get("aws:kms/key:Key")["arn"]}
        return self._of_bucket(rules=[{"applyServerSideEncryptionByDefault": key, "bucketKeyEnabled": True}])

    def _s3_bucketPublicAccessBlock(self) -> dict[str, Any]:  # noqa: N802 -- spelled as the type is
        blocks = ("blockPublicAcls", "blockPublicPolicy", "ignorePublicAcls", "restrictPublicBuckets")
        return self._of_bucket(**dict.fromkeys(blocks, True))

    def _s3_bucketOwnershipControls(self) -> dict[str, Any]:  # noqa: N802 -- spelled as the type is
        return self._of_bucket(rule={"objectOwnership": "BucketOwnerEnforced"})

    def _s3_bucketLifecycleConfiguration(self) -> dict[str, Any]:  # noqa: N802 -- spelled as the type is
        parts = {"abortIncompleteMultipartUpload": {"daysAfterInitiation": 7}}
        old = {"noncurrentVersionExpiration": {"noncurrentDays": 30}, "expiration": {"days": 90}}
        return self._of_bucket(rules=[{"id": "keep", "status": "Enabled", **parts, **old}])

    def _s3_bucketPolicy(self) -> dict[str, Any]:  # noqa: N802 -- spelled as the type is
        return self._of_bucket(policy=GRANT)

    def _s3_bucketLogging(self) -> dict[str, Any]:  # noqa: N802 -- spelled as the type is
        target = self.add(
            "aws:s3/bucket:Bucket", {"bucket": f"logs-{self.id('aws:s3/bucket:Bucket')}", "forceDestroy": True}
        )
        deliver = {"Effect": "Allow", "Principal": {"Service": "logging.s3.amazonaws.com"}, "Action": "s3:PutObject"}
        statement = {**deliver, "Resource": f"arn:aws:s3:::{target.id}/*"}
        policy = json.dumps({"Version": "2012-10-17", "Statement": [statement]})
        self.add("aws:s3/bucketPolicy:BucketPolicy", {"bucket": target.id, "policy": policy})
        return self._of_bucket(targetBucket=target.id, targetPrefix="access/")

    def _eks_cluster(self) -> dict[str, Any]:
        return {
            "name": "lab",
            "version": "1.35",
            "roleArn": self.get("aws:iam/role:Role")["arn"],
            "vpcConfig": {
                "subnetIds": [self.id("aws:ec2/subnet:Subnet")],
                "endpointPrivateAccess": True,
                "endpointPublicAccess": False,
            },
            "accessConfig": {"authenticationMode": "API", "bootstrapClusterCreatorAdminPermissions": False},
            "encryptionConfig": {
                "provider": {"keyArn": self.get("aws:kms/key:Key")["arn"]},
                "resources": ["secrets"],
            },
            "enabledClusterLogTypes": ["api", "audit"],
            "upgradePolicy": {"supportType": "STANDARD"},
            "kubernetesNetworkConfig": {"serviceIpv4Cidr": "172.20.0.0/16"},
        }

    def _eks_nodeGroup(self) -> dict[str, Any]:  # noqa: N802 -- spelled as the type is
        template = self.get("aws:ec2/launchTemplate:LaunchTemplate")
        return {
            "clusterName": self.id("aws:eks/cluster:Cluster"),
            "nodeRoleArn": self.get("aws:iam/role:Role")["arn"],
            "subnetIds": [self.id("aws:ec2/subnet:Subnet")],
            "instanceTypes": ["g6.2xlarge", "g6.4xlarge"],
            "capacityType": "SPOT",
            "amiType": "AL2023_x86_64_NVIDIA",
            "scalingConfig": {"minSize": 0, "desiredSize": 0, "maxSize": 4},
            "launchTemplate": {"id": template.id, "version": str(template["latestVersion"])},
            "taints": [{"key": "nvidia.com/gpu", "value": "present", "effect": "NO_SCHEDULE"}],
            "labels": {"pool": "l4"},
            "updateConfig": {"maxUnavailable": 1},
        }

    def _eks_accessEntry(self) -> dict[str, Any]:  # noqa: N802 -- spelled as the type is
        return {
            "clusterName": self.id("aws:eks/cluster:Cluster"),
            "principalArn": self.get("aws:iam/role:Role")["arn"],
            "kubernetesGroups": ["viewers"],
        }

    def _eks_accessPolicyAssociation(self) -> dict[str, Any]:  # noqa: N802 -- spelled as the type is
        return {
            "clusterName": self.id("aws:eks/cluster:Cluster"),
            "principalArn": self.get("aws:iam/role:Role")["arn"],
            "policyArn": "arn:aws:eks::aws:cluster-access-policy/AmazonEKSAdminPolicy",
            "accessScope": {"type": "cluster"},
        }

    def _eks_addon(self) -> dict[str, Any]:
        return {
            "clusterName": self.id("aws:eks/cluster:Cluster"),
            "addonName": "vpc-cni",
            "configurationValues": '{"env": {"ENABLE_PREFIX_DELEGATION": "true"}}',
            "resolveConflictsOnCreate": "OVERWRITE",
        }

    def _eks_podIdentityAssociation(self) -> dict[str, Any]:  # noqa: N802 -- spelled as the type is
        return {
            "clusterName": self.id("aws:eks/cluster:Cluster"),
            "namespace": "kube-system",
            "serviceAccount": "aws-node",
            "roleArn": self.get("aws:iam/role:Role")["arn"],
        }

    def _cloudwatch_logGroup(self) -> dict[str, Any]:  # noqa: N802 -- spelled as the type is
        return {"retentionInDays": 90, "tags": {"Name": "flow"}}

    def _budgets_budget(self) -> dict[str, Any]:
        notification = {"comparisonOperator": "GREATER_THAN", "threshold": 80, "thresholdType": "PERCENTAGE"}
        told = {"notificationType": "ACTUAL", "subscriberEmailAddresses": ["gpu-costs@example.com"]}
        return {
            "budgetType": "COST",
            "limitAmount": "4000",
            "limitUnit": "USD",
            "timeUnit": "MONTHLY",
            "costFilters": [{"name": "TagKeyValue", "values": ["user:owner$ml"]}],
            "notifications": [{**notification, **told}],
        }

    def _sqs_queue(self) -> dict[str, Any]:
        return {"sqsManagedSseEnabled": True, "messageRetentionSeconds": 300}

    def _sqs_queuePolicy(self) -> dict[str, Any]:  # noqa: N802 -- spelled as the type is
        return {"queueUrl": self.id("aws:sqs/queue:Queue"), "policy": GRANT}
