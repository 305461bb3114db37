"""HTTP and pages over ``tables``."""
