"""`cognis-admin`: the group of commands, and how errors are shown."""

from __future__ import annotations

from typing import Any

import click
from botocore.exceptions import BotoCoreError, NoCredentialsError, NoRegionError

from cognis_admin.events import events
from cognis_admin.indexes import index
from cognis_admin.keys import key
from cognis_admin.snapshots import snapshot
from cognis_admin.tenants import tenant
from cognis_memory.errors import CognisError, InvalidInput


class Commands(click.Group):
    """Turns errors into one sentence on stderr and exit code 1."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except CognisError as error:
            raise click.ClickException(sentence(error)) from None
        except NoCredentialsError:
            raise click.ClickException(
                "there are no AWS credentials; set AWS_PROFILE, or run `aws configure`."
            ) from None
        except NoRegionError:
            raise click.ClickException("no AWS region is chosen; set AWS_REGION.") from None
        except BotoCoreError as error:
            raise click.ClickException(f"AWS cannot be asked: {error}") from None


def sentence(error: CognisError) -> str:
    """What went wrong, with the field at fault, and whether to repeat."""
    if isinstance(error, InvalidInput):
        return "\n  ".join([str(error), *(f"{fault.field}: {fault.message}" for fault in error.errors)])
    return f"{error}; try again in a moment." if error.retryable else f"{error}."


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="cognis")
def cognis_admin() -> None:
    """Tenants, API keys, failed events and search indexes of a deployment.

    \b
    cognis-admin tenant create acme                  a tenant and its first key, shown once
    cognis-admin key create acme --user-id ana       a key that is good for one user alone
    cognis-admin key revoke key_…                    a key that leaked
    cognis-admin tenant disable acme                 none of its keys is accepted any more
    cognis-admin tenant budget acme --set 25         what it may spend on models in a month, in US dollars
    cognis-admin events failed                       what could not be carried out, and why
    cognis-admin events replay evt_…                 once more, when its cause is gone
    cognis-admin index create                        OpenSearch's index, once, after the first deployment
    cognis-admin index verify --repair               whether it holds what the ledger does

    The deployment is that of --stage in the AWS account and region of the environment.
    """


cognis_admin.add_command(tenant)
cognis_admin.add_command(key)
cognis_admin.add_command(events)
cognis_admin.add_command(index)
cognis_admin.add_command(snapshot)


def main() -> None:
    cognis_admin(prog_name="cognis-admin")
