#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiments/pages/varied_points.h"
#include "experiments/records/document.h"
#include "experiments/records/result.h"
#include "experiments/records/sweep_result.h"
#include "experiments/statistics/sample.h"

namespace weir::experiments::pages {

/// Direction in which a metric is better, from its unit: less time, or more work per time.
enum class Better : std::uint8_t { kLess, kMore, kUnknown };

[[nodiscard]] Better better_of(const std::string& metric);

/// Values of a sweep's points for figures and tables.
class SweepValues {
  public:
    explicit SweepValues(const records::SweepResult& sweep) : sweep_(sweep) {}

    [[nodiscard]] const std::vector<records::StoredPoint>& points() const { return sweep_.points; }
    [[nodiscard]] const std::vector<records::SweptName>& names() const { return sweep_.names; }
    [[nodiscard]] records::SweepDesign design() const { return sweep_.design; }
    [[nodiscard]] bool has_labels() const;
    /// Names and texts of prices, the sum last; empty if points have no prices.
    [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& costs() const {
        return sweep_.costs;
    }

    /// A metric, named as for `weir sweep show --metric`, of a point's runs in the order of seeds.
    /// The sample is empty if a saturated run lacks the metric.
    [[nodiscard]] statistics::Sample sample(std::size_t point, const std::string& metric) const;
    /// A metric of a point's runs, by seed.
    [[nodiscard]] std::map<std::uint64_t, double> by_seed(std::size_t point,
                                                          const std::string& metric) const;
    /// Mean of a metric over the seeds, with its interval; nothing if no run has it.
    [[nodiscard]] std::optional<records::Estimate> estimate(std::size_t point,
                                                            const std::string& metric) const;
    /// Change of a point against another one in per cent, with Welch's 95 % interval. Returns
    /// nullopt if either point has no value, or if the base's value is 0.
    [[nodiscard]] std::optional<records::Estimate> change_percent(std::size_t point,
                                                                  std::size_t base,
                                                                  const std::string& metric) const;
    /// "saturated", "1 of 3 saturated", or empty.
    [[nodiscard]] std::string saturation_text(std::size_t point) const;
    /// Base with the point's label, around which axes are varied one at a time. Returns nullopt if
    /// the point is the base itself, or if the label has no base.
    [[nodiscard]] std::optional<std::size_t> base_of(std::size_t point) const;
    /// Point with this value of a column (or label) whose other axes are set as at `point`.
    [[nodiscard]] std::optional<std::size_t> point_like(std::size_t point,
                                                        const std::string& column,
                                                        const std::string& value) const;
    /// Models that predict a metric in some run.
    [[nodiscard]] std::vector<std::string> models_of(const std::string& metric) const;
    /// Main metrics of the points' kernels, without duplicates.
    [[nodiscard]] std::vector<std::string> main_metrics() const;

    /// Label and swept values of a point.
    [[nodiscard]] VariedPoint varied(std::size_t point) const;
    /// Swept values as text: "queue_bytes = 64, hop_cycles = 1".
    [[nodiscard]] std::string description(std::size_t point) const;

  private:
    const records::SweepResult& sweep_;
};

/// Adds columns that identify a row's point, and makes them the table's keys: number, label, and
/// swept values. Crossed axes have a column each; axes varied one at a time share one.
void add_place_columns(const SweepValues& values, records::Table& table);
/// Adds a point's cells for the columns of add_place_columns().
void add_place(const SweepValues& values, std::size_t index, std::vector<records::TableCell>& row);

}  // namespace weir::experiments::pages
