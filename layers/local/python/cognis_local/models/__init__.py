"""Small models from packages, and the one process that serves them over HTTP.

The process speaks the format of Text Embeddings Inference, so that the same client reaches it and a deployed
endpoint. Only that process imports the models' libraries: start it with `process.ensure_model_process`.
"""
