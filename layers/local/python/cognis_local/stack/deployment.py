"""Brings the emulated account to what an assembly says: files as objects, stacks by CloudFormation."""

from __future__ import annotations

import io
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from botocore.exceptions import ClientError

from cognis_local.stack.assembly import Assembly, Asset, StackTemplate
from cognis_local.stack.errors import StackError

if TYPE_CHECKING:
    from mypy_boto3_cloudformation import CloudFormationClient
    from mypy_boto3_s3 import S3Client

    from cognis_local.stack.aws import EmulatedAccount

Outputs = dict[str, dict[str, str]]
"""The outputs of each stack, by the stack's name and the output's key."""

_BOOTSTRAP_PARAMETER: Final = "/cdk-bootstrap/hnb659fds/version"
_BOOTSTRAP_VERSION: Final = "30"
_UPDATABLE: Final = ("CREATE_COMPLETE", "UPDATE_COMPLETE", "UPDATE_ROLLBACK_COMPLETE")
_DEPLOYED: Final = ("CREATE_COMPLETE", "UPDATE_COMPLETE")
_NO_CHANGE: Final = "No updates are to be performed"
_TIMEOUT_SECONDS: Final = 120.0
_POLL_SECONDS: Final = 0.1


def deploy(account: EmulatedAccount, assembly: Assembly, on_stack: Callable[[str], None]) -> Outputs:
    """Creates or updates every stack; calls `on_stack` with each one's name before it.

    Raises StackError with the resource that failed and why.
    """
    _upload(account, assembly.assets)
    account.parameters().put_parameter(
        Name=_BOOTSTRAP_PARAMETER, Value=_BOOTSTRAP_VERSION, Type="String", Overwrite=True
    )
    cloudformation = account.cloudformation()
    for stack in assembly.stacks:
        on_stack(stack.name)
        _deploy_stack(cloudformation, stack, account.endpoint)
    return {stack.name: _outputs(cloudformation, stack.name) for stack in assembly.stacks}


def _upload(account: EmulatedAccount, assets: tuple[Asset, ...]) -> None:
    s3 = account.s3()
    for bucket in {asset.bucket for asset in assets}:
        s3.create_bucket(Bucket=bucket)
    for asset in assets:
        if not _uploaded(s3, asset):
            content = _zipped(asset.source) if asset.zipped else asset.source.read_bytes()
            s3.put_object(Bucket=asset.bucket, Key=asset.key, Body=content)


def _uploaded(s3: S3Client, asset: Asset) -> bool:
    """A key names its content by a digest."""
    try:
        s3.head_object(Bucket=asset.bucket, Key=asset.key)
    except ClientError:
        return False
    return True


def _zipped(folder: Path) -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(
        archive, "w", zipfile.ZIP_DEFLATED, compresslevel=1, strict_timestamps=False
    ) as content:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                content.write(path, path.relative_to(folder))
    return archive.getvalue()


def _deploy_stack(cloudformation: CloudFormationClient, stack: StackTemplate, endpoint: str) -> None:
    status = _status(cloudformation, stack.name)
    template: dict[str, Any] = {
        "StackName": stack.name,
        "TemplateURL": f"{endpoint}/{stack.bucket}/{stack.key}",
        "Capabilities": ["CAPABILITY_IAM", "CAPABILITY_NAMED_IAM"],
    }
    if status in _UPDATABLE:
        if not _update(cloudformation, template):
            return
    else:
        if status is not None:
            _delete(cloudformation, stack.name)
        cloudformation.create_stack(**template)
    status = _settled(cloudformation, stack.name)
    if status not in _DEPLOYED:
        raise StackError(
            f"Stack {stack.name} ended as {status}: {_first_failure(cloudformation, stack.name)}"
        )


def _update(cloudformation: CloudFormationClient, template: dict[str, Any]) -> bool:
    """Whether there is anything to update."""
    try:
        cloudformation.update_stack(**template)
    except ClientError as error:
        if _NO_CHANGE not in str(error):
            raise
        return False
    return True


def _delete(cloudformation: CloudFormationClient, name: str) -> None:
    """Removes a stack that never came to be."""
    cloudformation.delete_stack(StackName=name)
    status = _settled(cloudformation, name)
    if status is not None:
        raise StackError(f"Stack {name} cannot be removed: {_first_failure(cloudformation, name)}")


def _settled(cloudformation: CloudFormationClient, name: str) -> str | None:
    deadline = time.monotonic() + _TIMEOUT_SECONDS
    while (status := _status(cloudformation, name)) is not None and status.endswith("_IN_PROGRESS"):
        if time.monotonic() > deadline:
            raise StackError(f"Stack {name} is still {status} after {_TIMEOUT_SECONDS:.0f} s.")
        time.sleep(_POLL_SECONDS)
    return status


def _status(cloudformation: CloudFormationClient, name: str) -> str | None:
    """None where there is no such stack."""
    try:
        (stack,) = cloudformation.describe_stacks(StackName=name)["Stacks"]
    except ClientError as error:
        if error.response["Error"]["Code"] == "ValidationError":
            return None
        raise
    return None if stack["StackStatus"] == "DELETE_COMPLETE" else stack["StackStatus"]


def _first_failure(cloudformation: CloudFormationClient, name: str) -> str:
    """The newest operation's events come first; the first of its failures is the cause of the others."""
    failure = "no reason was recorded"
    for event in cloudformation.describe_stack_events(StackName=name)["StackEvents"]:
        if event.get("ResourceStatusReason") == "User Initiated":
            break
        if event["ResourceStatus"].endswith("_FAILED"):
            failure = (
                f"{event['LogicalResourceId']} ({event['ResourceType']}): {event['ResourceStatusReason']}"
            )
    return failure


def _outputs(cloudformation: CloudFormationClient, name: str) -> dict[str, str]:
    (stack,) = cloudformation.describe_stacks(StackName=name)["Stacks"]
    return {output["OutputKey"]: output["OutputValue"] for output in stack.get("Outputs", [])}


def deployed(account: EmulatedAccount, names: list[str]) -> bool:
    """Whether every stack is there, as it was deployed last."""
    cloudformation = account.cloudformation()
    return all(_status(cloudformation, name) in _DEPLOYED for name in names)
