"""What scores mean with the local models; fitted by `bench/calibration.py --locomo PATH`."""

from __future__ import annotations

from cognis_memory.domain.calibration import Calibration, Calibrations

LOCAL_CALIBRATIONS = Calibrations(
    spaced=Calibration(bias=-2.86, cosine=0.00, lexical=0.39, rerank=4.65, threshold=0.14),
    spaced_unranked=Calibration(bias=-3.05, cosine=4.17, lexical=2.79, rerank=0.00, threshold=0.18),
    cjk=Calibration(bias=-3.49, cosine=3.82, lexical=3.08, rerank=1.77, threshold=0.20),
    cjk_unranked=Calibration(bias=-3.75, cosine=7.44, lexical=2.96, rerank=0.00, threshold=0.21),
)
