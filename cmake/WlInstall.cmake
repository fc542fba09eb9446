# Nothing to install before the driver exists.
