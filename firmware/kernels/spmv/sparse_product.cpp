#include "firmware/kernels/spmv/sparse_product.h"

#include <algorithm>
#include <limits>
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

// The owner of a row is the node whose share of the non-zeros contains the row's middle one.
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

std::optional<hw::ParameterGroup::Fault> SparseProduct::Parameters::check() const {
    const std::int64_t places = places_in(pattern.value(), rows.value(), half_band.value());
    if (matrix.value().empty() && nonzeros.value() > places) {
        const bool is_uniform = pattern.value() == MatrixPattern::kUniform;
        return Fault{"nonzeros",
                     is_uniform ? "exceeds the elements of the matrix"
                                : "exceeds the positions of the pattern",
                     "at most " + (is_uniform ? "rows x rows" : std::to_string(places))};
    }
    return std::nullopt;
}

SparseMatrix SparseProduct::make_matrix(std::uint64_t seed) const {
    const std::string path = common().matrix.value();
    const auto size = static_cast<std::int32_t>(common().rows.value());
    return path.empty() ? random_matrix(size, size, common().nonzeros.value(), seed,
                                        common().pattern.value(), common().half_band.value())
                        : read_matrix_market(path);
}

NodeLoads SparseProduct::loads_of_requests(std::int32_t nodes, std::uint64_t seed) const {
    const SparseMatrix matrix = make_matrix(seed);
    const RowDistribution distribution = common().distribution.value();
    const ElementPlaces rows = place_rows(distribution, matrix, nodes, seed);
    const ElementPlaces columns = place_columns(distribution, matrix, rows, nodes, seed);
    std::vector<NodeLoad> loads(nodes);
    for (std::int32_t row = 0; row < matrix.rows; ++row) {
        NodeLoad& own = loads[rows.owner(row)];
        for (std::int64_t i = matrix.row_begin[row]; i < matrix.row_begin[row + 1]; ++i) {
            own.operations += 1.0;
            NodeLoad& other = loads[columns.owner(matrix.column[i])];
            if (&own != &other) {  // each sends a message, and receives one
                own.messages += 2.0;
                other.messages += 2.0;
            }
        }
    }
    return node_loads_of(loads);
}

void SparseProduct::prepare(const nodes::MachineShape& machine, std::uint64_t seed,
                            nodes::MemoryAccess& memory) {
    node_count_ = machine.node_count();
    matrix_ = make_matrix(seed);
    const RowDistribution distribution = common().distribution.value();
    row_places_ = place_rows(distribution, matrix_, node_count_, seed);
    column_places_ = place_columns(distribution, matrix_, row_places_, node_count_, seed);
    hw::RandomStream elements(seed, hw::NodeId(0), "vector x");
    x_.resize(matrix_.columns);
    std::generate(x_.begin(), x_.end(), [&] { return 2.0 * elements.unit() - 1.0; });

    product_.assign(matrix_.rows, 0.0);
    for (std::size_t row = 0; row < product_.size(); ++row) {
        for (std::int64_t i = matrix_.row_begin[row]; i < matrix_.row_begin[row + 1]; ++i) {
            product_[row] += matrix_.value[i] * x_[matrix_.column[i]];
        }
    }
    place(machine, memory);
}

SparseProduct::Part SparseProduct::part_of(std::int32_t node) const {
    Part part;
    for (const std::int32_t row : row_places_.elements_of(node)) {
        for (std::int64_t i = matrix_.row_begin[row]; i < matrix_.row_begin[row + 1]; ++i) {
            part.columns.push_back(matrix_.column[i]);
            part.values.push_back(matrix_.value[i]);
        }
        part.row_end.push_back(static_cast<std::uint32_t>(part.values.size()));
    }
    for (const std::int32_t element : column_places_.elements_of(node)) {
        part.x.push_back(x_[element]);
    }
    return part;
}

std::vector<double> SparseProduct::unset(std::int32_t node) const {
    std::vector<double> elements;
    elements.assign(rows_of(node), std::numeric_limits<double>::quiet_NaN());
    return elements;
}

std::vector<SizeParameter> SparseProduct::size_parameters() {
    const Parameters& own = common();
    if (!own.matrix.value().empty()) {
        return {};
    }
    return {{.name = own.rows.name()}, {.name = own.nonzeros.name()}};
}

std::optional<std::string> SparseProduct::check(nodes::MemoryAccess& memory) {
    for (std::int32_t node = 0; node < node_count_; ++node) {
        if (auto wrong = fault_of(node, y_of(node, memory))) {
            return wrong;
        }
    }
    return std::nullopt;
}

// The plain product adds in the same order, so results are equal bit by bit.
std::optional<std::string> SparseProduct::fault_of(std::int32_t node,
                                                   const std::vector<double>& y) const {
    const std::vector<std::int32_t>& rows = row_places_.elements_of(node);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const double product = product_[rows[i]];
        if (!(y[i] == product)) {
            return "y[" + std::to_string(rows[i]) + "] is " + std::to_string(y[i]) +
                   ", the plain product gives " + std::to_string(product);
        }
    }
    return std::nullopt;
}

SparseProduct::Facts SparseProduct::facts() const {
    Facts facts{.rows = static_cast<double>(matrix_.rows),
                .nonzeros = static_cast<double>(matrix_.nonzeros())};
    for (std::int32_t node = 0; node < node_count_; ++node) {
        const Part part = part_of(node);
        const auto remote =
            std::count_if(part.columns.begin(), part.columns.end(),
                          [&](std::size_t column) { return column_places_.owner(column) != node; });
        facts.remote_nonzeros += static_cast<double>(remote);
        facts.most_nonzeros =
            std::max(facts.most_nonzeros, static_cast<double>(part.values.size()));
    }
    return facts;
}

}  // namespace weir::firmware
