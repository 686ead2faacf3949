"""Models of Amazon Bedrock: extraction on Converse, embeddings of Titan, Bedrock's Rerank.

Import the module that is needed: one that searches has no use for extraction.
"""
