#pragma once

#include <cstdint>
#include <string>

namespace weir::firmware {

/// Reads a FASTA file with one DNA sequence. A header line begins with '>'; lines of A, C, G, T and
/// N (unknown base) in either case follow. Letters become capitals. Empty lines are skipped. Throws
/// InputFault with file and line.
std::string read_fasta(const std::string& path);

/// A sequence of `letters` bases A, C, G, T with equal probabilities, drawn from the seed and
/// `name`.
std::string random_sequence(std::int64_t letters, std::uint64_t seed, const std::string& name);

}  // namespace weir::firmware
