#include "network/topology/network_distance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/breadth_first_search.hpp>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <vector>

namespace weir::network {
namespace {

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS>;
using Vertices = std::vector<std::size_t>;

/// A network as a graph, with the vertices that send and receive; the others are switches.
struct Built {
    Graph links;
    Vertices sources;
    Vertices destinations;
};

Vertices first_vertices(std::size_t count) {
    Vertices all(count);
    for (std::size_t i = 0; i < count; ++i) {
        all[i] = i;
    }
    return all;
}

Built hypercube(std::size_t processors) {
    Built built{Graph(processors), first_vertices(processors), first_vertices(processors)};
    for (std::size_t node = 0; node < processors; ++node) {
        for (std::size_t bit = 1; bit < processors; bit *= 2) {
            if ((node & bit) == 0) {
                boost::add_edge(node, node | bit, built.links);
            }
        }
    }
    return built;
}

Built lattice(std::size_t length, int dimensions, bool torus) {
    std::size_t processors = 1;
    for (int i = 0; i < dimensions; ++i) {
        processors *= length;
    }
    Built built{Graph(processors), first_vertices(processors), first_vertices(processors)};
    for (std::size_t node = 0; node < processors; ++node) {
        for (std::size_t stride = 1; stride < processors; stride *= length) {
            const std::size_t at = node / stride % length;
            if (at + 1 < length) {
                boost::add_edge(node, node + stride, built.links);
            } else if (torus) {
                boost::add_edge(node, node - at * stride, built.links);
            }
        }
    }
    return built;
}

/// A 4-ary tree, level by level, leaves first.
Built fat_tree(std::size_t processors) {
    Built built{Graph(), first_vertices(processors), first_vertices(processors)};
    std::size_t level = 0;
    for (std::size_t width = processors; width > 1; width /= 4) {
        for (std::size_t i = 0; i < width; ++i) {
            boost::add_edge(level + i, level + width + i / 4, built.links);
        }
        level += width;
    }
    return built;
}

/// A butterfly of log2 P + 1 columns of P; inputs are in the first column, outputs in the last.
/// Forward links are enough: a shortest path from first to last column has log2 P links, and so
/// never turns back.
Built butterfly(std::size_t processors) {
    std::size_t columns = 0;
    Built built;
    for (std::size_t bit = 1; bit < processors; bit *= 2, ++columns) {
        for (std::size_t row = 0; row < processors; ++row) {
            boost::add_edge(columns * processors + row, (columns + 1) * processors + row,
                            built.links);
            boost::add_edge(columns * processors + row, (columns + 1) * processors + (row ^ bit),
                            built.links);
        }
    }
    built.sources = first_vertices(processors);
    for (const std::size_t row : built.sources) {
        built.destinations.push_back(columns * processors + row);
    }
    return built;
}

/// Mean and largest distance, by breadth-first search from each source.
ExactNetworkDistance search(const Built& built) {
    double sum = 0.0;
    std::int64_t largest = 0;
    for (const std::size_t source : built.sources) {
        std::vector<std::int64_t> distance(boost::num_vertices(built.links), 0);
        boost::breadth_first_search(built.links, source,
                                    boost::visitor(boost::make_bfs_visitor(boost::record_distances(
                                        distance.data(), boost::on_tree_edge()))));
        for (const std::size_t destination : built.destinations) {
            sum += static_cast<double>(distance[destination]);
            largest = std::max(largest, distance[destination]);
        }
    }
    const auto count = static_cast<double>(built.sources.size());
    return {sum / (count * count), sum / (count * (count - 1.0)), largest};
}

void expect_as_searched(NetworkTopology network, std::int64_t processors, const Built& built) {
    const auto exact = exact_network_distance(network, processors);
    ASSERT_TRUE(exact) << network_name(network) << " P " << processors;
    const ExactNetworkDistance searched = search(built);
    EXPECT_NEAR(exact->mean, searched.mean, 1e-9) << network_name(network) << " P " << processors;
    EXPECT_NEAR(exact->mean_to_others, searched.mean_to_others, 1e-9)
        << network_name(network) << " P " << processors;
    EXPECT_EQ(exact->largest, searched.largest) << network_name(network) << " P " << processors;
}

// LogP (1993), section 5.1, the table for P = 1024. It prints 7.5 and 10 for the three-dimensional
// networks, whose sides would be 10.08, and 21 for 21.33: fractions are left out.
TEST(NetworkDistance, ReproducesTheTableOfSection51) {
    const auto at_1024 = [](NetworkTopology network) {
        return asymptotic_network_distance(network, 1024);
    };
    EXPECT_DOUBLE_EQ(at_1024(NetworkTopology::kHypercube), 5.0);
    EXPECT_DOUBLE_EQ(at_1024(NetworkTopology::kButterfly), 10.0);
    EXPECT_NEAR(at_1024(NetworkTopology::kFatTree), 9.33, 0.005);
    EXPECT_NEAR(at_1024(NetworkTopology::kTorus3d), 7.56, 0.005);
    EXPECT_NEAR(at_1024(NetworkTopology::kMesh3d), 10.08, 0.005);
    EXPECT_DOUBLE_EQ(at_1024(NetworkTopology::kTorus2d), 16.0);
    EXPECT_NEAR(at_1024(NetworkTopology::kMesh2d), 21.33, 0.005);
    // The printed values are those of a side of 10.
    EXPECT_DOUBLE_EQ(asymptotic_network_distance(NetworkTopology::kTorus3d, 1000), 7.5);
    EXPECT_DOUBLE_EQ(asymptotic_network_distance(NetworkTopology::kMesh3d, 1000), 10.0);
}

// The table prints 4 log4 P - 2/3 for the fat tree, which does not give its value 9.33.
TEST(NetworkDistance, TheFatTreesPrintedFormulaIsNotItsPrintedValue) {
    EXPECT_NEAR(4.0 * 5.0 - 2.0 / 3.0, 19.33, 0.005);
    expect_as_searched(NetworkTopology::kFatTree, 1024, fat_tree(1024));
    EXPECT_NEAR(search(fat_tree(1024)).mean, 9.33, 0.005);
}

// "For configurations of practical interest the difference is a factor of two", but four for 2-D.
TEST(NetworkDistance, TopologiesDifferByTheFactorsOfSection51) {
    EXPECT_LE(asymptotic_network_distance(NetworkTopology::kButterfly, 1024) /
                  asymptotic_network_distance(NetworkTopology::kHypercube, 1024),
              2.0);
    EXPECT_NEAR(asymptotic_network_distance(NetworkTopology::kMesh2d, 1024) /
                    asymptotic_network_distance(NetworkTopology::kHypercube, 1024),
                4.0, 0.3);
}

TEST(NetworkDistance, ExactMeansAreThoseABreadthFirstSearchFinds) {
    for (const std::int64_t processors : {2, 4, 8, 64, 1024}) {
        expect_as_searched(NetworkTopology::kHypercube, processors,
                           hypercube(static_cast<std::size_t>(processors)));
    }
    for (const std::int64_t processors : {4, 16, 64}) {
        expect_as_searched(NetworkTopology::kFatTree, processors,
                           fat_tree(static_cast<std::size_t>(processors)));
    }
    for (const std::size_t length : {2, 3, 4, 5, 8, 10}) {
        const auto square = static_cast<std::int64_t>(length * length);
        const auto cube = static_cast<std::int64_t>(length * length * length);
        expect_as_searched(NetworkTopology::kTorus2d, square, lattice(length, 2, true));
        expect_as_searched(NetworkTopology::kMesh2d, square, lattice(length, 2, false));
        expect_as_searched(NetworkTopology::kTorus3d, cube, lattice(length, 3, true));
        expect_as_searched(NetworkTopology::kMesh3d, cube, lattice(length, 3, false));
    }
}

// A butterfly's inputs and outputs are different vertices, so a processor is log2 P from itself,
// too.
TEST(NetworkDistance, EveryWayThroughAButterflyIsAsLong) {
    for (const std::size_t processors : {4, 64}) {
        const ExactNetworkDistance searched = search(butterfly(processors));
        const auto exact = exact_network_distance(NetworkTopology::kButterfly,
                                                  static_cast<std::int64_t>(processors));
        EXPECT_EQ(exact->mean, searched.mean);
        EXPECT_EQ(exact->largest, searched.largest);
        EXPECT_EQ(exact->mean_to_others, exact->mean);
    }
}

TEST(NetworkDistance, FormulasAreTheLimitsOfTheExactMeans) {
    EXPECT_NEAR(exact_network_distance(NetworkTopology::kFatTree, std::int64_t{1} << 40)->mean,
                asymptotic_network_distance(NetworkTopology::kFatTree, std::int64_t{1} << 40),
                1e-9);
    for (const NetworkTopology network : {NetworkTopology::kTorus2d, NetworkTopology::kMesh2d}) {
        EXPECT_NEAR(exact_network_distance(network, 1000000)->mean /
                        asymptotic_network_distance(network, 1000000),
                    1.0, 1e-5);
    }
    for (const NetworkTopology network : {NetworkTopology::kTorus3d, NetworkTopology::kMesh3d}) {
        EXPECT_NEAR(exact_network_distance(network, 1000000)->mean /
                        asymptotic_network_distance(network, 1000000),
                    1.0, 2e-4);
    }
}

TEST(NetworkDistance, HasNoExactValueWhereTheProcessorsMakeNoSuchNetwork) {
    EXPECT_FALSE(exact_network_distance(NetworkTopology::kTorus3d, 1024));
    EXPECT_FALSE(exact_network_distance(NetworkTopology::kMesh3d, 1024));
    EXPECT_FALSE(exact_network_distance(NetworkTopology::kFatTree, 512));
    EXPECT_FALSE(exact_network_distance(NetworkTopology::kHypercube, 1000));
    EXPECT_FALSE(exact_network_distance(NetworkTopology::kButterfly, 1000));
    EXPECT_FALSE(exact_network_distance(NetworkTopology::kMesh2d, 1000));
    EXPECT_EQ(network_sizes(NetworkTopology::kTorus3d), "a cube");
    EXPECT_THROW(exact_network_distance(NetworkTopology::kHypercube, 1), std::invalid_argument);
    EXPECT_THROW(asymptotic_network_distance(NetworkTopology::kHypercube, 0),
                 std::invalid_argument);
}

// Table 1 prints average distances of 1024 processors. Hypercube and fat tree equal the table of
// section 5.1, and Monsoon's butterfly has switches of 4 x 4. No formula gives 6.8 for the torus of
// Dash, or 12.1 for the mesh of the J-Machine.
TEST(NetworkDistance, AverageDistancesOfTable1) {
    EXPECT_DOUBLE_EQ(asymptotic_network_distance(NetworkTopology::kHypercube, 1024), 5.0);
    EXPECT_NEAR(asymptotic_network_distance(NetworkTopology::kFatTree, 1024), 9.3, 0.05);
    EXPECT_DOUBLE_EQ(asymptotic_network_distance(NetworkTopology::kButterfly, 1024) / 2.0, 5.0);
    for (const NetworkTopology network : kNetworkTopologies) {
        EXPECT_GT(std::abs(asymptotic_network_distance(network, 1024) - 6.8), 0.5);
        EXPECT_GT(std::abs(asymptotic_network_distance(network, 1024) - 12.1), 0.5);
    }
}

}  // namespace
}  // namespace weir::network
