#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace weir::firmware {

/// A sparse matrix by rows: row i has the elements row_begin[i] ... row_begin[i+1]-1, with columns
/// (from 0) ascending.
struct SparseMatrix {
    std::int32_t rows = 0;
    std::int32_t columns = 0;
    std::vector<std::int64_t> row_begin;
    std::vector<std::int32_t> column;
    std::vector<double> value;

    [[nodiscard]] std::int64_t nonzeros() const { return static_cast<std::int64_t>(value.size()); }
};

/// Reads a Matrix Market file: "coordinate", real, integer or pattern (every value 1), general or
/// symmetric; exponents are written e or, by Fortran, d. Entries for the same place are added.
/// Throws InputFault with file and line.
SparseMatrix read_matrix_market(const std::string& path);

/// Where a random matrix has its non-zeros.
enum class MatrixPattern : std::uint8_t {
    kUniform,   ///< anywhere
    kBand,      ///< at most `half_band` beside the diagonal
    kTriangle,  ///< on and below the diagonal
};

/// How many places a square matrix has for them.
[[nodiscard]] std::int64_t places_in(MatrixPattern pattern, std::int64_t rows,
                                     std::int64_t half_band);

/// A matrix of `nonzeros` different places chosen uniformly among all of the pattern, values
/// uniform over (-1, 1). Of another pattern than kUniform, a square one.
SparseMatrix random_matrix(std::int32_t rows, std::int32_t columns, std::int64_t nonzeros,
                           std::uint64_t seed, MatrixPattern pattern = MatrixPattern::kUniform,
                           std::int64_t half_band = 0);

}  // namespace weir::firmware
