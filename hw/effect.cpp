#include "hw/effect.h"

#include <algorithm>

#include "hw/text_streams.h"

namespace weir::hw {

struct Condition::Node {
    struct FactHolds {
        Fact fact;
        bool is_so;
        std::string words;
    };
    /// A fact that a group computes from its own parameters.
    struct OwnFact {
        std::string words;
        std::function<bool()> holds;
    };
    struct Joined {
        enum class By : std::uint8_t { kAnd, kOr };
        By by;
        std::vector<Condition> parts;
    };
    std::variant<Comparison, FactHolds, OwnFact, Joined> what;
};

namespace {

using Comparison = Condition::Comparison;
using Relation = Comparison::Relation;
using FactHolds = Condition::Node::FactHolds;
using OwnFact = Condition::Node::OwnFact;
using Joined = Condition::Node::Joined;

std::string text_of(const ParameterValue& value) {
    hw::TextWriter text;
    if (const auto* flag = std::get_if<bool>(&value)) {
        text << std::boolalpha << *flag;
    } else if (const auto* whole = std::get_if<std::int64_t>(&value)) {
        text << *whole;
    } else if (const auto* number = std::get_if<double>(&value)) {
        text << *number;
    } else if (const auto* name = std::get_if<std::string>(&value)) {
        text << '"' << *name << '"';
    }
    return text.str();
}

/// Values as a list for messages: `"mesh", "torus" or "hypercube"`.
std::string list_of(const std::vector<ParameterValue>& values) {
    std::string list;
    for (const ParameterValue& value : values) {
        const char* const between = &value == &values.back() ? " or " : ", ";
        list += (list.empty() ? "" : between) + text_of(value);
    }
    return list;
}

std::string text_of(const Comparison& comparison) {
    const std::string values = list_of(comparison.values);
    switch (comparison.relation) {
        case Relation::kIsOneOf:
            return comparison.key + " = " + values;
        case Relation::kIsNoneOf:
            return comparison.key + " other than " + values;
        case Relation::kAtLeast:
            return comparison.key + " of " + values + " or more";
        case Relation::kAbove:
            return comparison.key + " above " + values;
    }
    return {};
}

double number_of(const ParameterValue& value) {
    if (const auto* whole = std::get_if<std::int64_t>(&value)) {
        return static_cast<double>(*whole);
    }
    const auto* number = std::get_if<double>(&value);
    return number != nullptr ? *number : 0.0;
}

bool holds_of(const Comparison& comparison, const ParameterValue& value) {
    const std::vector<ParameterValue>& values = comparison.values;
    const bool is_named = std::find(values.begin(), values.end(), value) != values.end();
    switch (comparison.relation) {
        case Relation::kIsOneOf:
            return is_named;
        case Relation::kIsNoneOf:
            return !is_named;
        case Relation::kAtLeast:
            return number_of(value) >= number_of(values.front());
        case Relation::kAbove:
            return number_of(value) > number_of(values.front());
    }
    return false;
}

}  // namespace

Condition::Condition(Comparison comparison)
    : node_(std::make_shared<const Node>(Node{std::move(comparison)})) {}

Condition::Condition(Fact fact, bool is_so, std::string words)
    : node_(std::make_shared<const Node>(Node{FactHolds{fact, is_so, std::move(words)}})) {}

Condition Condition::that(std::string words, std::function<bool()> holds) {
    return Condition(
        std::make_shared<const Node>(Node{OwnFact{std::move(words), std::move(holds)}}));
}

Condition operator&&(const Condition& left, const Condition& right) {
    Condition both = left.is_always() ? right : left;
    if (!left.is_always() && !right.is_always()) {
        both = Condition(std::make_shared<const Condition::Node>(
            Condition::Node{Joined{Joined::By::kAnd, {left, right}}}));
    }
    both.changes_results_ = left.changes_results() && right.changes_results();
    return both;
}

Condition changes_speed_alone() {
    Condition condition;
    condition.changes_results_ = false;
    return condition;
}

Condition operator||(const Condition& left, const Condition& right) {
    if (left.is_always() || right.is_always()) {
        return {};
    }
    return Condition(std::make_shared<const Condition::Node>(
        Condition::Node{Joined{Joined::By::kOr, {left, right}}}));
}

bool Condition::holds(const Circumstances& circumstances) const {
    if (is_always()) {
        return true;
    }
    if (const auto* comparison = std::get_if<Comparison>(&node_->what)) {
        const std::optional<ParameterValue> value = circumstances.value_of(comparison->key);
        return value && holds_of(*comparison, *value);
    }
    if (const auto* fact = std::get_if<FactHolds>(&node_->what)) {
        return circumstances.is_so(fact->fact) == fact->is_so;
    }
    if (const auto* own = std::get_if<OwnFact>(&node_->what)) {
        return own->holds();
    }
    const auto& joined = std::get<Joined>(node_->what);
    const auto part_holds = [&](const Condition& part) { return part.holds(circumstances); };
    return joined.by == Joined::By::kAnd
               ? std::all_of(joined.parts.begin(), joined.parts.end(), part_holds)
               : std::any_of(joined.parts.begin(), joined.parts.end(), part_holds);
}

namespace {

bool is_alternative(const Joined& joined) { return joined.by == Joined::By::kOr; }

/// Joins the texts of the parts; alternatives within a conjunction are put in parentheses.
std::string joined_text(const Joined& joined,
                        const std::function<std::string(const Condition&)>& text_of_part) {
    std::vector<std::string> texts;
    for (const Condition& part : joined.parts) {
        if (std::string text = text_of_part(part); !text.empty()) {
            texts.push_back(std::move(text));
        }
    }
    const char* const between = is_alternative(joined) ? ", or " : " and ";
    std::string text;
    for (const std::string& part : texts) {
        const bool is_ambiguous =
            !is_alternative(joined) && texts.size() > 1 && part.find(", or ") != std::string::npos;
        text += (text.empty() ? "" : between) + (is_ambiguous ? "(" + part + ")" : part);
    }
    return text;
}

}  // namespace

std::string Condition::text() const {
    if (is_always()) {
        return {};
    }
    if (const auto* comparison = std::get_if<Comparison>(&node_->what)) {
        return text_of(*comparison);
    }
    if (const auto* fact = std::get_if<FactHolds>(&node_->what)) {
        return fact->words;
    }
    if (const auto* own = std::get_if<OwnFact>(&node_->what)) {
        return own->words;
    }
    return joined_text(std::get<Joined>(node_->what),
                       [](const Condition& part) { return part.text(); });
}

std::string Condition::missing(const Circumstances& circumstances) const {
    if (holds(circumstances)) {
        return {};
    }
    const auto* joined = std::get_if<Joined>(&node_->what);
    return joined == nullptr ? text() : joined_text(*joined, [&](const Condition& part) {
        return part.missing(circumstances);
    });
}

std::vector<Condition::Comparison> Condition::wanted() const {
    if (is_always()) {
        return {};
    }
    if (const auto* comparison = std::get_if<Comparison>(&node_->what)) {
        return {*comparison};
    }
    const auto* joined = std::get_if<Joined>(&node_->what);
    if (joined == nullptr) {
        return {};
    }
    std::vector<Comparison> all;
    for (const Condition& part : joined->parts) {
        const std::vector<Comparison> more = part.wanted();
        all.insert(all.end(), more.begin(), more.end());
        if (is_alternative(*joined)) {
            break;
        }
    }
    return all;
}

}  // namespace weir::hw
