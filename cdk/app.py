"""The CDK app: `cdk synth -c stage=…`, or without the CDK's command line `python cdk/app.py STAGE`."""

from cognis_cdk.cli import main

main()
