#pragma once

#include <nlohmann/json.hpp>

#include "experiments/analyses/kernel_analysis.h"
#include "experiments/records/json_fields.h"

namespace weir::experiments::analyses {

/// Analysis of the kernel class K, whose K::Facts describe its run.
template <class K>
class AnalysisOf : public KernelAnalysis {
  public:
    [[nodiscard]] nlohmann::ordered_json facts(const firmware::Kernel& kernel) const final {
        return dynamic_cast<const K&>(kernel.described()).facts();
    }

  protected:
    using Facts = typename K::Facts;
    [[nodiscard]] static Facts facts_of(const nlohmann::ordered_json& facts) {
        return facts.get<Facts>();
    }
    [[nodiscard]] static Facts facts_of(const records::HeldJson& facts) { return facts_of(*facts); }
};

}  // namespace weir::experiments::analyses
