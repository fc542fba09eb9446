# The body of a test registered by wl_add_skipped_test.
message("SKIP: ${REASON}")
