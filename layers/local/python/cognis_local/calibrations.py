"""What scores mean with the local models; fitted by bench/calibration.py."""

from __future__ import annotations

from cognis_memory.domain.calibration import Calibration, Calibrations

LOCAL_CALIBRATIONS = Calibrations(
    spaced=Calibration(bias=-6.22, cosine=3.46, lexical=3.41, rerank=5.81, threshold=0.25),
    spaced_unranked=Calibration(bias=-4.74, cosine=6.43, lexical=4.32, rerank=0.0, threshold=0.25),
    cjk=Calibration(bias=-4.05, cosine=9.95, lexical=3.47, rerank=0.0, threshold=0.25),
    cjk_unranked=Calibration(bias=-4.05, cosine=9.95, lexical=3.47, rerank=0.0, threshold=0.25),
)
