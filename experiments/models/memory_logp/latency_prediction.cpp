#include "experiments/models/memory_logp/latency_prediction.h"

#include <algorithm>
#include <cmath>

#include "experiments/models/catalogue/model.h"
#include "experiments/models/memory_logp/hierarchy_misses.h"
#include "experiments/models/model_error.h"

namespace weir::experiments::models {

namespace {

/// Lines of an array that a pass enters: n min(1, d/B), at least one.
double lines_entered(const AccessPattern& pattern, std::int64_t stride_bytes,
                     std::int64_t line_bytes) {
    const double share =
        std::min(1.0, static_cast<double>(stride_bytes) / static_cast<double>(line_bytes));
    return std::max(1.0, static_cast<double>(pattern.elements) * share);
}

/// Lines of both arrays that a pass enters.
double footprint_lines(const AccessPattern& pattern, std::int64_t line_bytes) {
    double lines = lines_entered(pattern, source_stride_bytes(pattern), line_bytes);
    if (stores_elements(pattern)) {
        lines += lines_entered(pattern, destination_stride_bytes(pattern), line_bytes);
    }
    return lines;
}

/// (1 - P_(j+1)) for an element: the integral of the fitted curve beyond S_j.
double fitted_misses_per_element(const CacheLevelGeometry& level, const AccessPattern& pattern) {
    const double lines = footprint_lines(pattern, level.line_bytes);
    return lines <= static_cast<double>(level.lines())
               ? 0.0
               : lines / static_cast<double>(pattern.elements);
}

double per_element(std::int64_t count, const AccessPattern& pattern) {
    return static_cast<double>(count) / static_cast<double>(pattern.elements);
}

LevelLatency level_latency(double miss_cycles, const std::vector<RepetitionMisses>& strided,
                           const std::vector<RepetitionMisses>& ideal,
                           const AccessPattern& pattern) {
    return {miss_cycles, per_element(strided.front().misses, pattern),
            per_element(strided.back().references, pattern),
            per_element(strided.back().misses, pattern), per_element(ideal.back().misses, pattern)};
}

}  // namespace

double LatencyPrediction::latency_cycles_per_element() const {
    double cycles = tlb ? tlb->latency_cycles_per_element() : 0.0;
    for (const LevelLatency& level : levels) {
        cycles += level.latency_cycles_per_element();
    }
    return cycles;
}

double LatencyPrediction::contiguous_miss_cycles_per_element() const {
    double cycles = tlb ? tlb->contiguous_misses_per_element * tlb->miss_cycles : 0.0;
    for (const LevelLatency& level : levels) {
        cycles += level.contiguous_misses_per_element * level.miss_cycles;
    }
    return cycles;
}

double LatencyPrediction::miss_cycles_per_element() const {
    double cycles = tlb ? tlb->misses_per_element * tlb->miss_cycles : 0.0;
    for (const LevelLatency& level : levels) {
        cycles += level.misses_per_element * level.miss_cycles;
    }
    return cycles;
}

double LatencyPrediction::first_repetition_miss_cycles_per_element() const {
    double cycles = tlb ? tlb->first_repetition_misses_per_element * tlb->miss_cycles : 0.0;
    for (const LevelLatency& level : levels) {
        cycles += level.first_repetition_misses_per_element * level.miss_cycles;
    }
    return cycles;
}

LatencyPrediction latency_from_fitted_curve(const MemoryHierarchyGeometry& geometry,
                                            const AccessPattern& pattern) {
    require_memory_hierarchy(geometry);
    require_access_pattern(pattern);
    LatencyPrediction prediction;
    double references_per_element = stores_elements(pattern) ? 2.0 : 1.0;
    for (const CacheLevelGeometry& level : geometry.levels) {
        prediction.levels.push_back(
            {level.miss_cycles,
             footprint_lines(pattern, level.line_bytes) / static_cast<double>(pattern.elements),
             references_per_element, fitted_misses_per_element(level, pattern),
             fitted_misses_per_element(level, contiguous(pattern))});
        references_per_element = prediction.levels.back().misses_per_element;
    }
    return prediction;
}

LatencyPrediction latency_from_stack_distances(const MemoryHierarchyGeometry& geometry,
                                               const AccessPattern& pattern) {
    const HierarchyMisses strided = misses_from_stack_distances(geometry, pattern);
    const HierarchyMisses ideal = misses_from_stack_distances(geometry, contiguous(pattern));
    LatencyPrediction prediction;
    for (std::size_t i = 0; i < geometry.levels.size(); ++i) {
        prediction.levels.push_back(level_latency(geometry.levels[i].miss_cycles, strided.levels[i],
                                                  ideal.levels[i], pattern));
    }
    if (!strided.tlb.empty()) {
        prediction.tlb = level_latency(geometry.tlb.walk_cycles, strided.tlb, ideal.tlb, pattern);
    }
    return prediction;
}

namespace {

constexpr Limits kCounted = {1.0, kLargestQuantity};

/// Default of an input that keeps the hierarchy's own value.
constexpr std::int64_t kHierarchysOwn = -1;
constexpr Limits kHierarchysOwnOrMore = {static_cast<double>(kHierarchysOwn), kLargestQuantity};

/// Default of destination_address: the page after the source.
constexpr std::int64_t kAfterSource = -1;

void declare_transfer(Model& model, AccessPattern& pattern) {
    model.choice(pattern.kind, "transfer",
                 "Strided arrays: source and destination (copy), source (pack), destination "
                 "(unpack); or reads alone",
                 {"copy", "pack", "unpack", "read"});
    model.input(WEIR_NAMED(pattern, element_bytes), "w_m",
                "Number of bytes of an element: 4 for integers, 8 for doubles", kCounted);
    model.input(WEIR_NAMED(pattern, stride_bytes), "d",
                "Distance in bytes from one element to the next; w_m: contiguous", kCounted);
    model.input(WEIR_NAMED(pattern, elements), "s/w_m", "Number of elements moved", kCounted);
}

/// Input that is a list with one number for each level. An empty list keeps the hierarchy's own
/// numbers.
class LevelList {
  public:
    void declare(Model& model, const std::string& name, const std::string& symbol,
                 const std::string& sentence, Limits limits = {}) {
        model.input(numbers_, name, symbol, sentence, limits, true);
        input_ = model.inputs().back();
    }

    [[nodiscard]] std::size_t size() const { return numbers_.size(); }
    /// Throws ModelError if the list is empty.
    void require_given() const {
        if (numbers_.empty()) {
            throw ModelError(input_->title() + " is not given",
                             input_->accepted() + ", where hierarchy is \"custom\"");
        }
    }
    /// Throws ModelError unless the list has one number for each level, whole numbers for counts.
    template <typename Number>
    void apply(std::vector<CacheLevelGeometry>& levels, Number CacheLevelGeometry::*member) const {
        if (!numbers_.empty() && numbers_.size() != levels.size()) {
            throw ModelError(input_->title() + " is " + input_->value_text(),
                             "one number for each level, " + std::to_string(levels.size()));
        }
        for (std::size_t i = 0; i < numbers_.size(); ++i) {
            if (std::is_integral_v<Number> && std::trunc(numbers_[i]) != numbers_[i]) {
                throw ModelError(input_->title() + " is " + input_->value_text(), "whole numbers");
            }
            levels[i].*member = static_cast<Number>(numbers_[i]);
        }
    }

  private:
    std::vector<double> numbers_;
    const Input* input_ = nullptr;
};

/// Inputs of a machine's caches for the paper's prediction: sizes, lines and costs of misses.
class HierarchyInputs {
  public:
    void declare(Model& model) {
        model.choice(name_, "hierarchy", "Memory hierarchy: a machine of section 6, or custom",
                     {"pentium3", "r10000", "custom"});
        bytes_.declare(model, "level_bytes", "S_j",
                       "Cache sizes, first level first; []: the hierarchy's own", kCounted);
        line_bytes_.declare(model, "level_line_bytes", "",
                            "Line sizes, first level first; []: the hierarchy's own", kCounted);
        miss_cycles_.declare(
            model, "level_miss_cycles", "T_(j+1)",
            "Time that a miss of each level adds, first level first; []: the hierarchy's own");
    }

    /// The hierarchy's geometry with the inputs that were given. A custom hierarchy has no TLB, and
    /// is fully associative.
    [[nodiscard]] MemoryHierarchyGeometry geometry() const {
        MemoryHierarchyGeometry geometry;
        if (is_custom()) {
            for (const LevelList* list : {&bytes_, &line_bytes_, &miss_cycles_}) {
                list->require_given();
            }
            geometry.levels.resize(bytes_.size());
        } else {
            geometry = name_ == "r10000" ? r10000_hierarchy() : pentium3_hierarchy();
        }
        bytes_.apply(geometry.levels, &CacheLevelGeometry::bytes);
        line_bytes_.apply(geometry.levels, &CacheLevelGeometry::line_bytes);
        miss_cycles_.apply(geometry.levels, &CacheLevelGeometry::miss_cycles);
        return geometry;
    }
    [[nodiscard]] bool is_custom() const { return name_ == "custom"; }
    /// Assumptions about the chosen machine; those of pentium3 unless it is r10000.
    [[nodiscard]] std::string assumptions() const {
        return name_ == "r10000" ? r10000_assumptions() : pentium3_assumptions();
    }

  private:
    std::string name_;
    LevelList bytes_;
    LevelList line_bytes_;
    LevelList miss_cycles_;
};

/// Declares l as outputs of a prediction.
void declare_latency(Model& model, const LatencyPrediction& prediction,
                     const AccessPattern& pattern) {
    model.output(
        [&prediction, &pattern] {
            return prediction.latency_cycles_per_element() /
                   static_cast<double>(pattern.element_bytes);
        },
        "memory_latency_cycles_per_byte", "l",
        "Effective latency: time per byte that size and stride add", "Section 8");
    model.output([&prediction] { return prediction.latency_cycles_per_element(); },
                 "memory_latency_cycles_per_element", "w_m l",
                 "Effective latency: time per element that size and stride add", "Section 8");
}

/// Table with a row for each cache level, and one for the TLB.
OutputTable levels_table(Model& model) {
    return {model,
            "levels",
            "Lookups, misses and latency of each level in the steady state, first level first",
            {{"level", "Cache level, or TLB"},
             {"references_per_element", "Number of lookups in this level per element"},
             {"first_repetition_misses_per_element",
              "Misses of this level per element in the first pass, from empty caches"},
             {"misses_per_element", "Misses of this level per element of the transfer"},
             {"contiguous_misses_per_element",
              "Misses of this level per element of the same transfer with contiguous data"},
             {"latency_cycles_per_element", "Part of the latency l due to this level"}},
            "Section 8"};
}

void fill_levels(OutputTable& table, const LatencyPrediction& prediction) {
    const auto add = [&](std::string name, const LevelLatency& level) {
        table.add_row({std::move(name), level.references_per_element,
                       level.first_repetition_misses_per_element, level.misses_per_element,
                       level.contiguous_misses_per_element, level.latency_cycles_per_element()});
    };
    for (std::size_t i = 0; i < prediction.levels.size(); ++i) {
        add("L" + std::to_string(i + 1), prediction.levels[i]);
    }
    if (prediction.tlb) {
        add("TLB", *prediction.tlb);
    }
}

class MemoryLogpCurveFitModel final : public Model {
  public:
    MemoryLogpCurveFitModel()
        : Model("memory-logp-curve-fit",
                "Effective latency l from the paper's fitted stack distance curve",
                "Memory logP (2003), section 8") {
        declare_transfer(*this, pattern_);
        input(overhead_, "memory_overhead_cycles_per_byte", "o_m",
              "Measured time per byte of contiguous data");
        hierarchy_.declare(*this);
        declare_latency(*this, prediction_, pattern_);
        output([this] { return cycles_per_byte(); }, "cycles_per_byte", "o + l",
               "Time per byte of the transfer: overhead and latency", "Section 5");
        output([this] { return cycles_per_byte() / (1.0 + kPublishedErrorAbove); },
               "least_cycles_per_byte", "",
               "Lower end of the paper's error range: cycles_per_byte if the prediction is 80 % "
               "too high",
               "Section 8");
        output([this] { return cycles_per_byte() / (1.0 - kPublishedErrorBelow); },
               "most_cycles_per_byte", "",
               "Upper end of the paper's error range: cycles_per_byte if the prediction is 60 % "
               "too low",
               "Section 8");
    }

  private:
    [[nodiscard]] double cycles_per_byte() const {
        return overhead_ + prediction_.latency_cycles_per_element() /
                               static_cast<double>(pattern_.element_bytes);
    }

    void evaluate() override {
        prediction_ = latency_from_fitted_curve(hierarchy_.geometry(), pattern_);
        fill_levels(levels_, prediction_);
        note(
            "The paper fits the stack distance curve by hand and does not print the fit. Here "
            "min(1, d/B) of an array's references enter a new line; a level keeps lines only if "
            "those of both arrays fit.");
        note(
            "The printed expansion has a term T_1 that the sum does not have. T_1 is left "
            "out here, since o includes hits.");
        note(
            "l is the sum less the same sum for contiguous data, since o includes the misses of "
            "contiguous data.");
        note(
            "A miss pays for every level that it passes, as in the printed expansion: 7 + 70 "
            "cycles to the Pentium III's memory.");
        note(
            "Stores cost as much as loads. The paper measured l = 0 for packing and found "
            "unpacking dominant; its equations do not show this.");
    }

    AccessPattern pattern_;
    double overhead_ = kNotGiven;
    HierarchyInputs hierarchy_;
    LatencyPrediction prediction_;
    OutputTable levels_ = levels_table(*this);
};

class MemoryLogpStackDistanceModel final : public Model {
  public:
    MemoryLogpStackDistanceModel()
        : Model("memory-logp-stack-distance",
                "Effective latency l from exact LRU hit rates, with associativity and TLB",
                "Memory logP (2003), section 8, without its approximations") {
        declare_transfer(*this, pattern_);
        input(WEIR_NAMED(pattern_, repetitions), "",
              "Number of passes over the same data; results are those of the last pass",
              {1.0, 1e6});
        input(WEIR_NAMED(pattern_, source_address), "", "Address of the first element loaded",
              {0.0, kLargestQuantity});
        input(destination_address_, "destination_address", "",
              "Address of the first element stored; -1: start of the page after the source",
              {static_cast<double>(kAfterSource), kLargestQuantity});
        input(pipeline_, "pipeline_cycles_per_element", "cpi",
              "Time per element if all references hit");
        hierarchy_.declare(*this);
        ways_.declare(*this, "level_ways", "",
                      "Number of ways of each level, first level first; 0: fully associative; []: "
                      "the hierarchy's own");
        input(tlb_.entries, "tlb_entries", "",
              "Number of TLB entries; 0: no TLB; -1: the hierarchy's own", kHierarchysOwnOrMore);
        input(tlb_.ways, "tlb_ways", "",
              "Number of ways of the TLB; 0: fully associative; -1: the hierarchy's own",
              kHierarchysOwnOrMore);
        input(WEIR_NAMED(tlb_, page_bytes), "", "Page size of the TLB; -1: the hierarchy's own",
              kHierarchysOwnOrMore);
        input(tlb_.walk_cycles, "tlb_walk_cycles", "",
              "Time that a TLB miss adds; -1: the hierarchy's own", kHierarchysOwnOrMore);

        declare_latency(*this, prediction_, pattern_);
        output([this] { return overhead(); }, "memory_overhead_cycles_per_byte", "o_m",
               "Time per byte of contiguous data: pipeline and misses, which do not overlap",
               "Section 4");
        output(
            [this] { return overhead() + prediction_.latency_cycles_per_element() / word_bytes(); },
            "cycles_per_byte", "o + l", "Time per byte of the transfer: overhead and latency",
            "Section 5");
        output(
            [this] {
                return (pipeline_ + prediction_.first_repetition_miss_cycles_per_element()) /
                       word_bytes();
            },
            "first_repetition_cycles_per_byte", "",
            "Time per byte in the first pass, from empty caches");
    }

  private:
    [[nodiscard]] double word_bytes() const { return static_cast<double>(pattern_.element_bytes); }
    [[nodiscard]] double overhead() const {
        return (pipeline_ + prediction_.contiguous_miss_cycles_per_element()) / word_bytes();
    }

    void evaluate() override {
        const MemoryHierarchyGeometry geometry = chosen_geometry();
        if (!stores_elements(pattern_)) {
            refuse_if_given("destination_address", "transfer is \"read\"",
                            "with a transfer that stores");
        }
        refuse_tlb_that_is_not_read(geometry);
        pattern_.destination_address = chosen_destination(geometry.tlb.page_bytes);
        prediction_ = latency_from_stack_distances(geometry, pattern_);
        fill_levels(levels_, prediction_);
        add_notes(geometry);
    }

    /// The hierarchy's geometry with the given ways and TLB.
    [[nodiscard]] MemoryHierarchyGeometry chosen_geometry() const {
        const auto replace = [](auto& own, auto given) {
            own = given == kHierarchysOwn ? own : given;
        };
        MemoryHierarchyGeometry geometry = hierarchy_.geometry();
        if (hierarchy_.is_custom()) {
            ways_.require_given();
        }
        ways_.apply(geometry.levels, &CacheLevelGeometry::ways);
        replace(geometry.tlb.entries, tlb_.entries);
        replace(geometry.tlb.ways, tlb_.ways);
        replace(geometry.tlb.page_bytes, tlb_.page_bytes);
        replace(geometry.tlb.walk_cycles, tlb_.walk_cycles);
        return geometry;
    }

    /// Without a TLB, page_bytes may be given if it places the destination.
    void refuse_tlb_that_is_not_read(const MemoryHierarchyGeometry& geometry) const {
        if (geometry.tlb.entries != 0) {
            return;
        }
        const std::string because = "there is no TLB (tlb_entries)";
        const std::string accepted = "with tlb_entries of 1 or more";
        refuse_if_given("tlb_ways", because, accepted);
        refuse_if_given("tlb_walk_cycles", because, accepted);
        if (!stores_elements(pattern_) || destination_address_ != kAfterSource) {
            refuse_if_given("page_bytes", because, accepted);
        }
    }

    /// The address given, or else that of the first page after the source.
    [[nodiscard]] std::int64_t chosen_destination(std::int64_t page_bytes) const {
        if (destination_address_ != kAfterSource || !stores_elements(pattern_)) {
            return std::max(destination_address_, std::int64_t{0});
        }
        AccessPattern pattern = pattern_;
        pattern.destination_address = 0;
        require_access_pattern(pattern);
        const std::int64_t page = std::max(page_bytes, std::int64_t{1});
        const std::int64_t end = pattern.source_address + source_extent_bytes(pattern);
        return (end + page - 1) / page * page;
    }

    void add_notes(const MemoryHierarchyGeometry& geometry) {
        note(
            "Nothing overlaps: o is the pipeline time and every miss of the contiguous transfer. "
            "On a machine that prefetches, o is smaller; use memory-logp with the measured o.");
        note(
            "A store that misses fetches its line and costs as much as a load; writing lines back "
            "costs nothing.");
        if (const auto levels = static_cast<std::int64_t>(geometry.levels.size());
            pattern_.repetitions <= levels) {
            note("The last repetition may not be the steady state: the misses of " +
                 std::to_string(levels) + " levels repeat from repetition " +
                 std::to_string(levels + 1) + " on.");
        }
        if (!hierarchy_.is_custom()) {
            note(hierarchy_.assumptions());
        }
    }

    AccessPattern pattern_{.repetitions = 3};
    std::int64_t destination_address_ = kAfterSource;
    double pipeline_ = kNotGiven;
    HierarchyInputs hierarchy_;
    LevelList ways_;
    TlbGeometry tlb_{kHierarchysOwn, kHierarchysOwn, kHierarchysOwn,
                     static_cast<double>(kHierarchysOwn)};
    LatencyPrediction prediction_;
    OutputTable levels_ = levels_table(*this);
};

}  // namespace

std::unique_ptr<Model> memory_logp_curve_fit_model() {
    return std::make_unique<MemoryLogpCurveFitModel>();
}

std::unique_ptr<Model> memory_logp_stack_distance_model() {
    return std::make_unique<MemoryLogpStackDistanceModel>();
}

}  // namespace weir::experiments::models
