#include "firmware/kernels/spmv/row_distribution.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "hw/random_stream.h"

namespace weir::firmware {

namespace {

std::vector<std::int32_t> in_turn(std::size_t count, std::int32_t nodes) {
    std::vector<std::int32_t> owners(count);
    for (std::size_t i = 0; i < count; ++i) {
        owners[i] = static_cast<std::int32_t>(i % nodes);
    }
    return owners;
}

std::vector<std::int32_t> in_blocks(std::size_t count, std::int32_t nodes) {
    std::vector<std::int32_t> owners(count);
    for (std::size_t i = 0; i < count; ++i) {
        owners[i] = static_cast<std::int32_t>(i * nodes / count);
    }
    return owners;
}

// A row is with the node in whose share of the non-zeros its middle one lies.
std::vector<std::int32_t> by_nonzeros(const SparseMatrix& matrix, std::int32_t nodes) {
    std::vector<std::int32_t> owners(matrix.rows);
    for (std::size_t row = 0; row < owners.size(); ++row) {
        const std::int64_t twice_middle = matrix.row_begin[row] + matrix.row_begin[row + 1];
        const std::int64_t owner = twice_middle * nodes / (2 * matrix.nonzeros());
        owners[row] = static_cast<std::int32_t>(std::min<std::int64_t>(owner, nodes - 1));
    }
    return owners;
}

std::vector<std::int32_t> at_random(std::size_t count, std::int32_t nodes, std::uint64_t seed,
                                    const char* purpose) {
    std::vector<std::int32_t> owners = in_turn(count, nodes);
    hw::RandomStream mix(seed, hw::NodeId(0), purpose);
    for (std::size_t left = count; left > 1; --left) {
        std::swap(owners[left - 1], owners[mix.below(left)]);
    }
    return owners;
}

}  // namespace

ElementPlaces::ElementPlaces(std::vector<std::int32_t> owners, std::int32_t nodes)
    : owners_(std::move(owners)), elements_(nodes) {
    indices_.reserve(owners_.size());
    for (std::size_t i = 0; i < owners_.size(); ++i) {
        auto& own = elements_[owners_[i]];
        indices_.push_back(static_cast<std::int64_t>(own.size()));
        own.push_back(static_cast<std::int32_t>(i));
    }
}

ElementPlaces place_rows(RowDistribution distribution, const SparseMatrix& matrix,
                         std::int32_t nodes, std::uint64_t seed) {
    const std::size_t rows = matrix.rows;
    switch (distribution) {
        case RowDistribution::kCyclic:
            return {in_turn(rows, nodes), nodes};
        case RowDistribution::kBlocked:
            return {in_blocks(rows, nodes), nodes};
        case RowDistribution::kNonzeros:
            return {by_nonzeros(matrix, nodes), nodes};
        case RowDistribution::kRandom:
            return {at_random(rows, nodes, seed, "spmv rows"), nodes};
    }
    return {};
}

ElementPlaces place_columns(RowDistribution distribution, const SparseMatrix& matrix,
                            const ElementPlaces& rows, std::int32_t nodes, std::uint64_t seed) {
    const std::size_t columns = matrix.columns;
    if (matrix.rows == matrix.columns) {
        return rows;
    }
    switch (distribution) {
        case RowDistribution::kCyclic:
            return {in_turn(columns, nodes), nodes};
        case RowDistribution::kBlocked:
        case RowDistribution::kNonzeros:
            return {in_blocks(columns, nodes), nodes};
        case RowDistribution::kRandom:
            return {at_random(columns, nodes, seed, "spmv columns"), nodes};
    }
    return {};
}

}  // namespace weir::firmware
