#include "experiments/validation/findings_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "experiments/setup/user_fault.h"
#include "hw/text_streams.h"

namespace weir::experiments::validation {

namespace {

std::vector<std::string> lines_of(const std::string& text) {
    hw::TextReader in(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) {
        lines.push_back(line);
    }
    return lines;
}

std::string cell(const std::string& text) {
    std::string escaped;
    for (const char letter : text) {
        escaped += letter == '|' ? "\\|" : std::string(1, letter);
    }
    return escaped;
}

/// True if a run of the machine computes the value, and not a model alone.
bool is_of_the_machine(const CheckedClaim& checked) {
    const std::vector<std::string> sources = sources_of(*checked.claim.ours);
    return std::any_of(sources.begin(), sources.end(), [](const std::string& source) {
        return !source.starts_with("weir model ");
    });
}

std::string models_cell(const CheckedClaim& checked) {
    if (checked.ours && !is_of_the_machine(checked)) {
        return shown_number(*checked.ours);
    }
    std::string text;
    for (const auto& [model, value] : checked.models) {
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", model, shown_number(value));
    }
    return text;
}

// Text of the evidence: "predicted of hardware", "formula".
std::string evidence_text(const Claim& claim) {
    if (!claim.evidence) {
        return "";
    }
    return name_of(*claim.evidence) + (claim.of ? " of " + name_of(*claim.of) : "");
}

// Why a row differs, is closed or is not testable; empty for a reproduced row.
std::string cause_text(const CheckedClaim& checked) {
    const Claim& claim = checked.claim;
    if (!claim.closed.empty()) {
        return claim.closed;
    }
    if (checked.status() == ClaimStatus::kReproduced) {
        return "";
    }
    return claim.because + (claim.missing.empty() ? "" : " Missing: " + claim.missing);
}

std::string row(const CheckedClaim& checked) {
    const Claim& claim = checked.claim;
    const bool has_machine = checked.ours && is_of_the_machine(checked);
    return fmt::format(
        "| {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", cell(claim.what), cell(claim.source),
        cell(claim.published_text.empty() ? published_text(claim) : claim.published_text),
        has_machine ? shown_number(*checked.ours) : "", models_cell(checked),
        difference_text(checked), evidence_text(claim),
        claim.closed.empty() ? name_of(checked.status()) : "closed", cell(cause_text(checked)));
}

/// Columns "published quantity" and "where", which are different in all rows.
std::string key_of(const std::string& row) {
    constexpr int kKeyCells = 2;
    std::size_t end = 0;
    for (int i = 0; i <= kKeyCells; ++i) {
        end = row.find(" | ", end + 1);
    }
    return row.substr(0, end);
}

}  // namespace

std::string findings_table(const std::vector<CheckedClaim>& claims) {
    std::string table =
        "| published quantity | where | published | machine | models | off by | evidence | state "
        "| cause |\n"
        "| --- | --- | ---: | ---: | --- | ---: | --- | --- | --- |\n";
    for (const CheckedClaim& checked : claims) {
        table += row(checked);
    }
    return table;
}

std::string table_on_page(const std::filesystem::path& page, const std::string& paper) {
    hw::FileReader in(page);
    const std::string mark = "<!-- weir paper " + paper + " --markdown -->";
    std::string table;
    bool inside = false;
    for (std::string line; std::getline(in, line);) {
        if (inside && line.starts_with("<!--")) {
            return table;
        }
        if (inside) {
            table += line + "\n";
        }
        inside = inside || line == mark;
    }
    throw setup::UserFault({page.string()},
                           inside ? "the table has no end" : "found no line " + mark,
                           "the table between that line and another comment, as <!-- end -->");
}

std::vector<std::string> differences(const std::string& on_page, const std::string& computed,
                                     bool all_rows) {
    const std::vector<std::string> old_rows = lines_of(on_page);
    std::vector<std::string> found;
    for (const std::string& fresh : lines_of(computed)) {
        const auto old_row = std::find_if(
            old_rows.begin(), old_rows.end(),
            [&fresh](const std::string& each) { return key_of(each) == key_of(fresh); });
        if (old_row == old_rows.end()) {
            found.push_back("not on the page:\n  " + fresh);
        } else if (*old_row != fresh) {
            found.push_back("on the page:\n  " + *old_row + "\ncomputed:\n  " + fresh);
        }
    }
    if (all_rows && old_rows.size() > lines_of(computed).size()) {
        found.emplace_back("the page has rows that experiments/claims.toml lacks");
    }
    return found;
}

}  // namespace weir::experiments::validation
