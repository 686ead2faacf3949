"""What stands in DynamoDB: the ledger (modules `ledger` and `schema`) and credentials (`credentials`).

Nothing is imported here: whoever checks a credential does not load the ledger and numpy with it.
"""
