#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace weir::firmware {

/// Sparse matrix in row order: row i has the elements row_begin[i] ... row_begin[i+1]-1; their
/// columns, from 0, ascend.
struct SparseMatrix {
    std::int32_t rows = 0;
    std::int32_t columns = 0;
    std::vector<std::int64_t> row_begin;
    std::vector<std::int32_t> column;
    std::vector<double> value;

    [[nodiscard]] std::int64_t nonzeros() const { return static_cast<std::int64_t>(value.size()); }
};

/// Reads a Matrix Market file: "coordinate" or "array"; real or integer, or as coordinates pattern
/// (all values are 1); general, symmetric or skew-symmetric. Exponents are written with e, or d as
/// in Fortran. Coordinates for the same position are added. Zeros of an array are left out. Throws
/// InputFault with file and line.
SparseMatrix read_matrix_market(const std::string& path);

/// Positions of a random matrix's non-zeros.
enum class MatrixPattern : std::uint8_t {
    kUniform,   ///< anywhere
    kBand,      ///< at most `half_band` columns from the diagonal
    kTriangle,  ///< on and below the diagonal
};

/// Number of positions of the pattern in a square matrix.
[[nodiscard]] std::int64_t places_in(MatrixPattern pattern, std::int64_t rows,
                                     std::int64_t half_band);

/// Matrix with `nonzeros` non-zeros, at positions chosen uniformly among all of the pattern; values
/// are uniform over (-1, 1). Patterns other than kUniform need a square matrix.
SparseMatrix random_matrix(std::int32_t rows, std::int32_t columns, std::int64_t nonzeros,
                           std::uint64_t seed, MatrixPattern pattern = MatrixPattern::kUniform,
                           std::int64_t half_band = 0);

}  // namespace weir::firmware
