"""The storage, version by version; see ``muniment.tables.migrate``."""
