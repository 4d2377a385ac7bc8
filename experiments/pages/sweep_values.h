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

/// Which of two values of a metric is the better one, as far as the unit says: less time, more work
/// in a time.
enum class Better : std::uint8_t { kLess, kMore, kUnknown };

[[nodiscard]] Better better_of(const std::string& metric);

/// What figures and tables of a sweep say of its points.
class SweepValues {
  public:
    explicit SweepValues(const records::SweepResult& sweep) : sweep_(sweep) {}

    [[nodiscard]] const std::vector<records::StoredPoint>& points() const { return sweep_.points; }
    [[nodiscard]] const std::vector<records::SweptName>& names() const { return sweep_.names; }
    [[nodiscard]] records::SweepDesign design() const { return sweep_.design; }
    [[nodiscard]] bool has_labels() const;
    /// Names and texts of prices, the sum last; none where points have none.
    [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& costs() const {
        return sweep_.costs;
    }

    /// A metric as `weir sweep show --metric` takes it, of a point's runs that have it, by seed;
    /// none where a saturated run lacks it.
    [[nodiscard]] statistics::Sample sample(std::size_t point, const std::string& metric) const;
    /// The same with the seed of each.
    [[nodiscard]] std::map<std::uint64_t, double> by_seed(std::size_t point,
                                                          const std::string& metric) const;
    /// Its mean over the seeds with the interval; nothing where no run has it.
    [[nodiscard]] std::optional<records::Estimate> estimate(std::size_t point,
                                                            const std::string& metric) const;
    /// How far a point is from another one, in per cent of that, with Welch's 95 % interval;
    /// nothing where one of them has no value or that one's is 0.
    [[nodiscard]] std::optional<records::Estimate> change_percent(std::size_t point,
                                                                  std::size_t base,
                                                                  const std::string& metric) const;
    /// "saturated", "1 of 3 saturated", or empty.
    [[nodiscard]] std::string saturation_text(std::size_t point) const;
    /// The point that axes are varied around one at a time, of the same label; nothing where it is
    /// this one, or there is none.
    [[nodiscard]] std::optional<std::size_t> base_of(std::size_t point) const;
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
    const records::SweepResult& sweep_;
};

/// Puts columns into a table that say which point a row is of, and makes them its keys: number,
/// label, and what its axes set: each axis in a column, or the one that a point varies.
void add_place_columns(const SweepValues& values, records::Table& table);
/// The cells of a point in those columns.
void add_place(const SweepValues& values, std::size_t index, std::vector<records::TableCell>& row);

}  // namespace weir::experiments::pages
