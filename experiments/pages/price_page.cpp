#include "experiments/pages/price_page.h"

#include <fmt/format.h>

#include <filesystem>

namespace weir::experiments::pages {

namespace {

using records::number_column;
using records::PartPrice;
using records::text_cell;
using records::whole_cell;

std::vector<records::TableCell> row_of(const PartPrice& part) {
    std::vector<records::TableCell> row{text_cell(part.name),
                                        whole_cell(static_cast<double>(part.count))};
    if (!part.has_twin()) {
        row.push_back(text_cell("no twin", records::TableCell::Mark::kQuiet));
        row.resize(row.size() + 4, records::absent_cell());
        return row;
    }
    row.push_back(whole_cell(part.nand2_equivalents));
    row.push_back(whole_cell(static_cast<double>(part.gates)));
    row.push_back(whole_cell(static_cast<double>(part.flip_flops)));
    row.push_back(whole_cell(static_cast<double>(part.longest_path_levels)));
    row.push_back(whole_cell(static_cast<double>(part.count) * part.nand2_equivalents));
    return row;
}

records::Table table_of(const records::MachinePrice& price) {
    records::Table table{
        .caption = "",
        .columns = {records::text_column("part"), number_column("parts"),
                    number_column("NAND2 each",
                                  "area of a part, flip-flops included, in areas of "
                                  "a NAND gate with two inputs"),
                    number_column("gates", "combinational gates of a part"),
                    number_column("flip-flops", "flip-flops of a part"),
                    number_column("levels", "gates on the longest path between flip-flops"),
                    number_column("all NAND2", "area of all these parts of the machine")},
        .rows = {}};
    double sum = 0.0;
    for (const PartPrice& part : price.parts) {
        table.rows.push_back(row_of(part));
        sum += static_cast<double>(part.count) * part.nand2_equivalents;
    }
    std::vector<records::TableCell> last(table.columns.size(), records::absent_cell());
    last.front() = text_cell("sum");
    last.back() = whole_cell(sum);
    table.rows.push_back(std::move(last));
    records::declare_last_row_as_sum(table, {table.columns.size() - 1});
    return table;
}

}  // namespace

records::Document price_document(const records::MachinePrice& price) {
    records::Document document;
    document.title = price.title;
    document.facts = {{"nodes", std::to_string(price.nodes)},
                      {"cells", price.library.empty()
                                    ? "generic gates of yosys, areas of the NanGate 45 nm library"
                                    : std::filesystem::path(price.library).filename().string()}};
    records::Section prices{.title = "Price in gates", .blocks = {table_of(price)}, .parts = {}};
    records::Section sizes{.title = "Sizes", .blocks = {}, .parts = {}};
    for (const PartPrice& part : price.parts) {
        sizes.blocks.emplace_back(records::Paragraph{fmt::format(
            "{}: {}", part.name, part.has_twin() ? part.sizes : "no twin: " + part.no_twin)});
    }
    document.sections = {std::move(prices), std::move(sizes)};
    return document;
}

}  // namespace weir::experiments::pages
