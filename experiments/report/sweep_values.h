#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiments/report/varied_points.h"
#include "experiments/run/result.h"
#include "experiments/sweep/sweep_database.h"
#include "experiments/sweep/sweep_difference.h"

namespace weir::experiments::report {

/// What figures and tables of a sweep need of its database, read once.
class SweepValues {
  public:
    explicit SweepValues(const sweep::SweepDatabase& database);

    [[nodiscard]] const std::vector<sweep::StoredPoint>& points() const { return points_; }
    [[nodiscard]] const std::vector<sweep::SweptName>& names() const { return names_; }
    [[nodiscard]] sweep::SweepDesign design() const { return design_; }
    [[nodiscard]] bool has_labels() const;

    /// A metric as `weir sweep show --metric` takes it, of a point's runs that have it, by seed.
    [[nodiscard]] sweep::Sample sample(std::size_t point, const std::string& metric);
    /// Its mean over the seeds with the interval; nothing where no run has it.
    [[nodiscard]] std::optional<run::Estimate> estimate(std::size_t point,
                                                        const std::string& metric);
    /// How far a point is from another one, in per cent of that, with Welch's 95 % interval;
    /// nothing where one of them has no value or that one's is 0.
    [[nodiscard]] std::optional<run::Estimate> change_percent(std::size_t point, std::size_t base,
                                                              const std::string& metric);
    /// The point that has this value of a column (a label, too), and all that other axes set as
    /// `point` has it.
    [[nodiscard]] std::optional<std::size_t> point_like(std::size_t point,
                                                        const std::string& column,
                                                        const std::string& value) const;
    /// The models that predict a metric in some run.
    [[nodiscard]] std::vector<std::string> models_of(const std::string& metric) const;
    /// What the points' kernels are about, each once.
    [[nodiscard]] std::vector<std::string> main_metrics() const;

    /// The label and what axes set.
    [[nodiscard]] VariedPoint varied(std::size_t point) const;
    /// "queue_bytes = 64, hop_cycles = 1"
    [[nodiscard]] std::string description(std::size_t point) const;

  private:
    const sweep::SweepDatabase& database_;
    std::vector<sweep::StoredPoint> points_;
    std::vector<sweep::SweptName> names_;
    sweep::SweepDesign design_;
    std::map<std::string, std::map<std::int64_t, double>> metrics_;
};

}  // namespace weir::experiments::report
