"""The study of gene selection: cells with labels, flavours of scanpy, and the page."""
