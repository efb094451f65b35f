# SPDX-License-Identifier: MIT
lanescope_test(fuzz_words SOURCES words_fuzz.cpp SEES selection guide)
