"""Keys, roles and the documents that say who may do what."""
