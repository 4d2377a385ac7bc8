#include "firmware/sparcle/ieee_arithmetic.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <type_traits>

#include "nodes/sparcle/float_unit.h"
#include "nodes/sparcle/testing/assembler.h"

namespace weir::firmware {
namespace {

using nodes::sparcle::FloatUnit;
using nodes::sparcle::Instruction;

// Number of operand pairs in each test; WEIR_FLOAT_PAIRS overrides it.
std::int64_t pair_count() {
    const char* const asked = std::getenv("WEIR_FLOAT_PAIRS");
    return asked == nullptr ? 1'000'000 : std::atoll(asked);
}

// A format in C++ and in Sparcle's unit.
template <class T>
struct Format {
    static constexpr bool kIsSingle = std::is_same_v<T, float>;
    using Bits = std::conditional_t<kIsSingle, std::uint32_t, std::uint64_t>;
    static constexpr const ieee_format* kFormat = kIsSingle ? &ieee_single : &ieee_double;

    static T value(std::uint64_t bits) { return std::bit_cast<T>(static_cast<Bits>(bits)); }
    static std::uint64_t bits(T value) { return std::bit_cast<Bits>(value); }
};

// Sparcle's floating-point unit on operands given as bits.
class Unit {
  public:
    template <class T>
    void put(unsigned number, std::uint64_t bits) {
        if constexpr (Format<T>::kIsSingle) {
            unit_.write(number, static_cast<std::uint32_t>(bits));
        } else {
            unit_.write_double(number, bits);
        }
    }
    template <class To, class From>
    std::uint64_t operate(unsigned opf, std::uint64_t first, std::uint64_t second) {
        put<From>(2, first);
        put<From>(4, second);
        EXPECT_TRUE(
            unit_.operate(Instruction{nodes::sparcle::testing::float_operation(opf, 6, 2, 4)}));
        return Format<To>::kIsSingle ? unit_.read(6) : unit_.read_double(6);
    }
    [[nodiscard]] unsigned conditions() const { return unit_.conditions(); }

  private:
    FloatUnit unit_{0, false};
};

template <class T>
class IeeeArithmeticTest : public ::testing::Test {
  protected:
    using Limits = std::numeric_limits<T>;
    static constexpr int kSignificandBits = Limits::digits;

    // Random operands: any bits; numbers close to one another and to 1, with few bits set; numbers
    // near the largest denormals. One operand in sixteen is a special value.
    std::uint64_t operand() {
        const std::uint64_t any = random_();
        const std::uint64_t sign = any & ieee_sign_bit(format_);
        const std::uint64_t fraction = any & ((std::uint64_t{1} << format_->fraction_bits) - 1);
        const auto with_exponent = [&](std::uint64_t exponent, std::uint64_t low) {
            return sign | exponent << format_->fraction_bits | low;
        };
        const auto bias = static_cast<std::uint64_t>(ieee_bias(format_));
        switch (random_() % 16) {
            case 0:
                return specials_[random_() % specials_.size()] | sign;
            case 1:
            case 2:
            case 3:
                return with_exponent(bias + random_() % 4, fraction);
            case 4:
            case 5:
                return with_exponent(bias + random_() % 60, fraction & random_() & random_());
            case 6:
            case 7:
                return with_exponent(random_() % 3, fraction);
            case 8:  // products and quotients of two such numbers are denormal or nearly so
                return with_exponent(bias / 2 + random_() % 30, fraction);
            case 9:
                return with_exponent(bias + bias / 2 + random_() % 30, fraction);
            case 10:
                return with_exponent(bias + random_() % 70, fraction | fraction >> 7);
            default:
                return any & (ieee_sign_bit(format_) * 2 - 1);
        }
    }

    // Whether the host's result is the same; NaNs are compared as equal.
    template <class To = T>
    static bool is_host_result(std::uint64_t bits, To result) {
        return std::isnan(result) ? ieee_is_nan(Format<To>::kFormat, bits) != 0
                                  : bits == Format<To>::bits(result);
    }

    const ieee_format* format_ = Format<T>::kFormat;
    std::mt19937_64 random_{1};
    Unit unit_;
    const std::vector<std::uint64_t> specials_ = {
        0,
        1,
        ieee_infinity(format_),
        ieee_infinity(format_) - 1,
        ieee_infinity(format_) + 5,  // signaling NaN
        ieee_infinity(format_) + (std::uint64_t{1} << (format_->fraction_bits - 1)) + 9,
        Format<T>::bits(Limits::min()),
        Format<T>::bits(Limits::min()) - 1,
        Format<T>::bits(T{1})};
};

using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(IeeeArithmeticTest, Reals);

TYPED_TEST(IeeeArithmeticTest, IsTheHostsAndTheUnitsToTheBit) {
    using T = TypeParam;
    using F = Format<T>;
    struct Operation {
        std::uint64_t (*by_integers)(const ieee_format*, std::uint64_t, std::uint64_t);
        T (*by_host)(T, T);
        unsigned opf;
    };
    const unsigned of_double = F::kIsSingle ? 0 : 1;
    const std::array<Operation, 4> operations{
        Operation{ieee_add, [](T a, T b) { return a + b; }, nodes::sparcle::kFadds + of_double},
        Operation{ieee_subtract, [](T a, T b) { return a - b; },
                  nodes::sparcle::kFsubs + of_double},
        Operation{ieee_multiply, [](T a, T b) { return a * b; },
                  nodes::sparcle::kFmuls + of_double},
        Operation{ieee_divide, [](T a, T b) { return a / b; }, nodes::sparcle::kFdivs + of_double}};
    for (std::int64_t i = 0; i < pair_count(); ++i) {
        const std::uint64_t a = this->operand();
        const std::uint64_t b = this->operand();
        for (const Operation& operation : operations) {
            const std::uint64_t result = operation.by_integers(this->format_, a, b);
            const T host = operation.by_host(F::value(a), F::value(b));
            ASSERT_TRUE(this->is_host_result(result, host))
                << std::hex << operation.opf << " of 0x" << a << " and 0x" << b << ": 0x" << result
                << ", host 0x" << F::bits(host);
            ASSERT_EQ(result, (this->unit_.template operate<T, T>(operation.opf, a, b)))
                << std::hex << operation.opf << " of 0x" << a << " and 0x" << b;
        }
    }
}

TYPED_TEST(IeeeArithmeticTest, RootsAreTheHostsAndTheUnits) {
    using T = TypeParam;
    using F = Format<T>;
    const unsigned opf = F::kIsSingle ? nodes::sparcle::kFsqrts : nodes::sparcle::kFsqrtd;
    for (std::int64_t i = 0; i < pair_count(); ++i) {
        const std::uint64_t a = this->operand();
        const std::uint64_t result = ieee_square_root(this->format_, a);
        ASSERT_TRUE(this->is_host_result(result, std::sqrt(F::value(a)))) << std::hex << a;
        ASSERT_EQ(result, (this->unit_.template operate<T, T>(opf, 0, a))) << std::hex << a;
    }
}

TYPED_TEST(IeeeArithmeticTest, Comparisons) {
    using F = Format<TypeParam>;
    const unsigned opf = F::kIsSingle ? nodes::sparcle::kFcmps : nodes::sparcle::kFcmpd;
    constexpr std::array<int, 4> kAsTheUnitSays = {0, -1, 1, 7};
    for (std::int64_t i = 0; i < pair_count(); ++i) {
        const std::uint64_t a = this->operand();
        const std::uint64_t b =
            i % 16 == 0 ? a ^ (i % 32 == 0 ? ieee_sign_bit(this->format_) : 0) : this->operand();
        const int relation = ieee_compare(this->format_, a, b, 7);
        const auto first = F::value(a);
        const auto second = F::value(b);
        ASSERT_EQ(relation == -1, first < second) << std::hex << a << " " << b;
        ASSERT_EQ(relation == 0, first == second) << std::hex << a << " " << b;
        ASSERT_EQ(relation == 1, first > second) << std::hex << a << " " << b;
        this->unit_.template operate<TypeParam, TypeParam>(opf, a, b);
        ASSERT_EQ(relation, kAsTheUnitSays[this->unit_.conditions()]) << std::hex << a << " " << b;
    }
}

TYPED_TEST(IeeeArithmeticTest, ConversionsToTheOtherFormat) {
    using T = TypeParam;
    using To = std::conditional_t<Format<T>::kIsSingle, double, float>;
    const unsigned opf = Format<T>::kIsSingle ? nodes::sparcle::kFstod : nodes::sparcle::kFdtos;
    for (std::int64_t i = 0; i < pair_count(); ++i) {
        std::uint64_t a = this->operand();
        if (i % 4 == 0) {  // operands half-way between two numbers of the narrower format
            a &= ~((std::uint64_t{1} << (this->format_->fraction_bits / 2 + 2)) - 1);
        }
        const std::uint64_t result = ieee_convert(this->format_, Format<To>::kFormat, a);
        ASSERT_TRUE(this->template is_host_result<To>(result, static_cast<To>(Format<T>::value(a))))
            << std::hex << a;
        ASSERT_EQ(result, (this->unit_.template operate<To, T>(opf, 0, a))) << std::hex << a;
    }
}

TYPED_TEST(IeeeArithmeticTest, ConversionsFromIntegers) {
    using F = Format<TypeParam>;
    for (std::int64_t i = 0; i < pair_count(); ++i) {
        std::uint64_t value = this->random_() >> (i % 64);
        // An integer half-way between two single-precision numbers, or a neighbour of such an
        // integer.
        if (i % 3 == 0) {
            value = value >> 40 << 39 | (std::uint64_t{1} << 38);
            value = value + this->random_() % 3 - 1;
        }
        const auto as_signed = static_cast<std::int64_t>(value);
        ASSERT_EQ(ieee_from_unsigned(this->format_, value), F::bits(static_cast<TypeParam>(value)))
            << value;
        ASSERT_EQ(ieee_from_signed(this->format_, as_signed),
                  F::bits(static_cast<TypeParam>(as_signed)))
            << as_signed;
    }
    for (const std::uint64_t value :
         {std::uint64_t{0}, std::uint64_t{1} << 63, ~std::uint64_t{0}}) {
        EXPECT_EQ(ieee_from_unsigned(this->format_, value), F::bits(static_cast<TypeParam>(value)));
        const auto as_signed = static_cast<std::int64_t>(value);
        EXPECT_EQ(ieee_from_signed(this->format_, as_signed),
                  F::bits(static_cast<TypeParam>(as_signed)));
    }
}

// Conversions round toward zero; numbers out of range give the end of the range with their sign.
TYPED_TEST(IeeeArithmeticTest, ConversionsToIntegers) {
    using F = Format<TypeParam>;
    const auto expected = [](long double value, bool negative, long double least,
                             long double most) {
        if (std::isnan(value)) {
            return negative ? least : most;
        }
        return std::trunc(std::fmin(std::fmax(value, least), most));
    };
    for (std::int64_t i = 0; i < pair_count(); ++i) {
        const std::uint64_t a = this->operand();
        const bool negative = (a & ieee_sign_bit(this->format_)) != 0;
        const auto value = static_cast<long double>(F::value(a));
        const auto wide = [&](long double least, long double most) {
            return expected(value, negative, least, most);
        };
        ASSERT_EQ(static_cast<long double>(ieee_to_signed(this->format_, a, 32)),
                  wide(-0x1p31L, 0x1p31L - 1))
            << std::hex << a;
        ASSERT_EQ(static_cast<long double>(ieee_to_signed(this->format_, a, 64)),
                  wide(-0x1p63L, 0x1p63L - 1))
            << std::hex << a;
        ASSERT_EQ(static_cast<long double>(ieee_to_unsigned(this->format_, a, 32)),
                  wide(0, 0x1p32L - 1))
            << std::hex << a;
        ASSERT_EQ(static_cast<long double>(ieee_to_unsigned(this->format_, a, 64)),
                  wide(0, 0x1p64L - 1))
            << std::hex << a;
    }
}

}  // namespace
}  // namespace weir::firmware
