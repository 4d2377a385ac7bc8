#pragma once

#include <cstdint>
#include <string>

namespace weir::firmware {

/// Reads a FASTA file with one DNA sequence: a header line that begins with '>', then lines of A,
/// C, G, T and N (a base that is not known) in either case, which become capitals. Empty lines are
/// skipped. Throws InputFault with file and line.
std::string read_fasta(const std::string& path);

/// A sequence of `letters` bases A, C, G, T, each as likely as the others; it depends on the seed
/// and on its name.
std::string random_sequence(std::int64_t letters, std::uint64_t seed, const std::string& name);

}  // namespace weir::firmware
