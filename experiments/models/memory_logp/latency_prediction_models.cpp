#include "experiments/models/memory_logp/latency_prediction_models.h"

#include <algorithm>
#include <string>
#include <utility>

#include "experiments/models/memory_logp/latency_prediction.h"
#include "experiments/models/memory_logp/latency_prediction_inputs.h"

namespace weir::experiments::models {

namespace {

/// Where the destination lies until someone gives its address.
constexpr std::int64_t kAfterSource = -1;

/// A row a cache level, and one for the TLB.
struct LevelTable {
    explicit LevelTable(Model& model)
        : table{model,
                "levels",
                "Where the latency comes from, outwards, in the steady state",
                {{"level", "Which store"},
                 {"references_per_element", "Lookups here"},
                 {"first_repetition_misses_per_element", "Into an empty hierarchy"},
                 {"misses_per_element", "Of the pattern"},
                 {"contiguous_misses_per_element", "Of the same transfer of contiguous data"},
                 {"latency_cycles_per_element", "This level's part of l"}},
                "Section 8"} {}

    void fill(const LatencyPrediction& prediction) {
        for (std::size_t i = 0; i < prediction.levels.size(); ++i) {
            add("L" + std::to_string(i + 1), prediction.levels[i]);
        }
        if (prediction.tlb) {
            add("TLB", *prediction.tlb);
        }
    }

    OutputTable table;

  private:
    void add(std::string name, const LevelLatency& level) {
        table.add_row({std::move(name), level.references_per_element,
                       level.first_repetition_misses_per_element, level.misses_per_element,
                       level.contiguous_misses_per_element, level.latency_cycles_per_element()});
    }
};

/// l, as both predictions answer it.
struct LatencyOutputs {
    explicit LatencyOutputs(Model& model)
        : per_byte{model, "memory_latency_cycles_per_byte", "l", "What size and stride add",
                   "Section 8"},
          per_element{model, "memory_latency_cycles_per_element", "w_m l",
                      "The same for an element, the paper's word", "Section 8"} {}

    void fill(const LatencyPrediction& prediction, const AccessPattern& pattern) {
        per_element = prediction.latency_cycles_per_element();
        per_byte =
            prediction.latency_cycles_per_element() / static_cast<double>(pattern.element_bytes);
    }

    Output per_byte;
    Output per_element;
};

class MemoryLogpCurveFitModel final : public Model {
  public:
    MemoryLogpCurveFitModel()
        : Model("memory-logp-curve-fit", "The effective latency l, as the paper predicts it",
                "Memory logP (2003), section 8") {}

  private:
    void evaluate() override {
        const AccessPattern pattern = transfer_.pattern();
        const LatencyPrediction prediction =
            latency_from_fitted_curve(hierarchy_.geometry(), pattern);
        latency_.fill(prediction, pattern);
        const double o_plus_l = overhead_.value() + prediction.latency_cycles_per_element() /
                                                        static_cast<double>(pattern.element_bytes);
        cycles_per_byte_ = o_plus_l;
        least_cycles_per_byte_ = o_plus_l / (1.0 + kPublishedErrorAbove);
        most_cycles_per_byte_ = o_plus_l / (1.0 - kPublishedErrorBelow);
        levels_.fill(prediction);
        note(
            "The paper fits the stack distance curve by hand and does not print the fit. Used: a "
            "line is entered by min(1, d/B) of an array's references, and found again only where "
            "the lines of both arrays fit the level.");
        note(
            "The printed expansion has a term T_1 that the sum has not. It is left out: hits are "
            "in o.");
        note("l is the sum less the same sum for contiguous data, whose misses are in o.");
        note(
            "A miss pays for every level it passes, 7 + 70 cycles to the Pentium III's memory, "
            "as the expansion adds its terms.");
        note(
            "Stores cost what loads cost. The paper found packing at l = 0 and unpacking dominant; "
            "no equation says so.");
    }

    TransferInputs transfer_{*this};
    QuantityInput overhead_{*this, "memory_overhead_cycles_per_byte", "o_m",
                            "What a byte of contiguous data was measured to cost"};
    HierarchyInputs hierarchy_{*this};

    LatencyOutputs latency_{*this};
    Output cycles_per_byte_{*this, "cycles_per_byte", "o + l", "A byte, moved as it lies",
                            "Section 5"};
    Output least_cycles_per_byte_{*this, "least_cycles_per_byte", "",
                                  "What it is if the prediction is 80% too high", "Section 8"};
    Output most_cycles_per_byte_{*this, "most_cycles_per_byte", "",
                                 "What it is if the prediction is 60% too low", "Section 8"};
    LevelTable levels_{*this};
};

class MemoryLogpStackDistanceModel final : public Model {
  public:
    MemoryLogpStackDistanceModel()
        : Model("memory-logp-stack-distance",
                "The effective latency l from exact LRU hit rates, with ways and TLB",
                "Memory logP (2003), section 8, without its approximations") {}

  private:
    void evaluate() override {
        const MemoryHierarchyGeometry geometry = associativity_.geometry(hierarchy_);
        AccessPattern pattern = transfer_.pattern();
        if (!stores_elements(pattern)) {
            refuse_if_given(destination_address_, "transfer is \"read\"",
                            "with a transfer that stores");
        }
        const bool page_places_the_destination =
            stores_elements(pattern) && destination_address_.value() == kAfterSource;
        associativity_.refuse_what_is_not_read(geometry, page_places_the_destination);
        pattern.repetitions = repetitions_.value();
        pattern.source_address = source_address_.value();
        pattern.destination_address = destination_address(pattern, geometry.tlb.page_bytes);

        const LatencyPrediction prediction = latency_from_stack_distances(geometry, pattern);
        const auto w_m = static_cast<double>(pattern.element_bytes);
        const double pipeline = pipeline_cycles_per_element_.value();
        const double o = (pipeline + prediction.contiguous_miss_cycles_per_element()) / w_m;
        latency_.fill(prediction, pattern);
        overhead_ = o;
        cycles_per_byte_ = o + prediction.latency_cycles_per_element() / w_m;
        first_repetition_cycles_per_byte_ =
            (pipeline + prediction.first_repetition_miss_cycles_per_element()) / w_m;
        levels_.fill(prediction);
        add_notes(geometry, pattern);
    }

    /// The first page behind the source where none is given.
    [[nodiscard]] std::int64_t destination_address(AccessPattern pattern,
                                                   std::int64_t page_bytes) const {
        if (destination_address_.value() != kAfterSource || !stores_elements(pattern)) {
            return std::max(destination_address_.value(), std::int64_t{0});
        }
        pattern.destination_address = 0;
        require_access_pattern(pattern);
        const std::int64_t page = std::max(page_bytes, std::int64_t{1});
        const std::int64_t end = pattern.source_address + source_extent_bytes(pattern);
        return (end + page - 1) / page * page;
    }

    void add_notes(const MemoryHierarchyGeometry& geometry, const AccessPattern& pattern) {
        note(
            "Nothing overlaps: o is the pipeline's cycles and every miss of the contiguous "
            "transfer. A machine that prefetches has a smaller o; give memory-logp its measured "
            "one.");
        note(
            "Stores take their line in and cost what loads cost; lines written back cost "
            "nothing.");
        if (const auto levels = static_cast<std::int64_t>(geometry.levels.size());
            pattern.repetitions <= levels) {
            note("Not surely the steady state: " + std::to_string(levels) +
                 " levels repeat themselves from repetition " + std::to_string(levels + 1) +
                 " on.");
        }
        if (!hierarchy_.is_custom()) {
            note(hierarchy_.assumptions());
        }
    }

    TransferInputs transfer_{*this};
    CountInput repetitions_{*this,
                            "repetitions",
                            "",
                            "Passes over the same data; the last one counts",
                            Limits{1.0, 1e6},
                            3};
    CountInput source_address_{
        *this, "source_address", "", "Of the first element loaded", Limits{0.0, kLargestQuantity},
        0};
    CountInput destination_address_{*this,
                                    "destination_address",
                                    "",
                                    "Of the first one stored; -1: the page after the source",
                                    Limits{static_cast<double>(kAfterSource), kLargestQuantity},
                                    kAfterSource};
    QuantityInput pipeline_cycles_per_element_{*this, "pipeline_cycles_per_element", "cpi",
                                               "An element where everything hits"};
    HierarchyInputs hierarchy_{*this};
    AssociativityInputs associativity_{*this};

    LatencyOutputs latency_{*this};
    Output overhead_{*this, "memory_overhead_cycles_per_byte", "o_m",
                     "Contiguous data: pipeline and misses, no overlap", "Section 4"};
    Output cycles_per_byte_{*this, "cycles_per_byte", "o + l", "A byte, moved as it lies",
                            "Section 5"};
    Output first_repetition_cycles_per_byte_{*this, "first_repetition_cycles_per_byte", "",
                                             "The same in the first pass, from empty caches"};
    LevelTable levels_{*this};
};

}  // namespace

std::unique_ptr<Model> memory_logp_curve_fit_model() {
    return std::make_unique<MemoryLogpCurveFitModel>();
}

std::unique_ptr<Model> memory_logp_stack_distance_model() {
    return std::make_unique<MemoryLogpStackDistanceModel>();
}

}  // namespace weir::experiments::models
