"""One module per version of the storage."""
