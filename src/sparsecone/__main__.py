"""`python -m sparsecone` is the command `sparsecone`."""

from .cli import main

main()
