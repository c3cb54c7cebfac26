"""An optional language model rephrases cited prose, sentence by sentence; the checks decide what is heard."""
