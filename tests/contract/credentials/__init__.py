"""What every store of tenants and keys must do. `conftest.py` names the engines that are held to it."""
