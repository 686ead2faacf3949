"""Lays out the files of a node: libraries, modules and plugins from Maven, and what the jars lack."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cognis_local.opensearch.errors import DistributionFailed
from cognis_local.opensearch.releases import Release

RESOURCES: Final = Path(__file__).parent / "resources"

_MAVEN_SECONDS: Final = 900.0
_JAVA_SECONDS: Final = 120.0
_LAST_LINES: Final = 12

_MODULES: Final = {
    "transport-netty4": "org.opensearch.transport.Netty4",
    "analysis-common": "org.opensearch.analysis.common.CommonAnalysis",
    "lang-painless": "org.opensearch.painless.Painless",
    "lang-expression": "org.opensearch.script.expression.Expression",
    "lang-mustache": "org.opensearch.script.mustache.Mustache",
    "reindex": "org.opensearch.index.reindex.Reindex",
    "mapper-extras": "org.opensearch.index.mapper.MapperExtras",
    "parent-join": "org.opensearch.join.ParentJoin",
    "rank-eval": "org.opensearch.index.rankeval.RankEval",
    "aggs-matrix-stats": "org.opensearch.search.aggregations.matrix.MatrixAggregation",
    "ingest-common": "org.opensearch.ingest.common.IngestCommon",
}
"""Each module's plugin class without its suffix."""

_WHOLE_CLASSES: Final = {"geo": "org.opensearch.geo.GeoModulePlugin"}
"""Of modules whose class is named alike in every release."""

_EXTENDED: Final = {"analysis-common": "lang-painless", "ingest-common": "lang-painless"}
"""The module that each of these gives scripts to."""

_DESCRIPTOR: Final = """\
name={name}
description={name}
version={version}
opensearch.version={version}
java.version={java}
classname={plugin}
extended.plugins={extended}
has.native.controller=false
"""


@dataclass(frozen=True, slots=True)
class Layout:
    """The files of a release in the making, in a folder that is there and empty; tools write to `log`."""

    release: Release
    jdk: Path
    folder: Path
    log: Path

    def fill(self, maven: str) -> None:
        """Gathers and makes all files. Raises DistributionFailed with the end of the log."""
        self.log.unlink(missing_ok=True)
        shutil.copyfile(RESOURCES / "pom.xml", self.folder / "pom.xml")
        profile = [f"-P{self.release.profile}"] if self.release.profile else []
        gather = [maven, "-B", "-q", "-f", "pom.xml", "prepare-package", f"-Ddist={self.folder}", *profile]
        self._run(gather, _MAVEN_SECONDS)
        shutil.rmtree(self.folder / ".markers", ignore_errors=True)
        self._describe_modules()
        if self.release.lacks_grpc:
            self._add_grpc_stubs()
        self._compile([RESOURCES / "LocalNode.java"], self.folder / "launcher")

    def _describe_modules(self) -> None:
        """Writes the plugin descriptors, which the published jars of modules do not carry."""
        suffix = self.release.class_suffix
        classes = {name: f"{base}{suffix}" for name, base in _MODULES.items()} | _WHOLE_CLASSES
        for name, plugin in classes.items():
            descriptor = _DESCRIPTOR.format(
                name=name,
                version=self.release.version,
                java=self.release.java,
                plugin=plugin,
                extended=_EXTENDED.get(name, ""),
            )
            path = self.folder / "modules" / name / "plugin-descriptor.properties"
            path.write_text(descriptor, encoding="utf-8")

    def _add_grpc_stubs(self) -> None:
        """This k-NN release extends the gRPC module, which is not published as a jar: drops that from the
        descriptor, and gives the plugin empty types to link its gRPC converter against."""
        plugin = self.folder / "plugins" / "opensearch-knn"
        descriptor = plugin / "plugin-descriptor.properties"
        text = descriptor.read_text(encoding="utf-8")
        text = re.sub(r"^extended\.plugins=.*$", "extended.plugins=lang-painless", text, flags=re.MULTILINE)
        descriptor.write_text(text, encoding="utf-8")
        classes = self.folder / "stubs"
        self._compile(sorted((RESOURCES / "stubs").rglob("*.java")), classes)
        jar = [str(self.jdk / "bin" / "jar"), "--create", "--file", str(plugin / "grpc-stubs.jar")]
        self._run([*jar, "-C", str(classes), "."], _JAVA_SECONDS)
        shutil.rmtree(classes)

    def _compile(self, sources: Sequence[Path], classes: Path) -> None:
        classes.mkdir()
        command = [str(self.jdk / "bin" / "javac"), "--release", str(self.release.java), "-proc:none"]
        command += ["-nowarn", "-cp", str(self.folder / "lib" / "*"), "-d", str(classes), *map(str, sources)]
        self._run(command, _JAVA_SECONDS)

    def _run(self, command: list[str], seconds: float) -> None:
        tool = Path(command[0]).name
        with self.log.open("ab") as output:
            try:
                ended = subprocess.run(  # noqa: S603 - a tool of the machine, found by name, on our own files
                    command,
                    cwd=self.folder,
                    env={**os.environ, "JAVA_HOME": str(self.jdk)},
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=output,
                    timeout=seconds,
                    check=False,
                )
            except subprocess.TimeoutExpired:
                raise DistributionFailed(
                    f"{tool} did not end within {seconds:.0f} s; see {self.log}."
                ) from None
        if ended.returncode:
            raise DistributionFailed(
                f"{tool} could not gather OpenSearch {self.release.version}. Its log, {self.log}, ends with\n"
                f"{tail(self.log, _LAST_LINES)}"
            )


def tail(log: Path, lines: int) -> str:
    """The last lines that a log says, indented; a sentence where it says nothing."""
    try:
        text = log.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        text = ""
    said = [line.rstrip() for line in text.splitlines() if line.strip()]
    return "\n".join(f"  {line}" for line in said[-lines:]) or "  (nothing)"
