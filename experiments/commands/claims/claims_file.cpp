#include "experiments/commands/claims/claims_file.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <utility>

#include "experiments/setup/files/extends_chain.h"

namespace weir::experiments::commands {

namespace {

namespace fs = std::filesystem;

using setup::Place;
using setup::TomlEntry;
using setup::TomlTable;
using setup::UserFault;

const std::array<std::string, 3> kStatuses{"reproduced", "differs", "not testable"};

const std::array<std::string, 8> kRelations{"sum",        "difference",    "product", "ratio",
                                            "percent_of", "percent_above", "largest", "smallest"};

constexpr const char* kAcceptedValue =
    R"(an experiment and a metric, a model and an output, or one relation such as ratio = [A, B])";

bool needs_two(Relation::Kind kind) {
    return kind == Relation::Kind::kDifference || kind == Relation::Kind::kRatio ||
           kind == Relation::Kind::kPercentOf || kind == Relation::Kind::kPercentAbove;
}

UserFault not_a(const TomlEntry& entry, const std::string& accepted) {
    return {entry.place, fmt::format("{} is {}", entry.key, setup::described(entry)), accepted};
}

std::string quoted_text(const TomlEntry& entry) {
    const std::string* text = entry.as_string();
    if (text == nullptr || text->empty()) {
        throw not_a(entry, "a text in quotes");
    }
    return *text;
}

double number_of(const TomlEntry& entry) {
    const std::optional<double> number = entry.as_number();
    if (!number) {
        throw not_a(entry, "a number");
    }
    return *number;
}

double distance_of(const TomlEntry& entry) {
    const double number = number_of(entry);
    if (!(number >= 0.0)) {
        throw not_a(entry, "a number from 0 on");
    }
    return number;
}

const TomlTable& table_of(const TomlEntry& entry, const std::string& accepted) {
    const TomlTable* table = entry.as_table();
    if (table == nullptr) {
        throw not_a(entry, accepted);
    }
    return *table;
}

UserFault unknown_key(const TomlEntry& entry, const std::string& where,
                      const std::vector<std::string>& accepted) {
    return {entry.key_place, fmt::format("{} has no key \"{}\"", where, entry.key),
            setup::quoted_list(accepted), setup::nearest_name(entry.key, accepted)};
}

// A table of overrides as --set options, a key each.
void add_settings(const TomlTable& table, const std::string& prefix,
                  std::vector<std::string>& settings) {
    for (const TomlEntry& entry : table.entries) {
        if (entry.as_table() != nullptr) {
            add_settings(*entry.as_table(), prefix + entry.key + ".", settings);
        } else {
            settings.push_back(prefix + entry.key + "=" + setup::toml_text(entry));
        }
    }
}

class ValueReader {
  public:
    explicit ValueReader(fs::path folder) : folder_(std::move(folder)) {}

    [[nodiscard]] ClaimValue read(const TomlEntry& entry) const {
        if (entry.as_number()) {
            throw UserFault(entry.place, "what is ours is a number", kAcceptedValue);
        }
        std::vector<ClaimValue> values = read_operands(entry);
        if (values.size() != 1) {
            throw UserFault(entry.place, "points gives several values",
                            "point, or points in the list of a relation");
        }
        return std::move(values.front());
    }

  private:
    // A value, or one for each of an experiment's points.
    [[nodiscard]] std::vector<ClaimValue> read_operands(const TomlEntry& entry) const {
        if (const std::optional<double> number = entry.as_number()) {
            return {{*number, entry.place}};
        }
        const TomlTable& table = table_of(entry, kAcceptedValue);
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
                const setup::TomlList* list = entry.as_list();
                if (list == nullptr || list->items.empty()) {
                    throw not_a(entry, "a list of labels in quotes");
                }
                for (const TomlEntry& item : list->items) {
                    points.push_back(quoted_text(item));
                }
            } else if (entry.key == "set") {
                add_settings(table_of(entry, "a table of keys, as an experiment has them"), "",
                             metric.settings);
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
                    throw not_a(entry, "a row's number, from 0");
                }
                answer.row = static_cast<std::size_t>(*row);
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
                            kAcceptedValue);
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
                            needs_two(relation.kind) ? "two" : "one at least");
        }
        const bool all_numbers =
            std::all_of(relation.operands.begin(), relation.operands.end(),
                        [](const ClaimValue& v) { return std::holds_alternative<double>(v.from); });
        if (all_numbers) {
            throw UserFault(entry.place, "what is ours is a number", kAcceptedValue);
        }
        return relation;
    }

    fs::path folder_;
};

// What is published must not come back as ours.
void refuse_published_operand(const Claim& claim, const ClaimValue& value) {
    if (const auto* number = std::get_if<double>(&value.from)) {
        if (number != nullptr && claim.published && *number == *claim.published) {
            throw UserFault(value.place, "the published value is part of what it is compared with",
                            "what an experiment or a model gives");
        }
    }
    if (const auto* relation = std::get_if<Relation>(&value.from)) {
        for (const ClaimValue& operand : relation->operands) {
            refuse_published_operand(claim, operand);
        }
    }
}

ClaimStatus status_of(const TomlEntry& entry) {
    const std::string name = quoted_text(entry);
    const auto found = std::find(kStatuses.begin(), kStatuses.end(), name);
    if (found == kStatuses.end()) {
        throw setup::unknown_name(entry.place, "status", name, kStatuses);
    }
    return static_cast<ClaimStatus>(found - kStatuses.begin());
}

void require_complete(const Claim& claim, bool has_status) {
    const auto fault = [&claim](const std::string& found, const std::string& accepted) {
        return UserFault(claim.place, fmt::format("claim \"{}\" {}", claim.name, found), accepted);
    };
    if (claim.what.empty() || claim.source.empty() || !has_status) {
        throw fault(fmt::format("has no {}", claim.what.empty()     ? "what"
                                             : claim.source.empty() ? "source"
                                                                    : "status"),
                    claim.what.empty()     ? "what = \"...\", what was published"
                    : claim.source.empty() ? "source = \"...\", paper and table or section"
                                           : "status = " + setup::quoted_list(kStatuses));
    }
    if (claim.status != ClaimStatus::kReproduced && claim.because.empty()) {
        throw fault(
            fmt::format("{} without a reason",
                        claim.status == ClaimStatus::kDiffers ? "differs" : "is not testable"),
            "because = \"...\"");
    }
    const bool is_bound = claim.at_least || claim.at_most;
    if (claim.status == ClaimStatus::kNotTestable) {
        if (claim.ours || claim.tolerance || claim.within) {
            throw fault("is not testable, and says what is ours or how near",
                        "published and because alone");
        }
        return;
    }
    if (!claim.published_text.empty()) {
        throw fault("publishes a text", "a number");
    }
    if (claim.published.has_value() == is_bound) {
        throw fault("needs either published or a bound", "published, or at_least, at_most or both");
    }
    if (!claim.ours) {
        throw fault("does not say what is ours", kAcceptedValue);
    }
    const bool has_distance = claim.tolerance.has_value() != claim.within.has_value();
    if (claim.published && !has_distance) {
        throw fault("needs either tolerance or within",
                    "tolerance, a fraction of what is published, or within, a distance");
    }
    if (is_bound && (claim.tolerance || claim.within)) {
        throw fault("is a bound with a tolerance", "a bound alone");
    }
    if (claim.at_least && claim.at_most && *claim.at_least > *claim.at_most) {
        throw fault("has at_least above at_most", "at_least up to at_most");
    }
}

Claim read_claim(const TomlEntry& entry, const ValueReader& values) {
    Claim claim;
    claim.name = entry.key;
    claim.place = entry.key_place;
    bool has_status = false;
    for (const TomlEntry& each : table_of(entry, "a table, [claim." + entry.key + "]").entries) {
        if (each.key == "what") {
            claim.what = quoted_text(each);
        } else if (each.key == "source") {
            claim.source = quoted_text(each);
        } else if (each.key == "because") {
            claim.because = quoted_text(each);
        } else if (each.key == "status") {
            claim.status = status_of(each);
            has_status = true;
        } else if (each.key == "published" && each.as_string() != nullptr) {
            claim.published_text = quoted_text(each);
        } else if (each.key == "published") {
            claim.published = number_of(each);
        } else if (each.key == "at_least") {
            claim.at_least = number_of(each);
        } else if (each.key == "at_most") {
            claim.at_most = number_of(each);
        } else if (each.key == "tolerance") {
            claim.tolerance = distance_of(each);
        } else if (each.key == "within") {
            claim.within = distance_of(each);
        } else if (each.key == "ours") {
            claim.ours = values.read(each);
        } else {
            throw unknown_key(each, "a claim",
                              {"what", "source", "published", "at_least", "at_most", "tolerance",
                               "within", "ours", "status", "because"});
        }
    }
    require_complete(claim, has_status);
    if (claim.ours) {
        refuse_published_operand(claim, *claim.ours);
    }
    return claim;
}

void add_sources(const ClaimValue& value, std::vector<std::string>& sources) {
    const auto add = [&sources](const std::string& source) {
        if (std::find(sources.begin(), sources.end(), source) == sources.end()) {
            sources.push_back(source);
        }
    };
    if (const auto* metric = std::get_if<MetricOfRun>(&value.from)) {
        add(metric->experiment);
    } else if (const auto* answer = std::get_if<AnswerOfModel>(&value.from)) {
        add("weir model " + answer->model);
    } else if (const auto* relation = std::get_if<Relation>(&value.from)) {
        for (const ClaimValue& operand : relation->operands) {
            add_sources(operand, sources);
        }
    }
}

bool is_chosen(const Claim& claim, const std::string& pattern) {
    std::vector<std::string> texts{claim.name, claim.what, claim.source};
    if (claim.ours) {
        add_sources(*claim.ours, texts);
    }
    return std::any_of(texts.begin(), texts.end(), [&pattern](const std::string& text) {
        return fnmatch(("*" + pattern + "*").c_str(), text.c_str(), FNM_CASEFOLD) == 0;
    });
}

}  // namespace

const std::string& name_of(ClaimStatus status) {
    return kStatuses.at(static_cast<std::size_t>(status));
}

std::vector<std::string> sources_of(const ClaimValue& value) {
    std::vector<std::string> sources;
    add_sources(value, sources);
    return sources;
}

std::optional<ClaimsFile> read_claims(const fs::path& file) {
    const TomlEntry entry = setup::read_toml_file(file, {file.string()});
    const TomlTable& top = *entry.as_table();
    if (top.find("claim") == nullptr) {
        return std::nullopt;
    }
    const ValueReader values(file.parent_path());
    ClaimsFile claims;
    for (const TomlEntry& each : top.entries) {
        if (each.key == "title") {
            claims.title = quoted_text(each);
        } else if (each.key == "claim") {
            for (const TomlEntry& claim : table_of(each, "tables [claim.NAME]").entries) {
                claims.claims.push_back(read_claim(claim, values));
            }
        } else {
            throw unknown_key(each, "a file of claims", {"title", "claim"});
        }
    }
    if (claims.claims.empty()) {
        throw UserFault({file.string()}, "a file of claims without any", "tables [claim.NAME]");
    }
    return claims;
}

std::vector<Claim> chosen_claims(const ClaimsFile& file, const std::vector<std::string>& patterns) {
    for (const std::string& pattern : patterns) {
        if (std::none_of(file.claims.begin(), file.claims.end(),
                         [&pattern](const Claim& claim) { return is_chosen(claim, pattern); })) {
            std::vector<std::string> names;
            for (const Claim& claim : file.claims) {
                names.push_back(claim.name);
            }
            throw UserFault({"--only " + pattern}, "fits no claim",
                            "part of a claim's name, text or source, or of what computes it",
                            setup::nearest_name(pattern, names));
        }
    }
    std::vector<Claim> chosen;
    std::copy_if(file.claims.begin(), file.claims.end(), std::back_inserter(chosen),
                 [&patterns](const Claim& claim) {
                     return patterns.empty() || std::any_of(patterns.begin(), patterns.end(),
                                                            [&claim](const std::string& p) {
                                                                return is_chosen(claim, p);
                                                            });
                 });
    return chosen;
}

}  // namespace weir::experiments::commands
