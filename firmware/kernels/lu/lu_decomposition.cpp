#include "firmware/kernels/lu/lu_decomposition.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "hw/random_stream.h"
#include "hw/text_streams.h"

namespace weir::firmware {

bool LuDecomposition::is_before(const Pivot& other, const Pivot& one) {
    const double size = std::abs(one.element);
    const double others = std::abs(other.element);
    return others > size || (others == size && other.row < one.row);
}

void LuDecomposition::prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                              nodes::MemoryAccess& memory) {
    node_count_ = machine.node_count();
    layout_ = LuLayout(common().layout.value(), rows(), node_count_);
    if (rows() % layout_.divisor() != 0) {
        throw InputFault("workload.rows",
                         std::to_string(rows()) + " don't divide among " +
                             (layout_.grid_rows() > 1 ? std::to_string(layout_.grid_rows()) + " x "
                                                      : std::string()) +
                             std::to_string(layout_.grid_columns()) + " nodes",
                         "a multiple of " + std::to_string(layout_.divisor()));
    }
    place(machine, memory);
    hw::RandomStream stream(seed, hw::NodeId(0), "lu matrix");
    start_.resize(rows() * rows());
    for (double& value : start_) {
        value = 2.0 * stream.unit() - 1.0;
    }
    for (std::int64_t i = 0; i < rows(); ++i) {
        for (std::int64_t j = 0; j < rows(); ++j) {
            memory.write<double>(hw::NodeId(layout_.owner(i, j)), element(i, j),
                                 {&start_[i * rows() + j], 1});
        }
    }
}

LuDecomposition::Matrix LuDecomposition::result(nodes::MemoryAccess& memory) const {
    Matrix found(start_.size());
    for (std::int64_t i = 0; i < rows(); ++i) {
        for (std::int64_t j = 0; j < rows(); ++j) {
            memory.read<double>(hw::NodeId(layout_.owner(i, j)), element(i, j),
                                {&found[i * rows() + j], 1});
        }
    }
    return found;
}

// Which row of the matrix has come to be row i, by the pivots node 0 knows.
std::optional<std::string> LuDecomposition::permute(std::vector<std::size_t>& permutation,
                                                    nodes::MemoryAccess& memory) const {
    std::iota(permutation.begin(), permutation.end(), std::size_t{0});
    for (std::int64_t k = 0; k < steps(); ++k) {
        std::uint32_t row = 0;
        memory.read<std::uint32_t>(hw::NodeId(0), pivot_row_address(k), {&row, 1});
        if (row < static_cast<std::uint32_t>(k) || row >= permutation.size()) {
            return "the pivot of step " + std::to_string(k) + " is in row " + std::to_string(row) +
                   ", of rows " + std::to_string(k) + " to " +
                   std::to_string(permutation.size() - 1);
        }
        std::swap(permutation[k], permutation[row]);
    }
    return std::nullopt;
}

std::optional<std::string> LuDecomposition::check(nodes::MemoryAccess& memory) {
    const std::size_t n = rows();
    const Matrix found = result(memory);
    std::vector<std::size_t> permutation(n);
    if (auto fault = permute(permutation, memory)) {
        return fault;
    }
    // Rounding of sums of up to n products, of elements that grow little with partial pivoting.
    const double tolerance = 32.0 * static_cast<double>(n) * std::numeric_limits<double>::epsilon();
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            double product = i <= j ? found[i * n + j] : 0.0;
            for (std::size_t k = 0; k < std::min(i, j + 1); ++k) {
                product += found[i * n + k] * found[k * n + j];
            }
            const double right = start_[permutation[i] * n + j];
            const bool is_beyond = i > j && !(std::abs(found[i * n + j]) <= 1.0);
            if (!is_beyond && std::abs(product - right) <= tolerance) {
                continue;
            }
            hw::TextWriter text;
            text.precision(17);
            if (is_beyond) {
                text << "element (" << i << ", " << j << ") of L is " << found[i * n + j]
                     << ", with partial pivoting none is beyond 1";
            } else {
                text << "element (" << i << ", " << j << ") of L U is " << product
                     << ", the matrix with its rows permuted has " << right;
            }
            return text.str();
        }
    }
    return std::nullopt;
}

}  // namespace weir::firmware
