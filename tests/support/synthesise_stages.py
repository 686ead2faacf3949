"""Synthesises stages in a process of its own: synthesise_stages.py PROJECT OUTPUT STAGE...

Each stage goes to a folder of its name under OUTPUT. PROJECT is the folder of the project, or a copy of it.
Beside its stages there are `local-opensearch`, which searches in a node, `prod-moving`, which comes from user
shards, and `payperuse-chosen`, with other models of AWS. A folder with one module stands in for the layer of
packages, which takes long to build.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

NODE = "http://127.0.0.1:9200"


def main(project: Path, output: Path, *stages: str) -> None:
    sys.path.insert(0, str(project / "cdk"))
    # The project is known only now.
    from cognis_cdk.config import BedrockModels, Guardrail, UserShards, stage_config  # noqa: PLC0415
    from cognis_cdk.synthesis import synthesise  # noqa: PLC0415
    from cognis_memory.domain.calibration import Calibration, Calibrations  # noqa: PLC0415

    dependencies = output / "dependencies"
    Path(dependencies, "python").mkdir(parents=True)
    Path(dependencies, "python", "stand_in.py").write_text("VERSION = 1\n")
    payperuse = stage_config("payperuse")
    assert isinstance(payperuse.models, BedrockModels)
    chosen = replace(
        payperuse.models,
        extraction=replace(payperuse.models.extraction, structured_output="tool"),
        embedding_model_id="nomic-ai/nomic-embed-text-v1.5",
        embedding_endpoint="Nomic",
        rerank_model_id="amazon.rerank-v1:0",
        guardrail=Guardrail("gr1abc", "3"),
    )
    fitted = Calibration(bias=-3.0, cosine=4.0, lexical=1.0, rerank=5.0, threshold=0.2)
    variants = {
        "local-opensearch": stage_config("local", search_node=NODE),
        "prod-moving": replace(stage_config("prod"), also_index=UserShards()),
        "payperuse-chosen": replace(
            payperuse,
            models=chosen,
            prices={chosen.embedding_model_id: (0.01, 0.0)},
            calibrations=Calibrations(fitted, fitted, fitted, fitted),
        ),
    }
    for stage in stages:
        synthesise(variants.get(stage, stage), output / stage, dependencies)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:])
