#include "experiments/validation/hypotheses.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "experiments/setup/files/extends_chain.h"
#include "experiments/validation/claim_entries.h"

namespace weir::experiments::validation {

namespace {

namespace fs = std::filesystem;

using setup::TomlEntry;
using setup::TomlTable;
using setup::UserFault;

const std::vector<TomlEntry>& tables_of(const TomlEntry& entry) {
    const setup::TomlList* list = entry.as_list();
    if (list == nullptr || list->items.empty()) {
        throw not_a(entry, "tables [[" + entry.key + "]]");
    }
    return list->items;
}

Hypothesis read_hypothesis(const TomlEntry& entry) {
    Hypothesis hypothesis;
    hypothesis.place = entry.place;
    Hypothesis::Change& change = hypothesis.changes.emplace_back();
    for (const TomlEntry& each : table_of(entry, "a table [[hypothesis]]").entries) {
        if (each.key == "name") {
            hypothesis.name = quoted_text(each);
        } else if (each.key == "what") {
            hypothesis.what = quoted_text(each);
        } else if (each.key == "source") {
            hypothesis.source = quoted_text(each);
        } else if (each.key == "set") {
            change.settings = settings_of(each);
        } else if (each.key == "points") {
            change.points = quoted_texts(each, "a list of labels in quotes");
        } else if (each.key == "metrics") {
            for (const TomlEntry& metric : table_of(each, "a table of metrics").entries) {
                change.metrics[metric.key] = quoted_text(metric);
            }
        } else {
            throw unknown_key(each, "a hypothesis",
                              {"name", "what", "source", "set", "points", "metrics"});
        }
    }
    if (hypothesis.name.empty() || hypothesis.what.empty() || hypothesis.source.empty() ||
        change.settings.empty()) {
        throw UserFault(entry.place, "a hypothesis is incomplete",
                        "name, what, source, and set with at least one key");
    }
    return hypothesis;
}

Hypothesis read_combination(const TomlEntry& entry, const std::vector<Hypothesis>& hypotheses) {
    Hypothesis all;
    all.place = entry.place;
    for (const TomlEntry& each : table_of(entry, "a table [[combination]]").entries) {
        if (each.key != "of") {
            throw unknown_key(each, "a combination", {"of"});
        }
        for (const std::string& name : quoted_texts(each, "a list of hypotheses in quotes")) {
            const auto part =
                std::find_if(hypotheses.begin(), hypotheses.end(),
                             [&name](const Hypothesis& known) { return known.name == name; });
            if (part == hypotheses.end()) {
                std::vector<std::string> names;
                names.reserve(hypotheses.size());
                for (const Hypothesis& known : hypotheses) {
                    names.push_back(known.name);
                }
                throw setup::unknown_name(each.place, "hypothesis", name, names);
            }
            const std::string between = all.name.empty() ? "" : " + ";
            all.name += between + part->name;
            all.what += (all.what.empty() ? "" : "; ") + part->what;
            all.source += (all.source.empty() ? "" : "; ") + part->source;
            all.changes.insert(all.changes.end(), part->changes.begin(), part->changes.end());
        }
    }
    if (all.name.empty()) {
        throw UserFault(entry.place, "an empty combination", R"(of = ["one", "another"])");
    }
    return all;
}

/// Finds the experiments that accept a hypothesis's keys; checks each once.
class Takers {
  public:
    explicit Takers(const running::RunOptions& options) : options_(options) {}

    /// Adds the settings to those metrics of the claim whose experiments accept them. Returns true
    /// if any does.
    bool vary(Claim& claim, const Hypothesis& hypothesis) {
        bool any = false;
        for (MetricOfRun* metric : metrics_of(*claim.ours)) {
            for (const Hypothesis::Change& change : hypothesis.changes) {
                MetricOfRun varied = *metric;
                varied.settings.insert(varied.settings.end(), change.settings.begin(),
                                       change.settings.end());
                const auto replaced = change.metrics.find(metric->metric);
                const bool is_meant =
                    (change.points.empty() || fits_name(metric->point, change.points)) &&
                    (change.metrics.empty() || replaced != change.metrics.end());
                if (is_meant && take(varied)) {
                    if (!change.metrics.empty()) {
                        varied.metric = replaced->second;
                    }
                    *metric = std::move(varied);
                    any = true;
                }
            }
        }
        return any;
    }
    /// Fault of the last experiment that did not accept a hypothesis's settings.
    [[nodiscard]] const std::string& fault() const { return fault_; }
    void forget_fault() { fault_ = "its points match no experiment's"; }

  private:
    bool take(const MetricOfRun& metric) {
        std::vector<std::string> key{metric.file.string(), metric.point};
        key.insert(key.end(), metric.settings.begin(), metric.settings.end());
        const auto [found, is_new] = takes_.try_emplace(key, true);
        if (is_new) {
            running::RunOptions asked = options_;
            asked.file = metric.file;
            asked.set_options.insert(asked.set_options.begin(), metric.settings.begin(),
                                     metric.settings.end());
            if (!metric.point.empty()) {
                asked.points = {metric.point};
            }
            try {
                running::check_experiment(asked);
            } catch (const UserFault& fault) {
                fault_ = fault.what();
                found->second = false;
            }
        }
        return found->second;
    }

    const running::RunOptions& options_;
    std::map<std::vector<std::string>, bool> takes_;
    std::string fault_;
};

records::TableCell value_cell(double value, const CheckedClaim& row) {
    CheckedClaim varied = row;
    varied.ours = value;
    records::TableCell cell = records::number_cell(value);
    cell.text = shown_number(value);
    if (varied.status() == ClaimStatus::kReproduced) {
        cell.text += "*";
        cell.mark = records::TableCell::Mark::kGood;
    }
    return cell;
}

nlohmann::ordered_json changes_document(const Hypothesis& hypothesis) {
    nlohmann::ordered_json changes = nlohmann::ordered_json::array();
    for (const Hypothesis::Change& change : hypothesis.changes) {
        changes.push_back({{"set", change.settings},
                           {"metrics", nlohmann::ordered_json(change.metrics)},
                           {"points", change.points}});
    }
    return changes;
}

}  // namespace

bool fits_name(const std::string& name, const std::vector<std::string>& patterns) {
    return std::any_of(patterns.begin(), patterns.end(), [&name](const std::string& pattern) {
        return fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
    });
}

HypothesesFile read_hypotheses(const fs::path& file) {
    const TomlEntry entry = setup::read_toml_file(file, {file.string()});
    HypothesesFile read;
    read.file = file.string();
    const TomlTable& top = *entry.as_table();
    for (const TomlEntry& each : top.entries) {
        if (each.key == "title") {
            read.title = quoted_text(each);
        } else if (each.key == "rows") {
            read.rows = quoted_texts(each, "a list of claims' names in quotes");
        } else if (each.key == "keeps") {
            read.keeps = quoted_texts(each, "a list of claims' names in quotes");
        } else if (each.key == "hypothesis") {
            for (const TomlEntry& item : tables_of(each)) {
                read.hypotheses.push_back(read_hypothesis(item));
            }
        } else if (each.key != "combination") {
            throw unknown_key(each, "a file of hypotheses",
                              {"title", "rows", "keeps", "hypothesis", "combination"});
        }
    }
    if (read.rows.empty() || read.hypotheses.empty()) {
        throw UserFault({file.string()}, "a file of hypotheses is incomplete",
                        R"(rows = ["a claim"], and at least one table [[hypothesis]])");
    }
    if (const TomlEntry* combinations = top.find("combination")) {
        const std::vector<Hypothesis> single = read.hypotheses;
        for (const TomlEntry& item : tables_of(*combinations)) {
            read.hypotheses.push_back(read_combination(item, single));
        }
    }
    return read;
}

HypothesisStudy::HypothesisStudy(HypothesesFile file, const std::vector<Claim>& all,
                                 const std::vector<Claim>& claims,
                                 const running::RunOptions& options)
    : file_(std::move(file)) {
    std::vector<std::string> names;
    names.reserve(all.size());
    for (const Claim& claim : all) {
        names.push_back(claim.name);
    }
    for (const std::string& row : file_.rows) {
        if (std::find(names.begin(), names.end(), row) == names.end()) {
            throw setup::unknown_name({file_.file}, "claim", row, names);
        }
    }
    Takers takers(options);
    const auto is_of_machine = [this](const Claim& claim) {
        return claim.ours && (has_row(claim.name) || keeps_row(claim.name));
    };
    for (const Hypothesis& hypothesis : file_.hypotheses) {
        takers.forget_fault();
        const bool is_taken = std::any_of(all.begin(), all.end(), [&](Claim claim) {
            return is_of_machine(claim) && takers.vary(claim, hypothesis);
        });
        if (!is_taken) {
            throw UserFault(hypothesis.place,
                            fmt::format("no experiment takes hypothesis \"{}\": {}",
                                        hypothesis.name, takers.fault()));
        }
        Outcome& outcome = outcomes_.emplace_back();
        for (std::size_t row = 0; row < claims.size(); ++row) {
            Claim claim = claims[row];
            if (is_of_machine(claim) && takers.vary(claim, hypothesis)) {
                outcome.cells.push_back({row, varied_.size()});
                varied_.push_back(std::move(claim));
            }
        }
    }
}

bool HypothesisStudy::has_row(const std::string& name) const {
    return std::find(file_.rows.begin(), file_.rows.end(), name) != file_.rows.end();
}

bool HypothesisStudy::keeps_row(const std::string& name) const {
    return fits_name(name, file_.keeps);
}

void HypothesisStudy::conclude(std::vector<CheckedClaim>& claims,
                               const std::vector<CheckedClaim>& varied) {
    for (Outcome& outcome : outcomes_) {
        for (const Cell& cell : outcome.cells) {
            const CheckedClaim& is = varied[cell.varied];
            const CheckedClaim& was = claims[cell.row];
            if (!is.ours) {
                (keeps_row(is.claim.name) ? outcome.turns : outcome.without_value)
                    .push_back(is.claim.name);
                continue;
            }
            if (keeps_row(is.claim.name) && is.status() != was.status()) {
                outcome.turns.push_back(is.claim.name);
            }
            if (has_row(is.claim.name) && *is.ours != *was.ours) {
                outcome.values[is.claim.name] = *is.ours;
            }
        }
    }
    for (const std::string& name : file_.rows) {
        const auto row = std::find_if(
            claims.begin(), claims.end(),
            [&name](const CheckedClaim& each) { return each.claim.name == name && each.ours; });
        if (row == claims.end()) {
            continue;
        }
        Band band{*row->ours, *row->ours, 0};
        for (const Outcome& outcome : outcomes_) {
            const auto value = outcome.values.find(name);
            if (outcome.turns.empty() && value != outcome.values.end()) {
                band.low = std::min(band.low, value->second);
                band.high = std::max(band.high, value->second);
                band.hypotheses += 1;
            }
        }
        row->band = band;
        rows_.push_back(*row);
    }
}

records::Section HypothesisStudy::section() const {
    records::Section section;
    section.title = file_.title.empty() ? file_.file : file_.title;
    records::Table table;
    table.columns = {records::text_column("figure"), records::number_column("published"),
                     records::number_column("as it is")};
    table.keys = 2;
    for (std::size_t h = 0; h < outcomes_.size(); ++h) {
        const std::string letter = fmt::format("H{}", h + 1);
        table.columns.push_back(records::number_column(letter));
        std::string turns;
        for (const std::string& name : outcomes_[h].turns) {
            turns += (turns.empty() ? "" : ", ") + name;
        }
        section.blocks.emplace_back(records::Paragraph{fmt::format(
            "{}. {}: {}{}", letter, file_.hypotheses[h].name, file_.hypotheses[h].what,
            turns.empty() ? "" : " (not admissible: it changes the outcome of " + turns + ")")});
    }
    for (const CheckedClaim& row : rows_) {
        std::vector<records::TableCell> cells{records::text_cell(row.claim.name),
                                              records::text_cell(published_text(row.claim)),
                                              value_cell(*row.ours, row)};
        for (const Outcome& outcome : outcomes_) {
            const std::string& name = row.claim.name;
            const auto value = outcome.values.find(name);
            const auto& without = outcome.without_value;
            if (std::find(without.begin(), without.end(), name) != without.end()) {
                cells.push_back(records::absent_cell());
            } else if (value == outcome.values.end()) {
                cells.push_back(records::text_cell("=", records::TableCell::Mark::kQuiet));
            } else {
                cells.push_back(value_cell(value->second, row));
            }
        }
        table.rows.push_back(std::move(cells));
    }
    section.blocks.emplace_back(std::move(table));
    section.blocks.emplace_back(
        records::Paragraph{"=: the hypothesis does not change this figure. *: as published. –: the "
                           "run gives no value, for example because a model does not hold."});
    return section;
}

nlohmann::ordered_json HypothesisStudy::document() const {
    nlohmann::ordered_json hypotheses = nlohmann::ordered_json::array();
    for (std::size_t h = 0; h < outcomes_.size(); ++h) {
        const Hypothesis& hypothesis = file_.hypotheses[h];
        hypotheses.push_back({{"name", hypothesis.name},
                              {"what", hypothesis.what},
                              {"source", hypothesis.source},
                              {"changes", changes_document(hypothesis)},
                              {"admissible", outcomes_[h].turns.empty()},
                              {"turns", outcomes_[h].turns},
                              {"values", outcomes_[h].values}});
    }
    return {{"file", file_.file}, {"title", file_.title}, {"hypotheses", hypotheses}};
}

}  // namespace weir::experiments::validation
