"""The knowledge base over HTTP: translation, not decision."""
