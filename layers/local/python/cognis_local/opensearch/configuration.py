"""What a node is told: its settings, its log's and the JVM's."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from cognis_local.opensearch.folder import HOST, NodeFolder
from cognis_local.opensearch.jdk import java_version

_VECTOR_API: Final = 20
_NATIVE_ACCESS: Final = 22
_UNSAFE_MEMORY_ACCESS: Final = 24

_LOG4J: Final = """\
status = error
appender.console.type = Console
appender.console.name = console
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = [%d{ISO8601}][%-5p][%-25c{1.}] %m%n
rootLogger.level = info
rootLogger.appenderRef.console.ref = console
"""


def write_configuration(folder: NodeFolder, port: int, extra: Sequence[str]) -> None:
    """Writes opensearch.yml, `extra` being further lines of it, and the configuration of the log."""
    settings = {
        "cluster.name": "local",
        "node.name": "local",
        "discovery.type": "single-node",
        "network.host": HOST,
        "http.port": port,
        "transport.port": 0,
        "path.data": str(folder.data),
        "path.logs": str(folder.logs),
        "path.repo": [str(folder.snapshots)],
        # A disk that fills up must not turn indices read-only: they share it with everything else here.
        "cluster.routing.allocation.disk.threshold_enabled": False,
        "action.destructive_requires_name": False,
    }
    # JSON is YAML, whatever the paths hold.
    lines = [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in settings.items()]
    text = "\n".join([*lines, *extra])
    (folder.configuration / "opensearch.yml").write_text(f"{text}\n", encoding="utf-8")
    (folder.configuration / "log4j2.properties").write_text(_LOG4J, encoding="utf-8")


def java_command(
    folder: NodeFolder, distribution: Path, jdk: Path, heap: str, extra: Sequence[str]
) -> list[str]:
    """The command that starts the node on the folder; `heap` as in `-Xmx`, `extra` are further options."""
    flags = [
        f"-Xms{heap}",
        f"-Xmx{heap}",
        "-XX:+UseG1GC",
        f"-XX:ErrorFile={folder.logs}/hs_err_%p.log",
        f"-Djava.io.tmpdir={folder.temporary}",
        "-Djava.awt.headless=true",
        "-Dfile.encoding=UTF-8",
        "-Djna.nosys=true",
        f"-Djna.tmpdir={folder.temporary}",
        "-Dio.netty.noUnsafe=true",
        "-Dio.netty.allocator.numDirectArenas=0",
        f"-Dlog4j2.configurationFile={(folder.configuration / 'log4j2.properties').as_uri()}",
        "-Dlog4j.shutdownHookEnabled=false",
        "-Dlog4j2.disable.jmx=true",
    ]
    version = java_version(jdk) or 0
    if version >= _VECTOR_API:
        flags.append("--add-modules=jdk.incubator.vector")
    if version >= _NATIVE_ACCESS:
        flags.append("--enable-native-access=ALL-UNNAMED")
    if version >= _UNSAFE_MEMORY_ACCESS:
        flags.append("--sun-misc-unsafe-memory-access=allow")
    classes = f"{distribution / 'launcher'}:{distribution / 'lib' / '*'}"
    return [str(jdk / "bin" / "java"), *flags, *extra, "-cp", classes, "LocalNode"]
