"""Where AWS keeps the images of Text Embeddings Inference: the account differs by region.

From the SageMaker Python SDK, `image_uri_config/huggingface-tei.json`.
"""

from __future__ import annotations

from typing import Final

_ACCOUNTS: Final = {
    "af-south-1": "510948584623",
    "ap-east-1": "651117190479",
    "ap-northeast-1": "354813040037",
    "ap-northeast-2": "366743142698",
    "ap-northeast-3": "867004704886",
    "ap-south-1": "720646828776",
    "ap-south-2": "628508329040",
    "ap-southeast-1": "121021644041",
    "ap-southeast-2": "783357654285",
    "ap-southeast-3": "951798379941",
    "ap-southeast-4": "106583098589",
    "ca-central-1": "341280168497",
    "ca-west-1": "190319476487",
    "eu-central-1": "492215442770",
    "eu-central-2": "680994064768",
    "eu-north-1": "662702820516",
    "eu-south-1": "978288397137",
    "eu-south-2": "104374241257",
    "eu-west-1": "141502667606",
    "eu-west-2": "764974769150",
    "eu-west-3": "659782779980",
    "il-central-1": "898809789911",
    "me-central-1": "272398656194",
    "me-south-1": "801668240914",
    "sa-east-1": "737474898029",
    "us-east-1": "683313688378",
    "us-east-2": "257758044811",
    "us-west-1": "746614075791",
    "us-west-2": "246618743249",
}


def registry_account(region: str) -> str:
    """Raises ValueError for a region without the images."""
    if region not in _ACCOUNTS:
        raise ValueError(f"AWS offers no images of Text Embeddings Inference in {region}")
    return _ACCOUNTS[region]


def image_uri(region: str, image: str) -> str:
    """The address of `image`, a repository with a tag."""
    return f"{registry_account(region)}.dkr.ecr.{region}.amazonaws.com/{image}"
