#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "hw/variant.h"

namespace weir::hw {

/// Value of a parameter, as a file, a command line or a test gives it.
using ParameterValue = Variant<bool, std::int64_t, double, std::string, std::vector<std::int64_t>>;

/// Properties of an experiment, besides its parameters, that a condition may require.
enum class Fact : std::uint8_t {
    kKernel,  ///< programs run on the nodes; otherwise packets are offered to the network alone
    kMessageBodies,  ///< messages have bodies, which DMA engines move
    kSharedMemory,   ///< programs share memory
    kSteadyState,    ///< the workload repeats itself, and can be extended in time
};

/// The whole configuration of an experiment, as conditions see it.
class Circumstances {
  public:
    virtual ~Circumstances() = default;
    /// Value of a key such as "network.model"; empty if no group has such a parameter.
    [[nodiscard]] virtual std::optional<ParameterValue> value_of(std::string_view key) const = 0;
    [[nodiscard]] virtual bool is_so(Fact fact) const = 0;
};

/// Condition under which a parameter has an effect: comparisons of keys with values, and facts,
/// joined by && and ||. Check and description come from the same declaration.
///
///     when("network.model").is("delay") && when("network.delay").is("constant")
///     when("memory.caches").at_least(1) || messages_have_bodies()
class Condition {
  public:
    /// Always holds; has no description.
    Condition() = default;

    /// Comparison of a key's value with given values.
    struct Comparison {
        enum class Relation : std::uint8_t { kIsOneOf, kIsNoneOf, kAtLeast, kAbove };
        std::string key;
        Relation relation;
        std::vector<ParameterValue> values;  ///< a single value for kAtLeast and kAbove
    };
    Condition(Comparison comparison);
    /// Condition that the fact is true, or with `is_so` false that it is not; `words` describes it
    /// for messages.
    Condition(Fact fact, bool is_so, std::string words);
    /// A condition that only the parameter's own group can compute; `words` describes it: "a set of
    /// several lines".
    static Condition that(std::string words, std::function<bool()> holds);

    [[nodiscard]] bool is_always() const { return node_ == nullptr; }
    /// False for a parameter that changes only the speed of the emulation.
    [[nodiscard]] bool changes_results() const { return changes_results_; }
    /// True if the condition holds. False also if no group has a compared parameter.
    [[nodiscard]] bool holds(const Circumstances& circumstances) const;
    /// Description for messages: `network.model = "delay" and ...`
    [[nodiscard]] std::string text() const;
    /// Description of those parts of the condition that do not hold.
    [[nodiscard]] std::string missing(const Circumstances& circumstances) const;

    friend Condition operator&&(const Condition& left, const Condition& right);
    friend Condition operator||(const Condition& left, const Condition& right);
    friend Condition changes_speed_alone();

    /// Comparisons that would make the condition hold; of several alternatives, the first one's.
    /// Facts in the condition are left out.
    [[nodiscard]] std::vector<Comparison> wanted() const;

    /// Node of the expression tree; defined in effect.cpp.
    struct Node;

  private:
    explicit Condition(std::shared_ptr<const Node> node) : node_(std::move(node)) {}

    std::shared_ptr<const Node> node_;
    bool changes_results_ = true;
};

/// Condition of a parameter that changes no result: always holds.
[[nodiscard]] Condition changes_speed_alone();

/// Left-hand side of a comparison: when("network.model").is("delay").
class ComparedKey {
  public:
    explicit ComparedKey(std::string key) : key_(std::move(key)) {}

    [[nodiscard]] Condition is(bool value) const { return compared(Relation::kIsOneOf, {value}); }
    [[nodiscard]] Condition is(std::int64_t value) const {
        return compared(Relation::kIsOneOf, {value});
    }
    template <std::convertible_to<std::string>... Names>
    [[nodiscard]] Condition is(const Names&... names) const {
        return compared(Relation::kIsOneOf, {std::string(names)...});
    }
    template <std::convertible_to<std::string>... Names>
    [[nodiscard]] Condition is_not(const Names&... names) const {
        return compared(Relation::kIsNoneOf, {std::string(names)...});
    }
    [[nodiscard]] Condition at_least(std::int64_t value) const {
        return compared(Relation::kAtLeast, {value});
    }
    /// Comparison with any number, whole or not.
    [[nodiscard]] Condition above(double value) const {
        return compared(Relation::kAbove, {value});
    }

  private:
    using Relation = Condition::Comparison::Relation;
    [[nodiscard]] Condition compared(Relation relation, std::vector<ParameterValue> values) const {
        return Condition(Condition::Comparison{key_, relation, std::move(values)});
    }

    std::string key_;
};

[[nodiscard]] inline ComparedKey when(std::string key) { return ComparedKey(std::move(key)); }
/// `instead`: the key that has the same meaning for open-loop traffic.
[[nodiscard]] inline Condition a_kernel_runs(const std::string& instead = {}) {
    return {Fact::kKernel, true,
            instead.empty() ? "a kernel" : "a kernel (open-loop traffic has " + instead + ")"};
}
[[nodiscard]] inline Condition shares_memory() {
    return {Fact::kSharedMemory, true, "a kernel that shares memory"};
}
[[nodiscard]] inline Condition messages_have_bodies() {
    return {Fact::kMessageBodies, true, "a kernel whose messages have bodies"};
}
[[nodiscard]] inline Condition is_in_steady_state() {
    return {Fact::kSteadyState, true, "a kernel in a steady state, or open-loop traffic"};
}
[[nodiscard]] inline Condition solves_one_problem() {
    return {Fact::kSteadyState, false, "a kernel that solves one problem of fixed size"};
}

}  // namespace weir::hw
