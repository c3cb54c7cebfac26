"""Values that cross borders: frozen, standard library only."""
