#include "experiments/pages/sweep_values.h"

#include <algorithm>

#include "experiments/analyses/combined_runs.h"
#include "experiments/kinds/kind.h"
#include "experiments/records/run_status.h"
#include "experiments/records/saturation.h"
#include "experiments/setup/parameters/parameter_value.h"
#include "experiments/setup/text/shown_text.h"

namespace weir::experiments::pages {

Better better_of(const std::string& metric) {
    const std::string unit = kinds::unit_of(metric);
    if (unit.ends_with("/cycle") || unit.ends_with("/s")) {
        return Better::kMore;
    }
    return unit.starts_with("cycles") || unit == "s" ? Better::kLess : Better::kUnknown;
}

bool SweepValues::has_labels() const {
    return std::any_of(sweep_.points.begin(), sweep_.points.end(),
                       [](const records::StoredPoint& point) { return !point.label.empty(); });
}

std::map<std::uint64_t, double> SweepValues::by_seed(std::size_t point,
                                                     const std::string& metric) const {
    std::map<std::uint64_t, double> values;
    const auto known = sweep_.metrics.find(metric);
    if (known == sweep_.metrics.end()) {
        return values;
    }
    for (const records::StoredRun& run : sweep_.points[point].runs) {
        const auto value = known->second.find(run.run_id);
        if (value != known->second.end()) {
            values.emplace(run.seed, value->second);
        } else if (run.status == records::status_name(records::RunStatus::kSaturated)) {
            return {};  // a mean over the other seeds would be biased
        }
    }
    return values;
}

statistics::Sample SweepValues::sample(std::size_t point, const std::string& metric) const {
    statistics::Sample sample;
    for (const auto& [seed, value] : by_seed(point, metric)) {
        sample.values.push_back(value);
    }
    return sample;
}

std::optional<records::Estimate> SweepValues::estimate(std::size_t point,
                                                       const std::string& metric) const {
    const statistics::Sample values = sample(point, metric);
    return values.values.empty() ? std::nullopt
                                 : std::optional(analyses::estimate(metric, values.values));
}

std::optional<records::Estimate> SweepValues::change_percent(std::size_t point, std::size_t base,
                                                             const std::string& metric) const {
    const statistics::Sample of_base = sample(base, metric);
    const statistics::Sample of_point = sample(point, metric);
    if (of_base.values.empty() || of_point.values.empty() || of_base.mean() == 0.0) {
        return std::nullopt;
    }
    records::Estimate change;
    change.name = metric;
    change.mean = 100.0 * (of_point.mean() / of_base.mean() - 1.0);
    if (const auto half_width = statistics::welch_half_width(of_base, of_point)) {
        change.half_width = 100.0 * *half_width / of_base.mean();
    }
    return change;
}

std::optional<std::size_t> SweepValues::point_like(std::size_t point, const std::string& column,
                                                   const std::string& value) const {
    std::size_t axis = 0;
    for (const records::SweptName& name : sweep_.names) {
        axis = name.column == column ? name.axis : axis;
    }
    const auto is_like = [&](const records::StoredPoint& other) {
        bool alike = axis == 0 ? other.label == value : other.label == sweep_.points[point].label;
        for (std::size_t i = 0; i < sweep_.names.size() && alike; ++i) {
            alike = sweep_.names[i].column == column
                        ? other.values[i] == value
                        : sweep_.names[i].axis == axis ||
                              other.values[i] == sweep_.points[point].values[i];
        }
        return alike;
    };
    const auto found = std::find_if(sweep_.points.begin(), sweep_.points.end(), is_like);
    return found == sweep_.points.end() ? std::nullopt
                                        : std::optional(found - sweep_.points.begin());
}

std::optional<std::size_t> SweepValues::base_of(std::size_t point) const {
    const std::vector<records::StoredPoint>& points = sweep_.points;
    for (std::size_t i = 0; i < points.size() && points[point].varied_axis; ++i) {
        if (!points[i].varied_axis && points[i].label == points[point].label) {
            return i;
        }
    }
    return std::nullopt;
}

std::vector<std::string> SweepValues::models_of(const std::string& metric) const {
    const auto known = sweep_.models.find(metric);
    return known == sweep_.models.end() ? std::vector<std::string>{} : known->second;
}

std::vector<std::string> SweepValues::main_metrics() const {
    std::vector<std::string> metrics;
    for (const records::StoredPoint& point : sweep_.points) {
        if (std::find(metrics.begin(), metrics.end(), point.main_metric) == metrics.end()) {
            metrics.push_back(point.main_metric);
        }
    }
    return metrics;
}

VariedPoint SweepValues::varied(std::size_t point) const {
    const records::StoredPoint& stored = sweep_.points[point];
    VariedPoint varied{stored.label, {}};
    if (!stored.label.empty()) {
        varied.values.emplace_back("label", stored.label);
    }
    for (std::size_t i = 0; i < sweep_.names.size(); ++i) {
        varied.values.emplace_back(sweep_.names[i].column, stored.swept[i]);
    }
    return varied;
}

std::string SweepValues::saturation_text(std::size_t point) const {
    const std::vector<records::StoredRun>& runs = sweep_.points[point].runs;
    const auto saturated = std::count_if(runs.begin(), runs.end(), [](const auto& run) {
        return run.status == records::status_name(records::RunStatus::kSaturated);
    });
    return records::saturation_text(saturated, runs.size());
}

std::string SweepValues::description(std::size_t point) const {
    return records::description_of(sweep_.points[point], sweep_.design, sweep_.names);
}

namespace {

using records::StoredPoint;

// Cell of a swept value; numbers keep their value, so that rows sort by it.
records::TableCell swept_cell(const hw::ParameterValue& value) {
    records::TableCell cell = records::text_cell(setup::value_text(value));
    cell.value = setup::number_of(value);
    return cell;
}

}  // namespace

void add_place(const SweepValues& values, std::size_t index, std::vector<records::TableCell>& row) {
    const StoredPoint& point = values.points()[index];
    row.push_back(point.number ? records::number_cell(static_cast<double>(*point.number))
                               : records::absent_cell());
    if (values.has_labels()) {
        row.push_back(records::text_cell(point.label));
    }
    if (values.design() == records::SweepDesign::kOneAtATime) {
        row.push_back(point.varied_axis ? records::text_cell(records::point_description(
                                              "", values.design(), point.varied_axis,
                                              values.names(), point.values))
                                        : records::absent_cell());
        return;
    }
    for (const hw::ParameterValue& value : point.swept) {
        row.push_back(swept_cell(value));
    }
}

void add_place_columns(const SweepValues& values, records::Table& table) {
    table.columns = {records::number_column("point")};
    if (values.has_labels()) {
        table.columns.push_back(records::text_column("label"));
    }
    if (values.design() == records::SweepDesign::kOneAtATime) {
        table.columns.push_back(records::text_column("varied"));
    } else {
        for (const records::SweptName& name : values.names()) {
            table.columns.push_back(records::number_column(name.column, name.key));
        }
    }
    table.keys = table.columns.size();
}

}  // namespace weir::experiments::pages
