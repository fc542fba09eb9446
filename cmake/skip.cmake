# The body of a test registered by wl_add_skipped_test.
cmake_minimum_required(VERSION 3.25)
message("SKIP: ${REASON}")
