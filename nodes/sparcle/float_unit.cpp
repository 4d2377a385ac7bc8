#include "nodes/sparcle/float_unit.h"

#include <bit>
#include <cfenv>
#include <cmath>
#include <limits>
#include <type_traits>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace weir::nodes::sparcle {

namespace {

/// Sets the host's rounding direction to FSR.RD (0 to nearest, 1 to zero, 2 up, 3 down) and clears
/// its exception flags. The destructor restores the host's settings. On x86 it avoids the functions
/// of cfenv, which also handle the x87 unit and take longer than the whole instruction.
class HostArithmetic {
  public:
#if defined(__SSE2__)
    explicit HostArithmetic(unsigned rounding) : kept_(_mm_getcsr()) {
        constexpr std::array<unsigned, 4> kRounding = {_MM_ROUND_NEAREST, _MM_ROUND_TOWARD_ZERO,
                                                       _MM_ROUND_UP, _MM_ROUND_DOWN};
        _mm_setcsr(_MM_MASK_MASK | kRounding[rounding]);
    }
    ~HostArithmetic() { _mm_setcsr(kept_); }

    /// Exceptions as bits of FloatUnit.
    [[nodiscard]] static std::uint32_t exceptions() {
        const unsigned flags = _mm_getcsr();
        return ((flags & _MM_EXCEPT_INEXACT) != 0 ? FloatUnit::kInexact : 0) |
               ((flags & _MM_EXCEPT_DIV_ZERO) != 0 ? FloatUnit::kDivisionByZero : 0) |
               ((flags & _MM_EXCEPT_OVERFLOW) != 0 ? FloatUnit::kOverflow : 0) |
               ((flags & _MM_EXCEPT_INVALID) != 0 ? FloatUnit::kInvalid : 0);
    }
#else
    explicit HostArithmetic(unsigned rounding) {
        constexpr std::array<int, 4> kRounding = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD,
                                                  FE_DOWNWARD};
        std::feholdexcept(&kept_);
        std::fesetround(kRounding[rounding]);
    }
    ~HostArithmetic() { std::fesetenv(&kept_); }

    [[nodiscard]] static std::uint32_t exceptions() {
        const int flags = std::fetestexcept(FE_ALL_EXCEPT);
        return ((flags & FE_INEXACT) != 0 ? FloatUnit::kInexact : 0) |
               ((flags & FE_DIVBYZERO) != 0 ? FloatUnit::kDivisionByZero : 0) |
               ((flags & FE_OVERFLOW) != 0 ? FloatUnit::kOverflow : 0) |
               ((flags & FE_INVALID) != 0 ? FloatUnit::kInvalid : 0);
    }
#endif
    HostArithmetic(const HostArithmetic&) = delete;
    HostArithmetic& operator=(const HostArithmetic&) = delete;
    HostArithmetic(HostArithmetic&&) = delete;
    HostArithmetic& operator=(HostArithmetic&&) = delete;

  private:
#if defined(__SSE2__)
    unsigned kept_;
#else
    std::fenv_t kept_{};
#endif
};

template <class T>
using BitsOf = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

template <class T>
constexpr BitsOf<T> kQuietBit = BitsOf<T>{1} << (std::numeric_limits<T>::digits - 2);

/// NaN of invalid operations: positive, all ones.
template <class T>
T default_nan() {
    return std::bit_cast<T>(static_cast<BitsOf<T>>(~BitsOf<T>{0} >> 1));
}

// Tests the value's bits, since a comparison on the host would raise the host's flags.
template <class T>
bool is_nan(T value) {
    const BitsOf<T> magnitude = std::bit_cast<BitsOf<T>>(value) & (~BitsOf<T>{0} >> 1);
    return magnitude > std::bit_cast<BitsOf<T>>(std::numeric_limits<T>::infinity());
}

template <class T>
bool is_signaling(T value) {
    return is_nan(value) && (std::bit_cast<BitsOf<T>>(value) & kQuietBit<T>) == 0;
}

template <class T>
bool is_negative(T value) {
    return (std::bit_cast<BitsOf<T>>(value) >> (sizeof(T) * 8 - 1)) != 0;
}

template <class T>
T quieted(T value) {
    return std::bit_cast<T>(static_cast<BitsOf<T>>(std::bit_cast<BitsOf<T>>(value) | kQuietBit<T>));
}

/// NaN result of two operands, at least one of which is a NaN: signaling before quiet, rs2 before
/// rs1 (V8, Appendix N).
template <class T>
T chosen_nan(T first, T second) {
    if (is_signaling(second)) {
        return quieted(second);
    }
    if (is_signaling(first)) {
        return quieted(first);
    }
    return is_nan(second) ? second : first;
}

/// Converts a NaN to another format: quiet, with the upper bits of its fraction.
template <class To, class From>
To nan_as(From value) {
    constexpr int kFromFraction = std::numeric_limits<From>::digits - 1;
    constexpr int kToFraction = std::numeric_limits<To>::digits - 1;
    const auto fraction = std::uint64_t{std::bit_cast<BitsOf<From>>(value)} &
                          ((std::uint64_t{1} << kFromFraction) - 1);
    const std::uint64_t moved = kToFraction > kFromFraction
                                    ? fraction << (kToFraction - kFromFraction)
                                    : fraction >> (kFromFraction - kToFraction);
    const std::uint64_t sign = is_negative(value) ? std::uint64_t{1} << (sizeof(To) * 8 - 1) : 0;
    const auto infinity = std::bit_cast<BitsOf<To>>(std::numeric_limits<To>::infinity());
    return quieted(std::bit_cast<To>(static_cast<BitsOf<To>>(sign | infinity | moved)));
}

template <class T>
struct Rounded {
    T value;
    std::uint32_t exceptions;
};

/// Applies `operation` to operands that are no NaNs. The volatile copies keep the compiler from
/// moving the operation out of the scope of the host's settings.
template <class To, class From, class Operation>
Rounded<To> rounded_by_host(unsigned rounding, Operation operation, From first, From second) {
    const volatile From a = first;
    const volatile From b = second;
    volatile To result{};
    std::uint32_t exceptions = 0;
    {
        const HostArithmetic host(rounding);
        result = operation(a, b);
        exceptions = HostArithmetic::exceptions();
    }
    return {result, exceptions};
}

constexpr unsigned kTowardZero = 1;

/// rounded_by_host() with SPARC's NaN and underflow. Underflow here means a tiny result, exact or
/// not.
template <class To, class From, class Operation>
Rounded<To> rounded(unsigned rounding, Operation operation, From first, From second) {
    Rounded<To> result = rounded_by_host<To>(rounding, operation, first, second);
    if (is_nan(result.value)) {
        result.value = default_nan<To>();
        return result;
    }
    constexpr auto kSmallestNormal = std::bit_cast<BitsOf<To>>(std::numeric_limits<To>::min());
    const BitsOf<To> magnitude = std::bit_cast<BitsOf<To>>(result.value) & (~BitsOf<To>{0} >> 1);
    const bool inexact = (result.exceptions & FloatUnit::kInexact) != 0;
    bool tiny = magnitude < kSmallestNormal && (magnitude != 0 || inexact);
    if (magnitude == kSmallestNormal && inexact) {
        const To truncated = rounded_by_host<To>(kTowardZero, operation, first, second).value;
        tiny = (std::bit_cast<BitsOf<To>>(truncated) & (~BitsOf<To>{0} >> 1)) < kSmallestNormal;
    }
    if (tiny) {
        result.exceptions |= FloatUnit::kUnderflow;
    }
    return result;
}

}  // namespace

InstructionClass FloatUnit::class_of(Instruction instruction) {
    using Class = InstructionClass;
    switch (instruction.opf()) {
        case kFadds:
        case kFaddd:
        case kFsubs:
        case kFsubd:
            return Class::kFloatAdd;
        case kFmuls:
            return Class::kFloatMultiplySingle;
        case kFmuld:
        case kFsmuld:
            return Class::kFloatMultiplyDouble;
        case kFdivs:
            return Class::kFloatDivideSingle;
        case kFdivd:
            return Class::kFloatDivideDouble;
        case kFsqrts:
            return Class::kFloatSqrtSingle;
        case kFsqrtd:
            return Class::kFloatSqrtDouble;
        case kFcmps:
        case kFcmpd:
        case kFcmpes:
        case kFcmped:
            return Class::kFloatCompare;
        case kFitos:
        case kFitod:
        case kFdtos:
        case kFstod:
        case kFstoi:
        case kFdtoi:
            return Class::kFloatConvert;
        default:
            return Class::kFloatMove;
    }
}

bool FloatUnit::operate(Instruction instruction) {
    const unsigned opf = instruction.opf();
    const unsigned rd = instruction.rd();
    const std::uint32_t operand2 = registers_[instruction.rs2()];
    constexpr std::uint32_t kSign = 0x80000000;
    if (instruction.op3() == kFpop2) {
        switch (opf) {
            case kFcmps:
            case kFcmpes:
                return compare<float>(instruction, opf == kFcmpes);
            case kFcmpd:
            case kFcmped:
                return compare<double>(instruction, opf == kFcmped);
            default:
                set_trap_kind(TrapKind::kUnimplemented);
                return false;
        }
    }
    switch (opf) {
        case kFmovs:
            registers_[rd] = operand2;
            return raise(0);
        case kFnegs:
            registers_[rd] = operand2 ^ kSign;
            return raise(0);
        case kFabss:
            registers_[rd] = operand2 & ~kSign;
            return raise(0);
        case kFadds:
        case kFsubs:
        case kFmuls:
        case kFdivs:
            return arithmetic<float>(instruction, opf);
        case kFaddd:
        case kFsubd:
        case kFmuld:
        case kFdivd:
            return arithmetic<double>(instruction, opf - 1);
        case kFsqrts:
            return square_root<float>(instruction);
        case kFsqrtd:
            return square_root<double>(instruction);
        case kFitos: {
            const auto result = rounded_by_host<float>(
                fsr_ >> 30,
                [](std::int32_t value, std::int32_t) { return static_cast<float>(value); },
                static_cast<std::int32_t>(operand2), 0);
            return give(rd, result.value, result.exceptions);
        }
        case kFitod:
            return give(rd, static_cast<double>(static_cast<std::int32_t>(operand2)), 0);
        case kFstod:
            return convert<double, float>(instruction);
        case kFdtos:
            return convert<float, double>(instruction);
        case kFstoi:
            return to_integer<float>(instruction);
        case kFdtoi:
            return to_integer<double>(instruction);
        case kFsmuld:
            if (single_to_double_) {
                return multiply_to_double(instruction);
            }
            [[fallthrough]];
        default:
            set_trap_kind(TrapKind::kUnimplemented);
            return false;
    }
}

bool FloatUnit::raise(std::uint32_t exceptions) {
    const std::uint32_t enabled = (fsr_ >> 23) & kCurrent;
    // A tiny exact result is an underflow only if underflow traps.
    if ((exceptions & kInexact) == 0 && (enabled & kUnderflow) == 0) {
        exceptions &= ~kUnderflow;
    }
    const std::uint32_t trapping = exceptions & enabled;
    fsr_ &= ~(kTrapKind | kCurrent);
    if (trapping == 0) {
        fsr_ |= exceptions | exceptions << 5;
        return true;
    }
    // Only overflow and underflow come with a second exception, inexact, and have priority over it.
    const std::uint32_t one = trapping != kInexact ? trapping & ~kInexact : trapping;
    fsr_ |= one;
    set_trap_kind(TrapKind::kIeee754);
    return false;
}

template <class T>
T FloatUnit::operand(unsigned number) const {
    if constexpr (sizeof(T) == 4) {
        return std::bit_cast<T>(read(number));
    } else {
        return std::bit_cast<T>(read_double(number));
    }
}

template <class T>
bool FloatUnit::give(unsigned number, T value, std::uint32_t exceptions) {
    if (!raise(exceptions)) {
        return false;
    }
    if constexpr (sizeof(T) == 4) {
        write(number, std::bit_cast<std::uint32_t>(value));
    } else {
        write_double(number, std::bit_cast<std::uint64_t>(value));
    }
    return true;
}

template <class T>
bool FloatUnit::arithmetic(Instruction instruction, unsigned operation) {
    const T a = operand<T>(instruction.rs1());
    const T b = operand<T>(instruction.rs2());
    const unsigned rd = instruction.rd();
    if (is_nan(a) || is_nan(b)) {
        return give(rd, chosen_nan(a, b), is_signaling(a) || is_signaling(b) ? kInvalid : 0);
    }
    const unsigned rounding = fsr_ >> 30;
    Rounded<T> result{};
    switch (operation) {
        case kFadds:
            result = rounded<T>(
                rounding, [](T x, T y) { return x + y; }, a, b);
            break;
        case kFsubs:
            result = rounded<T>(
                rounding, [](T x, T y) { return x - y; }, a, b);
            break;
        case kFmuls:
            result = rounded<T>(
                rounding, [](T x, T y) { return x * y; }, a, b);
            break;
        default:
            result = rounded<T>(
                rounding, [](T x, T y) { return x / y; }, a, b);
            break;
    }
    return give(rd, result.value, result.exceptions);
}

template <class T>
bool FloatUnit::square_root(Instruction instruction) {
    const T value = operand<T>(instruction.rs2());
    if (is_nan(value)) {
        return give(instruction.rd(), quieted(value), is_signaling(value) ? kInvalid : 0);
    }
    const Rounded<T> result = rounded<T>(
        fsr_ >> 30, [](T x, T) { return std::sqrt(x); }, value, T{});
    return give(instruction.rd(), result.value, result.exceptions);
}

template <class T>
bool FloatUnit::compare(Instruction instruction, bool any_nan_is_invalid) {
    const T a = operand<T>(instruction.rs1());
    const T b = operand<T>(instruction.rs2());
    unsigned relation = 3;
    std::uint32_t exceptions = 0;
    if (is_nan(a) || is_nan(b)) {
        if (any_nan_is_invalid || is_signaling(a) || is_signaling(b)) {
            exceptions = kInvalid;
        }
    } else if (a < b) {
        relation = 1;
    } else {
        relation = a > b ? 2 : 0;
    }
    if (!raise(exceptions)) {
        return false;
    }
    fsr_ = (fsr_ & ~(3U << 10)) | relation << 10;
    return true;
}

// Rounds toward zero, whatever FSR.RD is. A value out of range, or a NaN, is invalid, and gives the
// largest integer of the operand's sign.
template <class T>
bool FloatUnit::to_integer(Instruction instruction) {
    const T value = operand<T>(instruction.rs2());
    const unsigned rd = instruction.rd();
    constexpr double kLimit = 2147483648.0;
    const auto wide = is_nan(value) ? 0.0 : static_cast<double>(value);
    if (is_nan(value) || wide >= kLimit || wide <= -kLimit - 1) {
        return give(rd, is_negative(value) ? std::uint32_t{0x80000000} : std::uint32_t{0x7fffffff},
                    kInvalid);
    }
    const auto integer = static_cast<std::int32_t>(wide);
    const bool inexact = static_cast<double>(integer) != wide;
    return give(rd, static_cast<std::uint32_t>(integer), inexact ? kInexact : 0);
}

template <class To, class From>
bool FloatUnit::convert(Instruction instruction) {
    const From value = operand<From>(instruction.rs2());
    if (is_nan(value)) {
        return give(instruction.rd(), nan_as<To>(value), is_signaling(value) ? kInvalid : 0);
    }
    Rounded<To> result = rounded<To>(
        fsr_ >> 30, [](From x, From) { return static_cast<To>(x); }, value, From{});
    return give(instruction.rd(), result.value, result.exceptions);
}

bool FloatUnit::multiply_to_double(Instruction instruction) {
    const auto a = operand<float>(instruction.rs1());
    const auto b = operand<float>(instruction.rs2());
    if (is_nan(a) || is_nan(b)) {
        return give(instruction.rd(), nan_as<double>(chosen_nan(a, b)),
                    is_signaling(a) || is_signaling(b) ? kInvalid : 0);
    }
    const Rounded<double> result = rounded<double>(
        fsr_ >> 30, [](double x, double y) { return x * y; }, static_cast<double>(a),
        static_cast<double>(b));
    return give(instruction.rd(), result.value, result.exceptions);
}

}  // namespace weir::nodes::sparcle
