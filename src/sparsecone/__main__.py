"""`python -m sparsecone` shows the demonstration."""

from .demo import demo

print(demo())
