#pragma once

#include <cstdint>
#include <vector>

#include "firmware/kernels/spmv/sparse_matrix.h"

namespace weir::firmware {

/// How rows of a matrix, and elements of a vector, are dealt out to the nodes.
enum class RowDistribution : std::uint8_t {
    kCyclic,    ///< in turn (LoPC Section 3.1.1)
    kBlocked,   ///< as many in a row to each
    kNonzeros,  ///< in a row, so that each has about as many non-zeros
    kRandom,    ///< as many to each, at random
};

/// Which node has which of `count` elements, and where among its own, which ascend.
class ElementPlaces {
  public:
    ElementPlaces() = default;
    /// `owners` by element; of a machine of `nodes`.
    ElementPlaces(std::vector<std::int32_t> owners, std::int32_t nodes);

    [[nodiscard]] std::int32_t owner(std::size_t element) const { return owners_[element]; }
    [[nodiscard]] std::int64_t index(std::size_t element) const { return indices_[element]; }
    /// The node's own, in their order there.
    [[nodiscard]] const std::vector<std::int32_t>& elements_of(std::int32_t node) const {
        return elements_[node];
    }

  private:
    std::vector<std::int32_t> owners_;
    std::vector<std::int64_t> indices_;
    std::vector<std::vector<std::int32_t>> elements_;  // by node
};

/// The rows of `matrix`, and with them the elements of y.
[[nodiscard]] ElementPlaces place_rows(RowDistribution distribution, const SparseMatrix& matrix,
                                       std::int32_t nodes, std::uint64_t seed);

/// The elements of x: with the rows of the same number where the matrix is square, otherwise dealt
/// out by themselves, in a row where rows are so by their non-zeros.
[[nodiscard]] ElementPlaces place_columns(RowDistribution distribution, const SparseMatrix& matrix,
                                          const ElementPlaces& rows, std::int32_t nodes,
                                          std::uint64_t seed);

}  // namespace weir::firmware
