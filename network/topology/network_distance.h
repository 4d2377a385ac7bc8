#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

/// How many links a message crosses on average in the networks of LogP's table: the asymptotic
/// formula, and the exact mean where P nodes make such a network.
///
/// Source: Culler et al. (1993), section 5.1. The table's formula for the 4-ary fat tree reads
/// 4 log4 P - 2/3 in print, which is 19.33 for P = 1024; its own value 9.33 is that of
/// 2 log4 P - 2/3, the mean over the tree's leaves, which is what this computes.
///
/// Exact means are over all ordered pairs of processors, a processor and itself included (as the
/// formulas have it); over pairs of different processors they are P/(P - 1) times that. A butterfly
/// is log2 P switches deep, whatever the pair.
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

/// "hypercube", "3-D torus".
std::string_view network_name(NetworkTopology network);

/// What P must be for the exact values: "a power of two".
std::string_view network_sizes(NetworkTopology network);

struct ExactNetworkDistance {
    double mean;            ///< over all pairs, itself included
    double mean_to_others;  ///< over pairs of different processors
    std::int64_t largest;   ///< the longest of the shortest routes
};

/// The table's value for kPrintedProcessors, as printed.
inline constexpr std::int64_t kPrintedProcessors = 1024;
double printed_network_distance(NetworkTopology network);

/// The table's formula, P real-valued: fractions of a dimension are not rounded. Throws
/// std::invalid_argument unless P is 2 to 2^40.
double asymptotic_network_distance(NetworkTopology network, std::int64_t processors);

/// Absent where P processors do not make this network. Throws std::invalid_argument unless P is 2
/// to 2^40.
std::optional<ExactNetworkDistance> exact_network_distance(NetworkTopology network,
                                                           std::int64_t processors);

}  // namespace weir::network
