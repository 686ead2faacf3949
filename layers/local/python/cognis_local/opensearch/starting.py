"""Starts the process of a node."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import Final

from cognis_local.opensearch.configuration import java_command, write_configuration
from cognis_local.opensearch.distribution import ensure_distribution, missing_tools
from cognis_local.opensearch.errors import NodeFailed, PortTaken, ToolsMissing
from cognis_local.opensearch.folder import HOST, NodeFolder, Started
from cognis_local.opensearch.health import wait_until_ready
from cognis_local.opensearch.jdk import find_jdk
from cognis_local.opensearch.ports import free_port, is_free
from cognis_local.opensearch.releases import Release

_LOG_BYTES: Final = 10_000_000


@dataclass(frozen=True, slots=True)
class NodeStart:
    """One start on a folder whose start lock is held and on which no node lives; see `ensure_node`."""

    place: NodeFolder
    release: Release
    heap: str
    config: Sequence[str]
    java_options: Sequence[str]
    end_with: int | None
    seconds: float
    say: Callable[[str], None]

    def run(self, port: int | None) -> int:
        """The port at which the node answers now."""
        jdk = find_jdk(self.release.line)
        if jdk is None:
            missing = missing_tools(self.release.line)
            raise ToolsMissing(
                f"OpenSearch {self.release.version} cannot run here: there is {missing}. "
                "Install it, or name a JDK with JAVA_HOME."
            )
        distribution = ensure_distribution(self.release, jdk, self.say)
        chosen = self._port(port)
        write_configuration(self.place, chosen, self.config)
        self.place.remember(Started(chosen, self.release.line))
        self.place.pid_file.unlink(missing_ok=True)
        command = java_command(self.place, distribution, jdk, self.heap, self.java_options)
        process = self._spawn(command, distribution)
        try:
            url = f"http://{HOST}:{chosen}"
            wait_until_ready(self.place, url, self.seconds, lambda: process.poll() is not None)
        except (NodeFailed, KeyboardInterrupt):
            process.kill()
            process.wait()
            raise
        Thread(target=process.wait, daemon=True).start()  # collects it if it ends before this process
        return chosen

    def _port(self, port: int | None) -> int:
        if port is None:
            last = self.place.started()
            return last.port if last and is_free(last.port) else free_port()
        if not is_free(port):
            raise PortTaken(f"Port {port} cannot be used, something listens there; choose another.")
        return port

    def _spawn(self, command: list[str], distribution: Path) -> subprocess.Popen[bytes]:
        arguments = [str(distribution), str(self.place.configuration), str(self.place.pid_file)]
        if self.end_with is not None:
            arguments.append(str(self.end_with))
        log = self.place.log
        if log.exists() and log.stat().st_size > _LOG_BYTES:
            log.replace(log.with_suffix(".log.1"))
        held = self.place.hold_node_lock()
        try:
            with log.open("ab") as output:
                return subprocess.Popen(  # noqa: S603 - a JDK of this machine on our own files
                    [*command, *arguments],
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=output,
                    cwd=self.place.root,  # the caller's may go before the node does
                    pass_fds=(held,),
                    start_new_session=True,  # a Ctrl-C in the caller's terminal is not for the node
                )
        finally:
            os.close(held)
