"""What every ledger must do. `conftest.py` names the engines that are held to it."""
