#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

/// Mean number of links that a message crosses in the networks of LogP's table. Functions
/// return the asymptotic formula, and the exact mean if P nodes make such a network.
///
/// Source: Culler et al. (1993), section 5.1. The table's formula for the 4-ary fat tree reads 4
/// log4 P - 2/3 in print, which is 19.33 for P = 1024. Its printed value 9.33 is that of 2 log4 P -
/// 2/3, the mean over the tree's leaves, which is computed here.
///
/// Exact means are over all ordered pairs of processors, a processor with itself included, as in
/// the formulas. Means over pairs of different processors are P/(P - 1) times larger. A butterfly
/// is log2 P switches deep for all pairs.
namespace weir::network {

enum class NetworkTopology {
    kHypercube,
    kButterfly,
    kFatTree,  ///< 4-ary, processors at its leaves
    kTorus3d,
    kMesh3d,
    kTorus2d,
    kMesh2d,
};

inline constexpr std::array kNetworkTopologies = {
    NetworkTopology::kHypercube, NetworkTopology::kButterfly, NetworkTopology::kFatTree,
    NetworkTopology::kTorus3d,   NetworkTopology::kMesh3d,    NetworkTopology::kTorus2d,
    NetworkTopology::kMesh2d};

/// Name of a network, for example "hypercube" or "3-D torus".
std::string_view network_name(NetworkTopology network);

/// Values of P with exact results, for example "a power of two".
std::string_view network_sizes(NetworkTopology network);

struct ExactNetworkDistance {
    double mean;            ///< mean distance over all pairs, a processor with itself included
    double mean_to_others;  ///< mean distance over pairs of different processors
    std::int64_t largest;   ///< length of the longest shortest route
};

/// The table's printed value for kPrintedProcessors.
inline constexpr std::int64_t kPrintedProcessors = 1024;
double printed_network_distance(NetworkTopology network);

/// The table's formula for real P: fractions of a dimension are not rounded. Throws
/// std::invalid_argument unless P is 2 to 2^40.
double asymptotic_network_distance(NetworkTopology network, std::int64_t processors);

/// Exact mean distances; nullopt if P processors do not make this network. Throws
/// std::invalid_argument unless P is 2 to 2^40.
std::optional<ExactNetworkDistance> exact_network_distance(NetworkTopology network,
                                                           std::int64_t processors);

}  // namespace weir::network
