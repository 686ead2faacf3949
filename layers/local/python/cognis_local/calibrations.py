"""What scores mean with the local models; fitted by `bench/calibration.py --locomo PATH`."""

from __future__ import annotations

from cognis_memory.domain.calibration import Calibration, Calibrations

LOCAL_CALIBRATIONS = Calibrations(
    spaced=Calibration(bias=-2.86, cosine=0.00, lexical=0.39, rerank=4.65, threshold=0.14),
    spaced_unranked=Calibration(bias=-3.05, cosine=4.17, lexical=2.79, rerank=0.00, threshold=0.18),
    cjk=Calibration(bias=-3.92, cosine=2.10, lexical=0.00, rerank=5.78, threshold=0.31),
    cjk_unranked=Calibration(bias=-4.77, cosine=13.10, lexical=1.25, rerank=0.00, threshold=0.28),
)
