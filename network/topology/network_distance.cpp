#include "network/topology/network_distance.h"

#include <bit>
#include <cmath>
#include <stdexcept>
#include <string>

namespace weir::network {
namespace {

constexpr std::int64_t kMostProcessors = std::int64_t{1} << 40;

void check_processors(std::int64_t processors) {
    if (processors < 2 || processors > kMostProcessors) {
        throw std::invalid_argument("processors (P) is " + std::to_string(processors) +
                                    "; accepted is 2 to " + std::to_string(kMostProcessors));
    }
}

bool is_power_of_two(std::int64_t count) {
    return std::has_single_bit(static_cast<std::uint64_t>(count));
}

int logarithm_of_power_of_two(std::int64_t count) {
    return std::countr_zero(static_cast<std::uint64_t>(count));
}

ExactNetworkDistance exact(std::int64_t processors, double mean, std::int64_t largest) {
    const auto count = static_cast<double>(processors);
    return {mean, mean * count / (count - 1.0), largest};
}

/// Returns k with k^dimensions = P, if k is whole.
std::optional<std::int64_t> whole_root(std::int64_t processors, int dimensions) {
    const std::int64_t k =
        std::llround(std::pow(static_cast<double>(processors), 1.0 / dimensions));
    std::int64_t power = 1;
    for (int i = 0; i < dimensions; ++i) {
        power *= k;
    }
    return power == processors ? std::optional(k) : std::nullopt;
}

/// In a ring of k the mean distance is k/4, and (k^2 - 1)/(4k) for odd k.
template <int dimensions>
std::optional<ExactNetworkDistance> torus(std::int64_t processors) {
    const auto k = whole_root(processors, dimensions);
    if (!k) {
        return std::nullopt;
    }
    const auto length = static_cast<double>(*k);
    const double ring = *k % 2 == 0 ? length / 4.0 : (length * length - 1.0) / (4.0 * length);
    return exact(processors, dimensions * ring, *k / 2 * dimensions);
}

/// In a line of k the mean distance is (k^2 - 1)/(3k).
template <int dimensions>
std::optional<ExactNetworkDistance> mesh(std::int64_t processors) {
    const auto k = whole_root(processors, dimensions);
    if (!k) {
        return std::nullopt;
    }
    const auto length = static_cast<double>(*k);
    return exact(processors, dimensions * (length * length - 1.0) / (3.0 * length),
                 dimensions * (*k - 1));
}

std::optional<ExactNetworkDistance> hypercube(std::int64_t processors) {
    if (!is_power_of_two(processors)) {
        return std::nullopt;
    }
    const int dimensions = logarithm_of_power_of_two(processors);
    return exact(processors, dimensions / 2.0, dimensions);
}

std::optional<ExactNetworkDistance> butterfly(std::int64_t processors) {
    if (!is_power_of_two(processors)) {
        return std::nullopt;
    }
    const int depth = logarithm_of_power_of_two(processors);
    return ExactNetworkDistance{static_cast<double>(depth), static_cast<double>(depth), depth};
}

/// With h levels, 3/4 of the leaves are 2h links away, 3/16 of them 2(h - 1), and so on. The mean
/// is 2(h - (1 - 4^-h)/3).
std::optional<ExactNetworkDistance> fat_tree(std::int64_t processors) {
    if (!is_power_of_two(processors) || logarithm_of_power_of_two(processors) % 2 != 0) {
        return std::nullopt;
    }
    const int height = logarithm_of_power_of_two(processors) / 2;
    const double mean = 2.0 * (height - (1.0 - 1.0 / static_cast<double>(processors)) / 3.0);
    return exact(processors, mean, std::int64_t{2} * height);
}

/// A row of the table of Section 5.1.
struct TableRow {
    std::string_view name;
    std::string_view sizes;
    double printed;
    double (*asymptotic)(double processors);
    std::optional<ExactNetworkDistance> (*exact)(std::int64_t processors);
};

/// Rows in the order of NetworkTopology.
constexpr std::array<TableRow, kNetworkTopologies.size()> kRows{{
    {"hypercube", "a power of two", 5.0, [](double count) { return std::log2(count) / 2.0; },
     hypercube},
    {"butterfly", "a power of two", 10.0, [](double count) { return std::log2(count); }, butterfly},
    {"4-ary fat tree", "a power of four", 9.33,
     [](double count) { return 2.0 * std::log2(count) / 2.0 - 2.0 / 3.0; }, fat_tree},
    {"3-D torus", "a cube", 7.5, [](double count) { return 0.75 * std::cbrt(count); }, torus<3>},
    {"3-D mesh", "a cube", 10.0, [](double count) { return std::cbrt(count); }, mesh<3>},
    {"2-D torus", "a square", 16.0, [](double count) { return std::sqrt(count) / 2.0; }, torus<2>},
    {"2-D mesh", "a square", 21.0, [](double count) { return 2.0 * std::sqrt(count) / 3.0; },
     mesh<2>},
}};

const TableRow& row_of(NetworkTopology network) {
    return kRows.at(static_cast<std::size_t>(network));
}

}  // namespace

std::string_view network_name(NetworkTopology network) { return row_of(network).name; }

std::string_view network_sizes(NetworkTopology network) { return row_of(network).sizes; }

double printed_network_distance(NetworkTopology network) { return row_of(network).printed; }

double asymptotic_network_distance(NetworkTopology network, std::int64_t processors) {
    check_processors(processors);
    return row_of(network).asymptotic(static_cast<double>(processors));
}

std::optional<ExactNetworkDistance> exact_network_distance(NetworkTopology network,
                                                           std::int64_t processors) {
    check_processors(processors);
    return row_of(network).exact(processors);
}

}  // namespace weir::network
