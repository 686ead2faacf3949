"""What every server of Text Embeddings Inference must do. `conftest.py` names those that are held to it."""
