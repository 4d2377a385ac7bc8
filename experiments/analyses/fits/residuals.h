#pragma once

#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "experiments/records/model_fit.h"
#include "experiments/statistics/sample.h"

namespace weir::experiments::analyses {

/// One sentence: how well the model fits, and where it does not. Empty without residuals.
[[nodiscard]] std::string fit_summary(const records::ModelFit& fit);

/// Residuals of a fit, grouped by properties of the things that were timed.
template <class Timed>
class ResidualsOf {
  public:
    using Property = std::function<double(const Timed&)>;

    void group(const std::string& over, const std::string& label, Property at) {
        groups_.push_back({{over, label, {}}, std::move(at), {}});
    }

    void add(const Timed& timed, double measured, double predicted) {
        const double residual = measured - predicted;
        times_.values.push_back(measured);
        residuals_.values.push_back(residual);
        absolute_.values.push_back(std::abs(residual));
        for (Group& group : groups_) {
            group.samples[group.at(timed)].values.push_back(residual);
        }
    }

    /// Writes means, groups and summary into the fit. Without residuals it stays as it is.
    void finish(records::ModelFit& fit) const {
        if (times_.values.empty()) {
            return;
        }
        fit.mean_time = times_.mean();
        fit.mean_residual = residuals_.mean();
        fit.mean_absolute_residual = absolute_.mean();
        for (const Group& group : groups_) {
            fit.residuals.push_back(group.residuals);
            for (const auto& [at, sample] : group.samples) {
                fit.residuals.back().groups.push_back(
                    {at, static_cast<std::int64_t>(sample.values.size()), sample.mean(),
                     sample.half_width()});
            }
        }
        fit.summary = fit_summary(fit);
    }

  private:
    struct Group {
        records::Residuals residuals;
        Property at;
        std::map<double, statistics::Sample> samples;
    };

    std::vector<Group> groups_;
    statistics::Sample times_;
    statistics::Sample residuals_;
    statistics::Sample absolute_;
};

}  // namespace weir::experiments::analyses
