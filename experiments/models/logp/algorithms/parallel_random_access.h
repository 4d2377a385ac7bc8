#pragma once

#include <cstdint>

/// What a PRAM charges for the paper's algorithms: P processors in step, one memory of which any
/// processor reads or writes any cell in one step, communication free.
///
/// Source: Culler et al. (1993), section 6.1: the PRAM is LogP with L = o = g = 0. The paper prints
/// no step counts; these are the textbook algorithms on P processors. A step is one operation of
/// LogP's cycle: an addition, a butterfly node, an arithmetic operation of an elimination.
///
/// processors: 1 or more; the other counts: 1 or more. Anything else is a ModelError.
namespace weir::experiments::models {

/// Exclusive reads: those that have the datum double in each step, ceil(log2 P).
std::int64_t pram_broadcast_steps(std::int64_t processors);

/// ceil(n/P) - 1 local additions, then ceil(log2 P) more; P at most n.
std::int64_t pram_summation_steps(std::int64_t processors, std::int64_t values);

/// ceil(n/P) log2 n, for n a power of two.
std::int64_t pram_fft_steps(std::int64_t processors, std::int64_t points);

/// Sum over k of 2 ceil((n - k)^2 / P): multiply and subtract, updates spread evenly.
std::int64_t pram_lu_steps(std::int64_t processors, std::int64_t rows);

}  // namespace weir::experiments::models
