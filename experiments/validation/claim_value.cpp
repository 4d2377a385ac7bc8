#include "experiments/validation/claim_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "experiments/validation/claim_entries.h"

namespace weir::experiments::validation {

namespace {

namespace fs = std::filesystem;

using setup::Place;
using setup::TomlEntry;
using setup::TomlTable;
using setup::UserFault;

const std::array<std::string, 8> kRelations{"sum",        "difference",    "product", "ratio",
                                            "percent_of", "percent_above", "largest", "smallest"};

bool needs_two(Relation::Kind kind) {
    return kind == Relation::Kind::kDifference || kind == Relation::Kind::kRatio ||
           kind == Relation::Kind::kPercentOf || kind == Relation::Kind::kPercentAbove;
}

class ValueReader {
  public:
    explicit ValueReader(fs::path folder) : folder_(std::move(folder)) {}

    [[nodiscard]] ClaimValue read(const TomlEntry& entry) const {
        if (entry.as_number()) {
            throw UserFault(entry.place, "ours is a plain number", kAcceptedClaimValue);
        }
        std::vector<ClaimValue> values = read_operands(entry);
        if (values.size() != 1) {
            throw UserFault(entry.place, "points = [...] gives several values",
                            "point, or points in the list of a relation");
        }
        return std::move(values.front());
    }

  private:
    // One value, or one value for each of an experiment's points.
    [[nodiscard]] std::vector<ClaimValue> read_operands(const TomlEntry& entry) const {
        if (entry.as_number()) {
            return {{number_of(entry), entry.place}};
        }
        const TomlTable& table = table_of(entry, kAcceptedClaimValue);
        if (table.find("experiment") != nullptr) {
            return read_metrics(table, entry.place);
        }
        if (table.find("model") != nullptr) {
            return {{read_answer(table, entry.place), entry.place}};
        }
        return {{read_relation(table, entry.place), entry.place}};
    }

    [[nodiscard]] std::vector<ClaimValue> read_metrics(const TomlTable& table,
                                                       const Place& place) const {
        MetricOfRun metric;
        std::vector<std::string> points;
        for (const TomlEntry& entry : table.entries) {
            if (entry.key == "experiment") {
                metric.experiment = quoted_text(entry);
                metric.file = folder_ / metric.experiment;
                std::error_code unknown;
                if (!fs::is_regular_file(metric.file, unknown)) {
                    throw UserFault(entry.place, "no file " + metric.file.string(),
                                    "an experiment file, from this file's folder on");
                }
            } else if (entry.key == "metric") {
                metric.metric = quoted_text(entry);
            } else if (entry.key == "point") {
                points.push_back(quoted_text(entry));
            } else if (entry.key == "points") {
                points = quoted_texts(entry, "a list of labels in quotes");
            } else if (entry.key == "set") {
                metric.settings = settings_of(entry);
            } else {
                throw unknown_key(entry, "a value of an experiment",
                                  {"experiment", "metric", "point", "points", "set"});
            }
        }
        if (metric.metric.empty()) {
            throw UserFault(place, "a value of an experiment without metric",
                            R"(metric = "cycles_per_iteration")");
        }
        if (points.empty()) {
            points.emplace_back();
        }
        std::vector<ClaimValue> values;
        for (const std::string& point : points) {
            metric.point = point;
            values.push_back({metric, place});
        }
        return values;
    }

    [[nodiscard]] static AnswerOfModel read_answer(const TomlTable& table, const Place& place) {
        AnswerOfModel answer;
        bool has_row = false;
        for (const TomlEntry& entry : table.entries) {
            if (entry.key == "model") {
                answer.model = quoted_text(entry);
            } else if (entry.key == "inputs") {
                answer.inputs = table_of(entry, "a table of the model's inputs");
            } else if (entry.key == "output") {
                answer.output = quoted_text(entry);
            } else if (entry.key == "table") {
                answer.table = quoted_text(entry);
            } else if (entry.key == "column") {
                answer.column = quoted_text(entry);
            } else if (entry.key == "row") {
                const auto* row = std::get_if<std::int64_t>(&entry.value);
                if (row == nullptr || *row < 0) {
                    throw not_a(entry, "the number of a row, from 0");
                }
                answer.row = *row;
                has_row = true;
            } else {
                throw unknown_key(entry, "a value of a model",
                                  {"model", "inputs", "output", "table", "column", "row"});
            }
        }
        const bool is_cell = !answer.table.empty() && !answer.column.empty() && has_row;
        const bool names_a_cell = !answer.table.empty() || !answer.column.empty() || has_row;
        if (answer.output.empty() ? !is_cell : names_a_cell) {
            throw UserFault(place, "a value of a model has an output, or a cell of a table",
                            R"(output = "NAME", or table, column and row)");
        }
        return answer;
    }

    [[nodiscard]] Relation read_relation(const TomlTable& table, const Place& place) const {
        if (table.entries.size() != 1) {
            throw UserFault(place, "a value that is neither an experiment's nor a model's",
                            kAcceptedClaimValue);
        }
        const TomlEntry& entry = table.entries.front();
        const auto found = std::find(kRelations.begin(), kRelations.end(), entry.key);
        if (found == kRelations.end()) {
            throw setup::unknown_name(entry.key_place, "relation", entry.key, kRelations);
        }
        Relation relation;
        relation.kind = static_cast<Relation::Kind>(found - kRelations.begin());
        const setup::TomlList* list = entry.as_list();
        if (list == nullptr) {
            throw not_a(entry, "a list of values");
        }
        for (const TomlEntry& item : list->items) {
            std::vector<ClaimValue> values = read_operands(item);
            std::move(values.begin(), values.end(), std::back_inserter(relation.operands));
        }
        const std::size_t count = relation.operands.size();
        if (needs_two(relation.kind) ? count != 2 : count == 0) {
            throw UserFault(entry.place, fmt::format("{} of {} values", entry.key, count),
                            needs_two(relation.kind) ? "two" : "at least one");
        }
        const bool all_numbers =
            std::all_of(relation.operands.begin(), relation.operands.end(),
                        [](const ClaimValue& v) { return std::holds_alternative<double>(v.from); });
        if (all_numbers) {
            throw UserFault(entry.place, "ours is a plain number", kAcceptedClaimValue);
        }
        return relation;
    }

    fs::path folder_;
};

/// Calls `visit` for a value and its operands. The type Value is ClaimValue, constant or not.
template <class Value, class Visit>
void visit_leaves(Value& value, const Visit& visit) {
    if (auto* relation = std::get_if<Relation>(&value.from)) {
        for (auto& operand : relation->operands) {
            visit_leaves(operand, visit);
        }
    } else {
        visit(value);
    }
}

}  // namespace

ClaimValue read_claim_value(const TomlEntry& entry, const fs::path& folder) {
    return ValueReader(folder).read(entry);
}

std::vector<const MetricOfRun*> metrics_of(const ClaimValue& value) {
    std::vector<const MetricOfRun*> metrics;
    visit_leaves(value, [&metrics](const ClaimValue& leaf) {
        if (const auto* metric = std::get_if<MetricOfRun>(&leaf.from)) {
            metrics.push_back(metric);
        }
    });
    return metrics;
}

std::vector<MetricOfRun*> metrics_of(ClaimValue& value) {
    std::vector<MetricOfRun*> metrics;
    visit_leaves(value, [&metrics](ClaimValue& leaf) {
        if (auto* metric = std::get_if<MetricOfRun>(&leaf.from)) {
            metrics.push_back(metric);
        }
    });
    return metrics;
}

std::vector<std::string> sources_of(const ClaimValue& value) {
    std::vector<std::string> sources;
    visit_leaves(value, [&sources](const ClaimValue& leaf) {
        std::string source;
        if (const auto* metric = std::get_if<MetricOfRun>(&leaf.from)) {
            source = metric->experiment;
        } else if (const auto* answer = std::get_if<AnswerOfModel>(&leaf.from)) {
            source = "weir model " + answer->model;
        }
        if (!source.empty() && std::find(sources.begin(), sources.end(), source) == sources.end()) {
            sources.push_back(source);
        }
    });
    return sources;
}

}  // namespace weir::experiments::validation
