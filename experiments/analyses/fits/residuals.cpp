#include "experiments/analyses/fits/residuals.h"

#include <fmt/format.h>

namespace weir::experiments::analyses {

std::string fit_summary(const records::ModelFit& fit) {
    const records::Residuals* over = nullptr;
    const records::ResidualGroup* farthest = nullptr;
    for (const records::Residuals& residuals : fit.residuals) {
        for (const records::ResidualGroup& group : residuals.groups) {
            if (farthest == nullptr || std::abs(group.mean) > std::abs(farthest->mean)) {
                over = &residuals;
                farthest = &group;
            }
        }
    }
    if (farthest == nullptr || fit.mean_time <= 0.0) {
        return {};
    }
    const auto percent = [&fit](double time) { return 100.0 * time / fit.mean_time; };
    const int digits = fit.unit == "cycles" ? 1 : 3;
    return fmt::format(
        "{} misses the time of a {} by {:.{}f} {} in the mean ({:.1f} %); the largest mean "
        "residual is {:+.{}f} {} ({:+.1f} %), at {} {:.6g}.",
        fit.model, fit.subject, fit.mean_absolute_residual, digits, fit.unit,
        percent(fit.mean_absolute_residual), farthest->mean, digits, fit.unit,
        percent(farthest->mean), over->label, farthest->at);
}

}  // namespace weir::experiments::analyses
