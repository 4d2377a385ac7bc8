#include "network/topology/network_distance.h"

#include <bit>
#include <cassert>
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

/// k with k^dimensions = P.
std::optional<std::int64_t> whole_root(std::int64_t processors, int dimensions) {
    const std::int64_t k =
        std::llround(std::pow(static_cast<double>(processors), 1.0 / dimensions));
    std::int64_t power = 1;
    for (int i = 0; i < dimensions; ++i) {
        power *= k;
    }
    return power == processors ? std::optional(k) : std::nullopt;
}

/// A ring of k: k/4, for odd k (k^2 - 1)/(4k).
std::optional<ExactNetworkDistance> torus(std::int64_t processors, int dimensions) {
    const auto k = whole_root(processors, dimensions);
    if (!k) {
        return std::nullopt;
    }
    const auto length = static_cast<double>(*k);
    const double ring = *k % 2 == 0 ? length / 4.0 : (length * length - 1.0) / (4.0 * length);
    return exact(processors, dimensions * ring, *k / 2 * dimensions);
}

/// A line of k: (k^2 - 1)/(3k).
std::optional<ExactNetworkDistance> mesh(std::int64_t processors, int dimensions) {
    const auto k = whole_root(processors, dimensions);
    if (!k) {
        return std::nullopt;
    }
    const auto length = static_cast<double>(*k);
    return exact(processors, dimensions * (length * length - 1.0) / (3.0 * length),
                 dimensions * (*k - 1));
}

/// With h levels, 3/4 of the leaves are 2h links away, 3/16 of them 2(h - 1), and so on: on average
/// 2(h - (1 - 4^-h)/3).
std::optional<ExactNetworkDistance> fat_tree(std::int64_t processors) {
    if (!is_power_of_two(processors) || logarithm_of_power_of_two(processors) % 2 != 0) {
        return std::nullopt;
    }
    const int height = logarithm_of_power_of_two(processors) / 2;
    const double mean = 2.0 * (height - (1.0 - 1.0 / static_cast<double>(processors)) / 3.0);
    return exact(processors, mean, std::int64_t{2} * height);
}

}  // namespace

std::string_view network_name(NetworkTopology network) {
    switch (network) {
        case NetworkTopology::kHypercube:
            return "hypercube";
        case NetworkTopology::kButterfly:
            return "butterfly";
        case NetworkTopology::kFatTree:
            return "4-ary fat tree";
        case NetworkTopology::kTorus3d:
            return "3-D torus";
        case NetworkTopology::kMesh3d:
            return "3-D mesh";
        case NetworkTopology::kTorus2d:
            return "2-D torus";
        case NetworkTopology::kMesh2d:
            return "2-D mesh";
    }
    assert(false && "a network without a name");
    return "";
}

std::string_view network_sizes(NetworkTopology network) {
    switch (network) {
        case NetworkTopology::kHypercube:
        case NetworkTopology::kButterfly:
            return "a power of two";
        case NetworkTopology::kFatTree:
            return "a power of four";
        case NetworkTopology::kTorus3d:
        case NetworkTopology::kMesh3d:
            return "a cube";
        case NetworkTopology::kTorus2d:
        case NetworkTopology::kMesh2d:
            return "a square";
    }
    assert(false && "a network without sizes");
    return "";
}

double asymptotic_network_distance(NetworkTopology network, std::int64_t processors) {
    check_processors(processors);
    const auto count = static_cast<double>(processors);
    switch (network) {  // Section 5.1, the table's rows
        case NetworkTopology::kHypercube:
            return std::log2(count) / 2.0;
        case NetworkTopology::kButterfly:
            return std::log2(count);
        case NetworkTopology::kFatTree:
            return 2.0 * std::log2(count) / 2.0 - 2.0 / 3.0;
        case NetworkTopology::kTorus3d:
            return 0.75 * std::cbrt(count);
        case NetworkTopology::kMesh3d:
            return std::cbrt(count);
        case NetworkTopology::kTorus2d:
            return std::sqrt(count) / 2.0;
        case NetworkTopology::kMesh2d:
            return 2.0 * std::sqrt(count) / 3.0;
    }
    assert(false && "a network without a formula");
    return 0.0;
}

std::optional<ExactNetworkDistance> exact_network_distance(NetworkTopology network,
                                                           std::int64_t processors) {
    check_processors(processors);
    switch (network) {
        case NetworkTopology::kHypercube:
            if (!is_power_of_two(processors)) {
                return std::nullopt;
            }
            return exact(processors, logarithm_of_power_of_two(processors) / 2.0,
                         logarithm_of_power_of_two(processors));
        case NetworkTopology::kButterfly: {
            if (!is_power_of_two(processors)) {
                return std::nullopt;
            }
            const int depth = logarithm_of_power_of_two(processors);
            return ExactNetworkDistance{static_cast<double>(depth), static_cast<double>(depth),
                                        depth};
        }
        case NetworkTopology::kFatTree:
            return fat_tree(processors);
        case NetworkTopology::kTorus3d:
            return torus(processors, 3);
        case NetworkTopology::kMesh3d:
            return mesh(processors, 3);
        case NetworkTopology::kTorus2d:
            return torus(processors, 2);
        case NetworkTopology::kMesh2d:
            return mesh(processors, 2);
    }
    assert(false && "a network without a distance");
    return std::nullopt;
}

}  // namespace weir::network
