#include "experiments/pages/text_page.h"

#include <algorithm>

#include "experiments/setup/text/text_table.h"
#include "experiments/setup/text/utf8_text.h"
#include "experiments/setup/text/wrapped_text.h"

namespace weir::experiments::pages {

namespace {

using setup::wrapped;

std::string text_of(const records::Paragraph& paragraph) { return wrapped(paragraph.text, "", ""); }

std::string text_of(const records::Listing& listing) {
    return listing.text.ends_with('\n') ? listing.text : listing.text + "\n";
}

std::string text_of(const records::Figure& /*figure*/) { return ""; }

std::string text_of(const records::PlaybackFigure& /*figure*/) { return ""; }

std::string text_of(const records::Table& table) { return text_table(table); }

// Finding as a list after a blank line: one line per sentence.
std::string text_of(const records::Finding& finding) {
    std::string text = "\n" + (finding.about.empty() ? "" : wrapped(finding.about, "", ""));
    for (const std::string& sentence : finding.sentences) {
        text += wrapped(sentence, "- ", "  ");
    }
    return text;
}

// Heading; outer headings are underlined at full width.
std::string heading(const std::string& title, std::size_t level) {
    constexpr std::string_view kSigns = "=-";
    std::string text = wrapped(title, "", "");
    if (level < kSigns.size()) {
        text += std::string(std::min(setup::width_of(title), setup::kPageColumns), kSigns[level]) +
                "\n";
    }
    return text;
}

std::string text_of(const records::Section& section, std::size_t level) {
    std::string text;
    if (section.is_left_out_of_text) {
        return text;
    }
    for (const records::Block& block : section.blocks) {
        const std::string part = std::visit([](const auto& each) { return text_of(each); }, block);
        text += (text.empty() || part.empty() ? "" : "\n") + part;
    }
    for (const records::Section& part : section.parts) {
        const std::string of_part = text_of(part, level + 1);
        text += (text.empty() || of_part.empty() ? "" : "\n") + of_part;
    }
    return text.empty() ? text : heading(section.title, level) + text;
}

}  // namespace

std::string text_section(const records::Section& section) { return text_of(section, 0); }

std::string text_table(const records::Table& table) {
    std::vector<setup::TextColumn> columns;
    columns.reserve(table.columns.size());
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        const auto& declared = table.columns[i];
        setup::TextColumn column{
            declared.name, "", {}, !declared.is_number, declared.is_of_previous};
        for (const std::vector<records::TableCell>& row : table.rows) {
            column.cells.push_back(row[i].text);
        }
        columns.push_back(std::move(column));
    }
    return (table.caption.empty() ? "" : wrapped(table.caption, "", "")) +
           setup::text_table(columns, table.keys);
}

std::string text_page(const records::Document& document) {
    std::string page = wrapped(document.title, "", "");
    page += document.description.empty() ? "" : wrapped(document.description, "", "");
    for (const records::Finding& finding : document.findings) {
        page += text_of(finding);
    }
    page += document.findings.empty() || document.facts.empty() ? "" : "\n";
    page += setup::text_list(document.facts);
    for (const records::Section& section : document.sections) {
        const std::string text = text_of(section, 0);
        page += (text.empty() ? "" : "\n") + text;
    }
    return setup::printable(page);
}

}  // namespace weir::experiments::pages
