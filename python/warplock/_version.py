"""The version of this package, which is the version of the library that it works with."""

__version__ = "0.2.0"
