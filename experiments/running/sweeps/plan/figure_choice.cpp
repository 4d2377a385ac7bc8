#include "experiments/running/sweeps/plan/figure_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string_view>

#include "experiments/records/json_input.h"
#include "experiments/running/sweeps/plan/point_filter.h"
#include "experiments/running/sweeps/plan/sweep_plan.h"
#include "experiments/running/sweeps/plan/toml_fields.h"
#include "experiments/setup/text/shown_text.h"

namespace weir::experiments::running {

namespace {

using setup::TomlEntry;
using setup::UserFault;

constexpr const char* kLabel = "label";
constexpr std::array kKinds{std::pair{"lines", FigureChoice::Kind::kLines},
                            std::pair{"bars", FigureChoice::Kind::kBars},
                            std::pair{"stacked", FigureChoice::Kind::kStacked},
                            std::pair{"tornado", FigureChoice::Kind::kTornado}};

std::string kind_name(FigureChoice::Kind kind) {
    return std::find_if(kKinds.begin(), kKinds.end(),
                        [kind](const auto& each) { return each.second == kind; })
        ->first;
}

FigureChoice::Kind kind_in(const TomlEntry& entry) {
    const std::string name = text_in(entry);
    std::vector<std::string> names;
    for (const auto& [known, kind] : kKinds) {
        if (name == known) {
            return kind;
        }
        names.emplace_back(known);
    }
    throw setup::unknown_name(entry.place, "kind of figure", name, names);
}

bool scale_in(const TomlEntry& entry) {
    const std::string name = text_in(entry);
    if (name != "linear" && name != "logarithmic") {
        throw UserFault(entry.place, entry.key + " is " + setup::described(entry),
                        R"("linear" or "logarithmic")");
    }
    return name == "logarithmic";
}

void set_against(const TomlEntry& entry, FigureChoice& figure) {
    const setup::TomlTable* table = entry.as_table();
    const std::optional<hw::ParameterValue> value =
        table != nullptr && table->entries.size() == 1 ? table->entries.front().as_parameter_value()
                                                       : std::nullopt;
    if (!value) {
        throw UserFault(entry.place, "against is " + setup::described(entry),
                        "an axis and one of its values: { topology = \"mesh\" }");
    }
    figure.against_column = table->entries.front().key;
    figure.against_value = setup::value_text(*value);
}

void set_key(const TomlEntry& entry, FigureChoice& figure) {
    require_key(entry, "a figure",
                {"kind", "metric", "x", "series", "where", "title", "caption", "x_scale", "y_scale",
                 "against"});
    if (entry.key == "kind") {
        figure.kind = kind_in(entry);
    } else if (entry.key == "metric") {
        figure.metrics = texts_in(entry);
    } else if (entry.key == "x") {
        figure.x = text_in(entry);
    } else if (entry.key == "series") {
        figure.series = texts_in(entry);
    } else if (entry.key == "where") {
        figure.where = text_in(entry);
        figure.where_place = entry.place;
    } else if (entry.key == "x_scale") {
        figure.x_is_logarithmic = scale_in(entry);
    } else if (entry.key == "y_scale") {
        figure.y_is_logarithmic = scale_in(entry);
    } else if (entry.key == "against") {
        set_against(entry, figure);
    } else if (entry.key == "title") {
        figure.title = text_in(entry);
    } else if (entry.key == "caption") {
        figure.caption = text_in(entry);
    }
}

FigureChoice figure_of(const TomlEntry& entry) {
    if (entry.as_table() == nullptr) {
        throw UserFault(entry.place, "an entry of sweep.figure is " + setup::described(entry),
                        "a table under each [[sweep.figure]]");
    }
    FigureChoice figure;
    figure.place = entry.place;
    bool has_kind = false;
    for (const TomlEntry& each : entry.as_table()->entries) {
        set_key(each, figure);
        has_kind = has_kind || each.key == "kind";
    }
    if (!has_kind) {
        throw UserFault(entry.place, "the figure has no kind",
                        R"(kind = "lines", "bars", "stacked" or "tornado")");
    }
    return figure;
}

/// Names that a figure may use, and the plan's points by these names.
class PlannedFigures {
  public:
    explicit PlannedFigures(const SweepPlan& plan) : plan_(plan) {
        for (const SweptName& name : plan.names) {
            columns_.push_back(name.column);
        }
        has_labels_ = !plan.points.front().label.empty();
        if (has_labels_) {
            columns_.emplace_back(kLabel);
        }
    }

    void check(FigureChoice& figure) const {
        for (const std::string& metric : figure.metrics) {
            require_metric(metric, figure.place);
        }
        if (!figure.x.empty()) {
            figure.x = column_of(figure.x, figure.place);
        }
        for (std::string& name : figure.series) {
            name = column_of(name, figure.place);
        }
        const std::vector<const PlannedPoint*> points = points_of(figure);
        if (points.empty()) {
            throw UserFault(figure.where_place, "no point meets the figure's condition",
                            "one that some point meets");
        }
        check_against(figure);
        if (figure.kind == FigureChoice::Kind::kTornado) {
            if (plan_.design != SweepDesign::kOneAtATime) {
                throw UserFault(figure.place, "a tornado of crossed axes",
                                "[sweep] design = \"one-at-a-time\", or another kind");
            }
            return;
        }
        if (figure.kind == FigureChoice::Kind::kLines && !figure.x.empty()) {
            require_numbers(figure, points);
        }
        if (!figure.series.empty() && !figure.x.empty()) {
            require_places(figure, points);
        }
    }

  private:
    void check_against(FigureChoice& figure) const {
        if (figure.against_column.empty()) {
            return;
        }
        if (figure.kind != FigureChoice::Kind::kLines && figure.kind != FigureChoice::Kind::kBars) {
            throw UserFault(figure.place, "only lines and bars show changes against a point",
                            R"(kind = "lines" or "bars", or no against)");
        }
        figure.against_column = column_of(figure.against_column, figure.place);
        std::set<std::string> values;
        for (const PlannedPoint& point : plan_.points) {
            values.insert(setup::value_text(value_at(point, figure.against_column)));
        }
        if (values.count(figure.against_value) == 0) {
            throw UserFault(
                figure.place,
                fmt::format("no point has {} = {}", figure.against_column, figure.against_value),
                setup::quoted_list(std::vector<std::string>(values.begin(), values.end())));
        }
    }

    [[nodiscard]] std::string column_of(const std::string& name, const setup::Place& place) const {
        for (const SweptName& known : plan_.names) {
            if (name == known.key || name == known.column) {
                return known.column;
            }
        }
        if (name == kLabel && has_labels_) {
            return name;
        }
        throw setup::unknown_name(place, "axis", name, columns_);
    }

    [[nodiscard]] std::vector<const PlannedPoint*> points_of(const FigureChoice& figure) const {
        std::vector<FilterName> names;
        for (const SweptName& name : plan_.names) {
            names.push_back(
                {name.key.substr(0, name.key.find('.')), name.key.substr(name.key.find('.') + 1)});
        }
        if (has_labels_) {
            names.push_back({"point", kLabel});
        }
        std::vector<FilterText> texts;
        if (!figure.where.empty()) {
            texts.push_back({figure.where, figure.where_place});
        }
        PointFilter filter(texts, names);
        std::vector<const PlannedPoint*> points;
        for (const PlannedPoint& point : plan_.points) {
            std::vector<hw::ParameterValue> values = point.values;
            if (has_labels_) {
                values.emplace_back(point.label);
            }
            if (filter.keeps(values)) {
                points.push_back(&point);
            }
        }
        return points;
    }

    [[nodiscard]] hw::ParameterValue value_at(const PlannedPoint& point,
                                              const std::string& column) const {
        for (std::size_t i = 0; i < plan_.names.size(); ++i) {
            if (plan_.names[i].column == column) {
                return point.values[i];
            }
        }
        return point.label;
    }

    void require_numbers(const FigureChoice& figure,
                         const std::vector<const PlannedPoint*>& points) const {
        for (const PlannedPoint* point : points) {
            const hw::ParameterValue value = value_at(*point, figure.x);
            const auto* list = std::get_if<std::vector<std::int64_t>>(&value);
            const bool is_number = std::holds_alternative<std::int64_t>(value) ||
                                   std::holds_alternative<double>(value) ||
                                   (list != nullptr && list->size() == 1);
            if (!is_number) {
                throw UserFault(figure.place,
                                fmt::format("lines over {}, which is {} at a point", figure.x,
                                            setup::value_text(value)),
                                "an axis of numbers, or kind = \"bars\"");
            }
        }
    }

    void require_places(const FigureChoice& figure,
                        const std::vector<const PlannedPoint*>& points) const {
        std::map<std::string, const PlannedPoint*> seen;
        for (const PlannedPoint* point : points) {
            std::string where = setup::value_text(value_at(*point, figure.x));
            for (const std::string& name : figure.series) {
                where += "\n" + setup::value_text(value_at(*point, name));
            }
            const auto [found, is_new] = seen.emplace(where, point);
            if (!is_new) {
                throw UserFault(figure.place,
                                fmt::format("points {} and {} have the same x and the same series",
                                            found->second->number, point->number),
                                "another axis in series, or one of its values in where");
            }
        }
    }

    const SweepPlan& plan_;
    std::vector<std::string> columns_;
    bool has_labels_ = false;
};

}  // namespace

std::vector<FigureChoice> read_figures(const TomlEntry& figures) {
    const setup::TomlList* list = figures.as_list();
    if (list == nullptr) {
        throw UserFault(figures.place, "sweep.figure is " + setup::described(figures),
                        "a table under each [[sweep.figure]]");
    }
    std::vector<FigureChoice> found;
    for (const TomlEntry& entry : list->items) {
        found.push_back(figure_of(entry));
    }
    return found;
}

std::vector<FigureChoice> checked_figures(std::vector<FigureChoice> figures,
                                          const SweepPlan& plan) {
    if (figures.empty()) {
        return figures;
    }
    const PlannedFigures planned(plan);
    for (FigureChoice& figure : figures) {
        planned.check(figure);
    }
    return figures;
}

std::string figures_text(const std::vector<FigureChoice>& figures) {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const FigureChoice& figure : figures) {
        nlohmann::ordered_json& json =
            all.emplace_back(nlohmann::ordered_json{{"kind", kind_name(figure.kind)},
                                                    {"metrics", figure.metrics},
                                                    {"x", figure.x},
                                                    {"series", figure.series},
                                                    {"where", figure.where},
                                                    {"against_column", figure.against_column},
                                                    {"against_value", figure.against_value},
                                                    {"y_is_logarithmic", figure.y_is_logarithmic},
                                                    {"title", figure.title},
                                                    {"caption", figure.caption}});
        if (figure.x_is_logarithmic) {
            json["x_is_logarithmic"] = *figure.x_is_logarithmic;
        }
    }
    return all.dump();
}

std::vector<FigureChoice> figures_from(const std::string& text) {
    std::vector<FigureChoice> figures;
    if (text.empty()) {
        return figures;
    }
    for (const nlohmann::ordered_json& json : records::parse_json(text)) {
        FigureChoice& figure = figures.emplace_back();
        const std::string kind = json.at("kind");
        const auto known = std::find_if(kKinds.begin(), kKinds.end(),
                                        [&kind](const auto& each) { return kind == each.first; });
        if (known == kKinds.end()) {
            throw nlohmann::json::other_error::create(
                501, "there is no kind of figure \"" + kind + "\"", &json);
        }
        figure.kind = known->second;
        figure.metrics = json.at("metrics").get<std::vector<std::string>>();
        figure.x = json.at("x");
        figure.series = json.at("series").get<std::vector<std::string>>();
        figure.where = json.at("where");
        figure.against_column = json.at("against_column");
        figure.against_value = json.at("against_value");
        figure.y_is_logarithmic = json.at("y_is_logarithmic");
        figure.title = json.at("title");
        figure.caption = json.at("caption");
        if (json.contains("x_is_logarithmic")) {
            figure.x_is_logarithmic = json.at("x_is_logarithmic").get<bool>();
        }
    }
    return figures;
}

}  // namespace weir::experiments::running
