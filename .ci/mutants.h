// Switches for .ci/mutants, included into a copy of Weir. Each changed operator, constant or
// condition is compiled beside the original, so that all changes are compiled at once. The
// environment variable WEIR_MUTANT has the number of the active change.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <type_traits>

namespace weir_mutants {

inline int chosen = -1;                   // -1: not yet read from the environment
inline unsigned char* reached = nullptr;  // for each change's number: 1 if its place was executed

inline void read_environment() {
    const char* number = std::getenv("WEIR_MUTANT");
    chosen = number == nullptr ? 0 : std::atoi(number);
    // A file shared by all processes of a test, even those that end in an assertion.
    if (const char* path = std::getenv("WEIR_MUTANTS_REACHED")) {
        const int file = open(path, O_RDWR);
        void* bytes = mmap(nullptr, static_cast<std::size_t>(lseek(file, 0, SEEK_END)),
                           PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        reached = static_cast<unsigned char*>(bytes);
    }
}

inline bool is_chosen(int number) {
    if (chosen < 0) {
        read_environment();
    }
    if (reached != nullptr) {
        reached[number] = 1;
    }
    return chosen == number;
}

/// Negative numbers are for code that the compiler may evaluate; there the original is used.
constexpr bool on(int number) {
    if (number < 0) {
        return !std::is_constant_evaluated() && is_chosen(-number);
    }
    return is_chosen(number);
}

// a < b becomes a < Instead<7, LessEqual>{} < b, which needs no brackets: the precedence of the
// operators around it does not change.
template <int N, class Changed>
struct Instead {};
template <int N, class Changed, class Left>
struct Held {
    const Left& left;
};
template <int N, class Changed, class Right>
struct Assigned {
    const Right& right;
};

#define WEIR_MUTANTS_OPERATOR(Name, op)                                                         \
    struct Name {                                                                               \
        static constexpr auto of(const auto& left, const auto& right) { return left op right; } \
    };                                                                                          \
    template <int N, class Changed, class Left>                                                 \
    constexpr Held<N, Changed, Left> operator op(const Left& left, Instead<N, Changed>) {       \
        return {left};                                                                          \
    }                                                                                           \
    template <int N, class Changed, class Left, class Right>                                    \
    constexpr auto operator op(Held<N, Changed, Left> held, const Right& right) {               \
        using Result = decltype(held.left op right);                                            \
        return on(N) ? static_cast<Result>(Changed::of(held.left, right)) : held.left op right; \
    }

WEIR_MUTANTS_OPERATOR(Plus, +)
WEIR_MUTANTS_OPERATOR(Minus, -)
WEIR_MUTANTS_OPERATOR(Times, *)
WEIR_MUTANTS_OPERATOR(DividedBy, /)
WEIR_MUTANTS_OPERATOR(Remainder, %)
WEIR_MUTANTS_OPERATOR(And, &)
WEIR_MUTANTS_OPERATOR(Or, |)
WEIR_MUTANTS_OPERATOR(ExclusiveOr, ^)
WEIR_MUTANTS_OPERATOR(ShiftedLeft, <<)
WEIR_MUTANTS_OPERATOR(ShiftedRight, >>)
WEIR_MUTANTS_OPERATOR(Less, <)
WEIR_MUTANTS_OPERATOR(LessEqual, <=)
WEIR_MUTANTS_OPERATOR(Greater, >)
WEIR_MUTANTS_OPERATOR(GreaterEqual, >=)
WEIR_MUTANTS_OPERATOR(Equal, ==)
WEIR_MUTANTS_OPERATOR(Unequal, !=)

// a += b becomes a += Instead<7, MinusAssigned>{} += b; assignments bind from the right.
#define WEIR_MUTANTS_ASSIGNMENT(Name, op)                                                        \
    struct Name {                                                                                \
        static constexpr void to(auto& left, const auto& right) { left op right; }               \
    };                                                                                           \
    template <int N, class Changed, class Right>                                                 \
    constexpr Assigned<N, Changed, Right> operator op(Instead<N, Changed>, const Right& right) { \
        return {right};                                                                          \
    }                                                                                            \
    template <int N, class Changed, class Left, class Right>                                     \
    constexpr Left& operator op(Left& left, Assigned<N, Changed, Right> assigned) {              \
        if (on(N)) {                                                                             \
            Changed::to(left, assigned.right);                                                   \
        } else {                                                                                 \
            left op assigned.right;                                                              \
        }                                                                                        \
        return left;                                                                             \
    }

WEIR_MUTANTS_ASSIGNMENT(PlusAssigned, +=)
WEIR_MUTANTS_ASSIGNMENT(MinusAssigned, -=)
WEIR_MUTANTS_ASSIGNMENT(TimesAssigned, *=)
WEIR_MUTANTS_ASSIGNMENT(DividedAssigned, /=)
WEIR_MUTANTS_ASSIGNMENT(AndAssigned, &=)
WEIR_MUTANTS_ASSIGNMENT(OrAssigned, |=)
WEIR_MUTANTS_ASSIGNMENT(ExclusiveOrAssigned, ^=)
WEIR_MUTANTS_ASSIGNMENT(ShiftedLeftAssigned, <<=)
WEIR_MUTANTS_ASSIGNMENT(ShiftedRightAssigned, >>=)

// ++a becomes Up<7>{} ->* a, whose precedence is nearly as high. --a, !a and -a change likewise.
template <int N>
struct Up {};
template <int N>
struct Down {};
template <int N>
struct Not {};
template <int N>
struct Negative {};

template <int N, class T>
constexpr T& operator->*(Up<N>, T& value) {
    return on(N) ? --value : ++value;
}
template <int N, class T>
constexpr T& operator->*(Down<N>, T& value) {
    return on(N) ? ++value : --value;
}
template <int N>
constexpr bool operator->*(Not<N>, const auto& value) {
    return on(N) != !value;
}
template <int N>
constexpr auto operator->*(Negative<N>, const auto& value) {
    return on(N) ? static_cast<decltype(-value)>(value) : -value;
}

}  // namespace weir_mutants
