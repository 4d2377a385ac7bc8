#include "hw/variant.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace weir::hw {
namespace {

// A type whose copy constructor throws.
struct Uncopied {
    Uncopied() = default;
    Uncopied(const Uncopied& /*other*/) { throw std::runtime_error("no copy"); }
    Uncopied(Uncopied&&) = default;
    Uncopied& operator=(const Uncopied&) = delete;
    Uncopied& operator=(Uncopied&&) = default;
    ~Uncopied() = default;
};

using Value = Variant<bool, std::int64_t, double, std::string, std::vector<Uncopied>>;

TEST(VariantTest, ACopyThatCannotBeMadeIsAnExceptionAndNoMore) {
    const Value value(std::vector<Uncopied>(2));
    EXPECT_THROW(const Value copy(value), std::runtime_error);
    Value assigned(std::string("old"));
    EXPECT_THROW(assigned = value, std::runtime_error);
    EXPECT_EQ(std::get<std::string>(assigned), "old");
}

TEST(VariantTest, IsCopiedMovedAndAssignedAsAVariantIs) {
    using Texts = Variant<bool, std::string, std::vector<int>>;
    const Texts numbers(std::vector<int>{1, 2});
    Texts copy = numbers;
    EXPECT_EQ(copy, numbers);
    const Texts moved = std::move(copy);
    EXPECT_EQ(moved, numbers);
    copy = std::string("text");
    EXPECT_EQ(std::get<std::string>(copy), "text");
    copy = numbers;
    EXPECT_EQ(copy.index(), 2U);
    EXPECT_EQ(std::visit([](const auto& held) { return sizeof held; }, copy),
              sizeof(std::vector<int>));
    EXPECT_TRUE(std::holds_alternative<bool>(Texts()));
}

}  // namespace
}  // namespace weir::hw
