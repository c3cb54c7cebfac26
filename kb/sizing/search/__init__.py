"""Which hardware and layout? Layouts are enumerated as arrays, run through the same recipes as one request, pruned and ranked."""
