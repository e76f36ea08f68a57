// SPDX-License-Identifier: Apache-2.0
// make_corpus: the parts of the program of this name.

#pragma once

#include "common/base/lp_slice.h"

// make_corpus_write writes an input of a target: first, then second.
void make_corpus_write(const char *target, const char *name, lp_slice first, lp_slice second);

// make_corpus_outside writes the inputs of the targets that read what comes over the network, and
// files that are not recordings.
void make_corpus_outside(void);

// make_corpus_tls writes the inputs of fuzz_tls.
void make_corpus_tls(void);
