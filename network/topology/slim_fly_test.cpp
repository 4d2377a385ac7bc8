#include "network/topology/slim_fly.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <set>
#include <string>

#include "hw/testing/names.h"
#include "network/network_parameters.h"
#include "network/testing/settings.h"
#include "network/topology/metrics.h"

namespace weir::network {
namespace {

using testing::List;
using testing::text;
using weir::testing::Names;

// The laws of a field, for orders that are primes and powers of primes.
TEST(FiniteFieldTest, HasSumsAndProductsOfAField) {
    for (const std::int32_t q : {2, 3, 4, 5, 7, 8, 9, 16, 25, 27}) {
        const auto field = FiniteField::of_order(q);
        ASSERT_TRUE(field) << q;
        for (std::int32_t a = 0; a < q; ++a) {
            EXPECT_EQ(field->sum(a, field->negative(a)), 0) << q;
            EXPECT_EQ(field->product(a, 1), a);
            std::set<std::int32_t> multiples;
            for (std::int32_t b = 0; b < q; ++b) {
                multiples.insert(field->product(a, b));
                EXPECT_EQ(field->sum(a, b), field->sum(b, a));
                for (const std::int32_t c : {1, q / 2, q - 1}) {
                    ASSERT_EQ(field->product(a, field->sum(b, c)),
                              field->sum(field->product(a, b), field->product(a, c)))
                        << q << ": " << a << ", " << b << ", " << c;
                }
            }
            EXPECT_EQ(multiples.size(), a == 0 ? 1U : static_cast<std::size_t>(q));
        }
    }
    for (const std::int32_t q : {6, 10, 12, 15}) {
        EXPECT_FALSE(FiniteField::of_order(q)) << q;
    }
}

// Besta and Hoefler, Section II-B: 2 q^2 routers of (3 q - d) / 2 channels, at most two hops apart.
// A node's channels are two more hops.
TEST(SlimFlyTest, AnyTwoRoutersAreAtMostTwoHopsApart) {
    for (const std::int32_t q : {3, 4, 5, 7, 8, 9, 11}) {
        const Topology slim_fly = slim_fly_topology(1, q);
        const std::int32_t d = q % 4 == 3 ? -1 : q % 4;
        EXPECT_EQ(slim_fly.switch_count(), static_cast<std::size_t>(2 * q * q));
        const auto degree = static_cast<std::size_t>((3 * q - d) / 2 + 1);
        EXPECT_EQ(degrees_of(slim_fly).least, degree) << q;
        EXPECT_EQ(degrees_of(slim_fly).largest, degree) << q;
        EXPECT_EQ(distances_of(slim_fly).diameter, 2 + 2) << q;
    }
}

// For q = 5 it is the graph of Hoffman and Singleton: 50 routers of degree 7, as many as the bound
// of Moore allows. So two routers that are not connected have one common neighbour, and the mean
// distance follows.
TEST(SlimFlyTest, OfFiveIsTheGraphOfHoffmanAndSingleton) {
    const Distances distances = distances_of(slim_fly_topology(1, 5));
    EXPECT_EQ(distances.hops_to_others, 50 * (7 * (1 + 2) + 42 * (2 + 2)));
}

TEST(SlimFlyTest, DimensionsMustDescribeASlimFly) {
    const auto fault_of = [](const List& dimensions) {
        NetworkParameters parameters;
        testing::set_all(parameters, {{"topology", text("slim_fly")}, {"dimensions", dimensions}});
        const auto fault = parameters.check();
        return fault ? fault->key + " " + fault->found : "";
    };
    EXPECT_EQ(fault_of({4, 2, 5, 5}), "");
    for (const List& wrong : {List{8, 4}, List{4, 2, 6, 6}, List{4, 2, 2, 2}, List{4, 2, 5, 7},
                              List{4, 3, 5, 5}, List{1, 2, 27, 27}}) {
        EXPECT_THAT(fault_of(wrong), Names("dimensions", "slim fly"));
    }
}

}  // namespace
}  // namespace weir::network
