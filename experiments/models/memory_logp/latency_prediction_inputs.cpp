#include "experiments/models/memory_logp/latency_prediction_inputs.h"

#include <cmath>
#include <utility>

#include "experiments/models/model_error.h"

namespace weir::experiments::models {

namespace {

constexpr Limits kHierarchysOwnOrMore = {static_cast<double>(kHierarchysOwn), kLargestQuantity};

void replace(std::int64_t& own, const CountInput& given) {
    if (given.value() != kHierarchysOwn) {
        own = given.value();
    }
}

}  // namespace

TransferInputs::TransferInputs(Model& model)
    : kind_{model,
            "transfer",
            "Which array is strided: both, source, destination, or read only",
            {"copy", "pack", "unpack", "read"}},
      element_bytes_{model, "element_bytes", "w_m", "An element: 4 for integers, 8 for doubles",
                     kSomeBytes},
      stride_bytes_{model, "stride_bytes", "d", "From one element to the next; w_m is contiguous",
                    kSomeBytes},
      elements_{model, "elements", "s/w_m", "Elements moved", kSomeBytes} {}

AccessPattern TransferInputs::pattern() const {
    AccessPattern pattern;
    if (kind_.value() == "pack") {
        pattern.kind = TransferKind::kPack;
    } else if (kind_.value() == "unpack") {
        pattern.kind = TransferKind::kUnpack;
    } else if (kind_.value() == "read") {
        pattern.kind = TransferKind::kRead;
    }
    pattern.element_bytes = element_bytes_.value();
    pattern.stride_bytes = stride_bytes_.value();
    pattern.elements = elements_.value();
    return pattern;
}

LevelListInput::LevelListInput(Model& model, std::string name, std::string symbol,
                               std::string sentence, Limits limits)
    : list_{model,  std::move(name),      std::move(symbol), std::move(sentence),
            limits, std::vector<double>{}} {}

void LevelListInput::require_given() const {
    if (list_.value().empty()) {
        throw ModelError(list_.title() + " is not given",
                         list_.accepted() + ", where hierarchy is \"custom\"");
    }
}

void LevelListInput::apply(std::vector<CacheLevelGeometry>& levels,
                           const std::function<void(CacheLevelGeometry&, double)>& take) const {
    const std::vector<double>& numbers = list_.value();
    if (numbers.empty()) {
        return;
    }
    if (numbers.size() != levels.size()) {
        throw ModelError(list_.title() + " is " + list_.value_text(),
                         "one number a level, " + std::to_string(levels.size()));
    }
    for (std::size_t i = 0; i < levels.size(); ++i) {
        take(levels[i], numbers[i]);
    }
}

std::int64_t LevelListInput::whole(double number) const {
    if (std::trunc(number) != number) {
        throw ModelError(list_.title() + " is " + list_.value_text(), "whole numbers");
    }
    return static_cast<std::int64_t>(number);
}

HierarchyInputs::HierarchyInputs(Model& model)
    : name_{model,
            "hierarchy",
            "A machine of section 6, or custom",
            {"pentium3", "r10000", "custom"}},
      bytes_{model, "level_bytes", "S_j", "Cache sizes, outwards; []: the hierarchy's own",
             kSomeBytes},
      line_bytes_{model, "level_line_bytes", "", "Cache lines; []: the hierarchy's own",
                  kSomeBytes},
      miss_cycles_{model, "level_miss_cycles", "T_(j+1)",
                   "What a miss at each level adds; []: the hierarchy's own"} {}

MemoryHierarchyGeometry HierarchyInputs::geometry() const {
    MemoryHierarchyGeometry geometry;
    if (is_custom()) {
        for (const LevelListInput* list : {&bytes_, &line_bytes_, &miss_cycles_}) {
            list->require_given();
        }
        geometry.levels.resize(bytes_.size());
    } else {
        geometry = name_.value() == "r10000" ? r10000_hierarchy() : pentium3_hierarchy();
    }
    bytes_.apply(geometry.levels, [this](CacheLevelGeometry& level, double number) {
        level.bytes = bytes_.whole(number);
    });
    line_bytes_.apply(geometry.levels, [this](CacheLevelGeometry& level, double number) {
        level.line_bytes = line_bytes_.whole(number);
    });
    miss_cycles_.apply(geometry.levels, [](CacheLevelGeometry& level, double number) {
        level.miss_cycles = number;
    });
    return geometry;
}

std::string HierarchyInputs::assumptions() const {
    if (is_custom()) {
        return "";
    }
    return name_.value() == "r10000" ? r10000_assumptions() : pentium3_assumptions();
}

AssociativityInputs::AssociativityInputs(Model& model)
    : ways_{model, "level_ways", "",
            "Lines a set of each level; 0: fully associative; []: its own"},
      tlb_entries_{model,
                   "tlb_entries",
                   "",
                   "TLB entries; 0: none; -1: the hierarchy's own",
                   kHierarchysOwnOrMore,
                   kHierarchysOwn},
      tlb_ways_{model,
                "tlb_ways",
                "",
                "Entries a set; 0: fully associative; -1: the hierarchy's own",
                kHierarchysOwnOrMore,
                kHierarchysOwn},
      page_bytes_{
          model,         "page_bytes", "", "A page; -1: the hierarchy's own", kHierarchysOwnOrMore,
          kHierarchysOwn},
      walk_cycles_{model,
                   "tlb_walk_cycles",
                   "",
                   "What a TLB miss adds; -1: the hierarchy's own",
                   kHierarchysOwnOrMore,
                   static_cast<double>(kHierarchysOwn)} {}

MemoryHierarchyGeometry AssociativityInputs::geometry(const HierarchyInputs& hierarchy) const {
    MemoryHierarchyGeometry geometry = hierarchy.geometry();
    if (hierarchy.is_custom()) {
        ways_.require_given();
    }
    ways_.apply(geometry.levels, [this](CacheLevelGeometry& level, double number) {
        level.ways = ways_.whole(number);
    });
    replace(geometry.tlb.entries, tlb_entries_);
    replace(geometry.tlb.ways, tlb_ways_);
    replace(geometry.tlb.page_bytes, page_bytes_);
    if (walk_cycles_.value() != static_cast<double>(kHierarchysOwn)) {
        geometry.tlb.walk_cycles = walk_cycles_.value();
    }
    return geometry;
}

void AssociativityInputs::refuse_what_is_not_read(const MemoryHierarchyGeometry& geometry,
                                                  bool page_places_the_destination) const {
    if (geometry.tlb.entries != 0) {
        return;
    }
    const std::string because = "there is no TLB (tlb_entries)";
    const std::string accepted = "with tlb_entries of 1 or more";
    refuse_if_given(tlb_ways_, because, accepted);
    refuse_if_given(walk_cycles_, because, accepted);
    if (!page_places_the_destination) {
        refuse_if_given(page_bytes_, because, accepted);
    }
}

}  // namespace weir::experiments::models
