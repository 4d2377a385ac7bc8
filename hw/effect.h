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

/// What a file, a command line or a test can give to a parameter.
using ParameterValue = Variant<bool, std::int64_t, double, std::string, std::vector<std::int64_t>>;

/// What a condition asks of an experiment besides its parameters.
enum class Fact : std::uint8_t {
    kKernel,         ///< programs run on the nodes; else packets are offered to the network alone
    kMessageBodies,  ///< its messages have bodies, which DMA engines move
    kSharedMemory,   ///< its programs share memory
    kSteadyState,    ///< it does the same over and over, and can do so for longer
};

/// A whole setup, as a condition sees it.
class Circumstances {
  public:
    virtual ~Circumstances() = default;
    /// Of "network.model"; nothing where no group has such a parameter.
    [[nodiscard]] virtual std::optional<ParameterValue> value_of(std::string_view key) const = 0;
    [[nodiscard]] virtual bool is_so(Fact fact) const = 0;
};

/// When a parameter has an effect: comparisons of keys with values, and facts, joined by && and ||.
/// Whether it holds and the words for it come from the same declaration.
///
///     when("network.model").is("delay") && when("network.delay").is("constant")
///     when("memory.caches").at_least(1) || messages_have_bodies()
class Condition {
  public:
    /// Always holds, and says nothing.
    Condition() = default;

    /// A key compared with values.
    struct Comparison {
        enum class Relation : std::uint8_t { kIsOneOf, kIsNoneOf, kAtLeast, kAbove };
        std::string key;
        Relation relation;
        std::vector<ParameterValue> values;  ///< one of kAtLeast and kAbove
    };
    Condition(Comparison comparison);
    /// A fact, or that it is not so, in words.
    Condition(Fact fact, bool is_so, std::string words);
    /// What only the parameter's own group can compute, in words: "a set of several lines".
    static Condition that(std::string words, std::function<bool()> holds);

    [[nodiscard]] bool is_always() const { return node_ == nullptr; }
    /// False for what changes only how fast Weir runs.
    [[nodiscard]] bool changes_results() const { return changes_results_; }
    /// False where no group has a parameter that is compared.
    [[nodiscard]] bool holds(const Circumstances& circumstances) const;
    /// In words, as a message says what is accepted: network.model = "delay" and ...
    [[nodiscard]] std::string text() const;
    /// The same of those of its parts alone that don't hold.
    [[nodiscard]] std::string missing(const Circumstances& circumstances) const;

    friend Condition operator&&(const Condition& left, const Condition& right);
    friend Condition operator||(const Condition& left, const Condition& right);
    friend Condition changes_speed_alone();

    /// Comparisons that make it hold, as far as such do: of alternatives the first's.
    [[nodiscard]] std::vector<Comparison> wanted() const;

    /// What it is made of; only its own file knows.
    struct Node;

  private:
    explicit Condition(std::shared_ptr<const Node> node) : node_(std::move(node)) {}

    std::shared_ptr<const Node> node_;
    bool changes_results_ = true;
};

/// Always holds, of a parameter that no result depends on.
[[nodiscard]] Condition changes_speed_alone();

/// A key that a condition compares: when("network.model").is("delay").
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
    /// Of a number, whole or not.
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
/// `instead`: the key that says the same of open-loop traffic.
[[nodiscard]] inline Condition a_kernel_runs(const std::string& instead = {}) {
    return {Fact::kKernel, true,
            instead.empty() ? "a kernel" : "a kernel (of traffic " + instead + " says it)"};
}
[[nodiscard]] inline Condition shares_memory() {
    return {Fact::kSharedMemory, true, "a kernel that shares memory"};
}
[[nodiscard]] inline Condition messages_have_bodies() {
    return {Fact::kMessageBodies, true, "a kernel whose messages have bodies"};
}
[[nodiscard]] inline Condition is_in_steady_state() {
    return {Fact::kSteadyState, true, "a kernel in a steady state or open-loop traffic"};
}
[[nodiscard]] inline Condition solves_one_problem() {
    return {Fact::kSteadyState, false, "a kernel that solves a problem of one size"};
}

}  // namespace weir::hw
