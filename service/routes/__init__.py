"""One file per subject: translate in, call one method of the knowledge base, translate out."""
