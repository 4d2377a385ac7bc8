#include "experiments/pages/search_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "experiments/pages/estimate_text.h"
#include "experiments/pages/pareto_section.h"
#include "experiments/pages/sweep_values.h"
#include "experiments/records/run_status.h"
#include "experiments/setup/text/counted_text.h"
#include "experiments/setup/text/shown_text.h"

namespace weir::experiments::pages {

namespace {

using records::SearchResult;

std::string place_text(const SearchResult::Finalist& finalist) {
    return fmt::format("point {}{}{}{}", finalist.number, finalist.description.empty() ? "" : " (",
                       finalist.description, finalist.description.empty() ? "" : ")");
}

// Difference from the best point, "12.3 ± 0.4"; positive is worse in either direction.
records::Estimate worse_by(const SearchResult& search, const SearchResult::Finalist& finalist) {
    records::Estimate behind = *finalist.behind;
    behind.mean = search.is_maximised ? -behind.mean : behind.mean;
    return behind;
}

bool is_told_apart(const records::Estimate& behind) {
    return behind.half_width && std::abs(behind.mean) > *behind.half_width;
}

std::string effort_text(const SearchResult& search) {
    return fmt::format(
        "{}, {} % of the {} that a sweep of all points would take.",
        setup::counted(search.runs, "run"),
        setup::fixed_number(
            kPercent * static_cast<double>(search.runs) / static_cast<double>(search.full_runs), 1),
        search.full_runs);
}

std::string sentence_of(const SearchResult& search, const SearchResult::Finalist& finalist) {
    std::string text = fmt::format(
        "{}: {} {}, at {}{}", finalist.behind ? "Next" : "Best", estimate_text(finalist.value),
        setup::spaced_name(search.metric), place_text(finalist),
        finalist.cost ? fmt::format(", cost {}", setup::shown_number(*finalist.cost)) : "");
    if (finalist.behind) {
        const records::Estimate behind = worse_by(search, finalist);
        text += is_told_apart(behind)
                    ? fmt::format("; worse by {}, seed by seed", estimate_text(behind))
                    : fmt::format("; the seeds do not tell it from the best (by {})",
                                  estimate_text(behind));
    }
    return text + ".";
}

std::size_t saturated_of(const SearchResult& search) {
    return std::count_if(search.troubles.begin(), search.troubles.end(), [](const auto& trouble) {
        return trouble.status == records::status_name(records::RunStatus::kSaturated);
    });
}

std::string out_text(const SearchResult& search) {
    const std::size_t saturated = saturated_of(search);
    std::vector<std::string> parts;
    if (saturated > 0) {
        parts.push_back(
            fmt::format("because a run was saturated: {}", setup::counted(saturated, "point")));
    }
    if (saturated < search.troubles.size()) {
        parts.push_back(fmt::format("because a run failed: {}",
                                    setup::counted(search.troubles.size() - saturated, "point")));
    }
    return fmt::format("Excluded {}.", fmt::join(parts, "; "));
}

std::vector<std::string> sentences_of(const SearchResult& search) {
    std::vector<std::string> sentences;
    if (search.finalists.empty()) {
        sentences.emplace_back(search.troubles.size() == saturated_of(search)
                                   ? "None: every point was saturated."
                                   : "None: each point has a failed or saturated run.");
    }
    for (const SearchResult::Finalist& finalist : search.finalists) {
        sentences.push_back(sentence_of(search, finalist));
    }
    sentences.push_back(effort_text(search));
    if (search.rounds.front().points < search.admissible) {
        sentences.push_back(fmt::format(
            "Not all tried: the budget has room for {} of the {} that meet the constraints.",
            search.rounds.front().points, setup::counted(search.admissible, "point")));
    }
    if (!search.troubles.empty()) {
        sentences.push_back(out_text(search));
    }
    return sentences;
}

records::Section rounds_section(const SearchResult& search) {
    const bool has_run = std::any_of(search.rounds.begin(), search.rounds.end(),
                                     [](const auto& round) { return round.mean.has_value(); });
    records::Table table;
    table.columns = {
        records::number_column("round"), records::number_column("points"),
        records::number_column("seeds", "seeds per point, including those of earlier rounds"),
        records::number_column("runs", "runs that the round adds")};
    if (has_run) {
        table.columns.push_back(records::number_column("best mean"));
        table.columns.push_back(records::text_column("where"));
    }
    for (std::size_t i = 0; i < search.rounds.size(); ++i) {
        const SearchResult::Round& round = search.rounds[i];
        std::vector<records::TableCell> row{records::whole_cell(static_cast<double>(i + 1)),
                                            records::whole_cell(static_cast<double>(round.points)),
                                            records::whole_cell(static_cast<double>(round.seeds)),
                                            records::whole_cell(static_cast<double>(round.runs))};
        if (has_run) {
            row.push_back(records::number_cell(round.mean));
            row.push_back(records::text_cell(round.best));
        }
        table.rows.push_back(std::move(row));
    }
    return {"Rounds", {std::move(table)}, {}};
}

std::optional<records::Section> troubles_section(const SearchResult& search) {
    records::Table table;
    table.columns = {records::text_column("run"), records::text_column("status"),
                     records::text_column("message")};
    for (const SearchResult::Trouble& trouble : search.troubles) {
        table.rows.push_back({records::text_cell(trouble.run),
                              records::text_cell(trouble.status, records::TableCell::Mark::kBad),
                              records::text_cell(records::headline_of(trouble.message))});
    }
    return records::section_of("Excluded points", std::move(table));
}

records::Document document_of(const SearchResult& search) {
    records::Document document;
    document.title = search.title.empty() ? search.file : search.title;
    document.facts = {
        {"study", search.file},
        {"space", setup::counted(search.points, "point") +
                      (search.constraints.empty()
                           ? ""
                           : fmt::format(", {} of which meet the constraints", search.admissible))},
        {"budget", setup::counted(search.budget, "run")}};
    if (!search.constraints.empty()) {
        document.facts.emplace_back("constraints",
                                    fmt::format("{}", fmt::join(search.constraints, "; ")));
    }
    return document;
}

}  // namespace

records::Document search_document(const SearchResult& search, const records::SweepResult& sweep) {
    records::Document document = document_of(search);
    document.facts.emplace_back("database", search.database);
    document.facts.emplace_back("digest of all results", search.digest);
    document.facts.emplace_back("Weir", sweep.weir_version);
    document.findings.push_back({fmt::format("The {} {}", search.is_maximised ? "most" : "least",
                                             setup::spaced_name(search.metric)),
                                 sentences_of(search)});
    document.sections.push_back(rounds_section(search));
    if (auto front = pareto_section(SweepValues(sweep), search.metric,
                                    search.is_maximised ? Better::kMore : Better::kLess)) {
        document.sections.push_back(*std::move(front));
    }
    if (auto troubles = troubles_section(search)) {
        document.sections.push_back(*std::move(troubles));
    }
    records::name_figures(document);
    records::share_value_axes(document);
    return document;
}

nlohmann::ordered_json search_json(const SearchResult& search) {
    using Json = nlohmann::ordered_json;
    const auto number = [](const std::optional<double>& value) {
        return value ? Json(*value) : Json(nullptr);
    };
    Json finalists = Json::array();
    for (const SearchResult::Finalist& finalist : search.finalists) {
        const records::Estimate behind =
            finalist.behind ? worse_by(search, finalist) : records::Estimate();
        finalists.push_back({{"number", finalist.number},
                             {"description", finalist.description},
                             {"mean", finalist.value.mean},
                             {"half_width", number(finalist.value.half_width)},
                             {"behind", finalist.behind ? Json(behind.mean) : Json(nullptr)},
                             {"behind_half_width", number(behind.half_width)},
                             {"cost", number(finalist.cost)}});
    }
    Json rounds = Json::array();
    for (const SearchResult::Round& round : search.rounds) {
        rounds.push_back({{"points", round.points},
                          {"seeds", round.seeds},
                          {"runs", round.runs},
                          {"best", round.best},
                          {"mean", number(round.mean)}});
    }
    return {{"title", search.title},
            {"file", search.file},
            {"database", search.database},
            {"metric", search.metric},
            {"is_maximised", search.is_maximised},
            {"budget", search.budget},
            {"points", search.points},
            {"admissible", search.admissible},
            {"full_runs", search.full_runs},
            {"runs", search.runs},
            {"rounds", rounds},
            {"finalists", finalists},
            {"excluded", search.troubles.size()},
            {"digest", search.digest}};
}

records::Document planned_search_document(const SearchResult& search) {
    records::Document document = document_of(search);
    document.sections.push_back(rounds_section(search));
    return document;
}

}  // namespace weir::experiments::pages
