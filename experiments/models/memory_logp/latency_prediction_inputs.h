#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "experiments/models/catalogue/model.h"
#include "experiments/models/memory_logp/access_pattern.h"
#include "experiments/models/memory_logp/memory_hierarchy_geometry.h"

/// Groups of inputs that models of memory transfers share: the transfer, the cache hierarchy, and
/// what only an exact prediction looks at. A model has them as members; each group adds its inputs
/// to the model and makes the typed struct of them.
namespace weir::experiments::models {

constexpr Limits kSomeBytes = {1.0, kLargestQuantity};

/// What a number of the hierarchy holds until someone gives it another value than the hierarchy's
/// own.
constexpr std::int64_t kHierarchysOwn = -1;

class TransferInputs {
  public:
    explicit TransferInputs(Model& model);

    /// One repetition, at addresses 0.
    [[nodiscard]] AccessPattern pattern() const;

  private:
    ChoiceInput kind_;
    CountInput element_bytes_;
    CountInput stride_bytes_;
    CountInput elements_;
};

/// A list with one number a level. Empty, it leaves every level its hierarchy's own.
class LevelListInput {
  public:
    LevelListInput(Model& model, std::string name, std::string symbol, std::string sentence,
                   Limits limits = {});

    [[nodiscard]] std::size_t size() const { return list_.value().size(); }
    /// ModelError where it is empty.
    void require_given() const;
    /// Calls take(level, number) for each number, where there are any. ModelError unless they are
    /// as many as levels.
    void apply(std::vector<CacheLevelGeometry>& levels,
               const std::function<void(CacheLevelGeometry&, double)>& take) const;
    /// ModelError unless the number is whole.
    [[nodiscard]] std::int64_t whole(double number) const;

  private:
    ListInput list_;
};

/// A machine's caches: sizes, lines and costs, which are all the paper's prediction looks at.
class HierarchyInputs {
  public:
    explicit HierarchyInputs(Model& model);

    /// The machine's geometry with what was given in place of its own; a custom one has no TLB and
    /// full associativity.
    [[nodiscard]] MemoryHierarchyGeometry geometry() const;
    [[nodiscard]] bool is_custom() const { return name_.value() == "custom"; }
    /// What of the machine is assumed; empty for a custom one.
    [[nodiscard]] std::string assumptions() const;

  private:
    ChoiceInput name_;
    LevelListInput bytes_;
    LevelListInput line_bytes_;
    LevelListInput miss_cycles_;
};

/// Ways and the TLB.
class AssociativityInputs {
  public:
    explicit AssociativityInputs(Model& model);

    /// The hierarchy's geometry with the ways and the TLB given here.
    [[nodiscard]] MemoryHierarchyGeometry geometry(const HierarchyInputs& hierarchy) const;

    /// ModelError if something of a TLB is given and the geometry has none. A page's length counts
    /// as read where the destination lies on the page after the source.
    void refuse_what_is_not_read(const MemoryHierarchyGeometry& geometry,
                                 bool page_places_the_destination) const;

  private:
    LevelListInput ways_;
    CountInput tlb_entries_;
    CountInput tlb_ways_;
    CountInput page_bytes_;
    QuantityInput walk_cycles_;
};

}  // namespace weir::experiments::models
