#include "hw/units.h"

#include <gtest/gtest.h>

#include <type_traits>

namespace weir::hw {
namespace {

// Quantities of different units, and plain numbers, don't mix.
template <class A, class B>
concept Addable = requires(A a, B b) {
    a + b;
};
template <class A, class B>
concept Comparable = requires(A a, B b) {
    a < b;
};

static_assert(Addable<Cycles, Cycles> && Comparable<Cycles, Cycles>);
static_assert(!Addable<Cycles, Bytes> && !Comparable<Bytes, Flits>);
static_assert(!Addable<Cycles, int> && !std::is_convertible_v<int, Cycles>);
static_assert(!std::is_convertible_v<Cycles, std::int64_t>);
static_assert(!std::is_convertible_v<int, NodeId>);

TEST(UnitsTest, CountInWholeNumbers) {
    EXPECT_EQ(Cycles(5) + Cycles(3) - Cycles(1), Cycles(7));
    EXPECT_EQ(3 * Cycles(5), Cycles(5) * 3);
    EXPECT_LT(Cycles(1'000'000'000'000), kNever);
    EXPECT_LT(kNever, kNever + kNever) << "never and a delay does not overflow";
}

TEST(UnitsTest, AMessageTakesAFlitForItsLastBytesToo) {
    EXPECT_EQ(flits_of(Bytes(8), Bytes(2)), Flits(4));
    EXPECT_EQ(flits_of(Bytes(8), Bytes(3)), Flits(3));
    EXPECT_EQ(flits_of(Bytes(9), Bytes(3)), Flits(3));
    EXPECT_EQ(flits_of(Bytes(8), Bytes(64)), Flits(1));
}

}  // namespace
}  // namespace weir::hw
