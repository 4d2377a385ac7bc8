// Checks that tables of parameters in the folders' pages agree with the declarations.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/kinds/setup.h"
#include "experiments/setup/files/toml_tree.h"
#include "experiments/setup/parameters/name_pattern.h"

namespace weir::experiments::kinds {
namespace {

namespace fs = std::filesystem;

/// A parameter in a page's table. The row "| `l1.bytes`, `ways` | 65536, 1 |" has two parameters.
struct TableEntry {
    std::string place;  ///< page and line of the parameter's row
    std::string key;    ///< key with its table, such as "l1.ways"
    std::string value;  ///< default on the page, such as "1"; empty if the page gives none
};

/// Items of a cell: "a, [1, 2], 3" has three.
std::vector<std::string> items_of(std::string_view cell) {
    std::vector<std::string> items(1);
    int depth = 0;
    for (const char letter : cell) {
        depth += letter == '[' ? 1 : 0;
        depth -= letter == ']' ? 1 : 0;
        if (letter == ',' && depth == 0) {
            items.emplace_back();
        } else if (letter != '`' && (letter != ' ' || depth > 0)) {
            items.back() += letter;
        }
    }
    return items;
}

std::string cell_of(const std::string& row, int number) {
    std::size_t begin = 0;
    for (int i = 0; i <= number; ++i) {
        begin = row.find('|', begin) + 1;
    }
    return row.substr(begin, row.find('|', begin) - begin);
}

/// Numbers such as "67,108,864" and "10^11" in TOML's syntax.
std::string number_of(std::string cell) {
    const bool is_number = cell.find_first_not_of("0123456789,^ ") == std::string::npos;
    if (is_number) {
        std::erase(cell, ',');
    }
    constexpr std::string_view kPower = "10^";
    const std::size_t power = cell.find(kPower);
    if (power != std::string::npos) {
        const int zeros = std::stoi(cell.substr(power + kPower.size()));
        cell = "1" + std::string(static_cast<std::size_t>(zeros), '0');
    }
    return cell;
}

// Adds the keys of a row; keys after the first omit their table.
void add_row(const std::string& row, const std::string& place, std::vector<TableEntry>& entries) {
    std::vector<std::string> keys = items_of(cell_of(row, 0));
    const std::vector<std::string> values =
        keys.size() == 1 ? std::vector{items_of(number_of(cell_of(row, 1))).front()}
                         : items_of(cell_of(row, 1));
    const std::string table = keys.front().substr(0, keys.front().find('.') + 1);
    for (std::size_t i = 0; i < keys.size(); ++i) {
        entries.push_back({place, (i == 0 ? "" : table) + keys[i],
                           i < values.size() ? values[i] : values.back()});
    }
}

std::vector<TableEntry> entries_of(const fs::path& page) {
    std::vector<TableEntry> entries;
    std::ifstream file(page);
    std::string line;
    bool is_table = false;
    for (int number = 1; std::getline(file, line); ++number) {
        const bool begins = line.starts_with("| key | default |");
        if (is_table && line.starts_with("| `") && line.find('*') == std::string::npos) {
            add_row(line, fmt::format("{}:{}", page.string(), number), entries);
        }
        is_table = begins || (is_table && line.starts_with('|'));
    }
    return entries;
}

std::vector<fs::path> folders_pages() {
    std::vector<fs::path> pages;
    for (const char* folder : {"hw", "memory", "network", "nodes", "firmware", "experiments"}) {
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
            if (entry.path().filename() == "README.md") {
                pages.push_back(entry.path());
            }
        }
    }
    return pages;
}

/// All parameters for which pages give defaults.
std::vector<TableEntry> entries_of_pages() {
    std::vector<TableEntry> entries;
    for (const fs::path& page : folders_pages()) {
        const std::vector<TableEntry> more = entries_of(page);
        entries.insert(entries.end(), more.begin(), more.end());
    }
    return entries;
}

/// Words of the pages that may be a key, or a pattern for several: "buffer_flits",
/// "sparcle.*_cycles".
std::set<std::string> words_of_pages() {
    std::set<std::string> words;
    const std::regex word("[a-z0-9_.*]+");
    for (const fs::path& page : folders_pages()) {
        std::ifstream file(page);
        const std::string text{std::istreambuf_iterator<char>(file), {}};
        for (std::sregex_iterator each(text.begin(), text.end(), word), end; each != end; ++each) {
            words.insert(each->str());
        }
    }
    return words;
}

/// Name of a table on pages, which document l1 to l4 and l1i together as "l?".
std::string table_on_pages(const std::string& table) {
    return setup::fits_pattern(table, "l?") || table == "l1i" ? "l?" : table;
}

/// Whether `words` has the parameter's name alone, after its table, or as part of a pattern such as
/// "sparcle.*_cycles".
bool stands_in(const std::set<std::string>& words, const std::string& table,
               const std::string& name) {
    const std::string behind = "." + name;
    return words.count(name) > 0 ||
           std::any_of(words.begin(), words.end(), [&](const std::string& word) {
               const std::string of = table_on_pages(word.substr(0, word.find('.')));
               return of == table_on_pages(table) &&
                      (word.ends_with(behind) || (word.starts_with(table + ".*_") &&
                                                  setup::fits_pattern(table + behind, word)));
           });
}

/// A value in the syntax of pages: uniform without quotes, 0 for 0.0.
std::string in_a_page(const hw::ParameterValue& value) {
    std::string text = setup::toml_text(value);
    std::erase(text, '"');
    return text.ends_with(".0") ? text.substr(0, text.size() - 2) : text;
}

class ParameterTablesTest : public testing::Test {
  protected:
    [[nodiscard]] const hw::ParameterBase* find(const std::string& key) const {
        for (const hw::ParameterGroup* group : groups_) {
            for (const hw::ParameterBase* parameter : group->parameters()) {
                if (group->table() + "." + parameter->name() == key) {
                    return parameter;
                }
            }
        }
        return nullptr;
    }

    [[nodiscard]] const std::vector<hw::ParameterGroup*>& groups() const { return groups_; }

  private:
    std::vector<std::unique_ptr<kinds::Setup>> setups_ = default_setups();
    std::vector<hw::ParameterGroup*> groups_ = listed_groups(setups_);
};

TEST_F(ParameterTablesTest, GiveTheDefaultsThatAreDeclared) {
    const std::vector<TableEntry> entries = entries_of_pages();
    EXPECT_GT(entries.size(), 80U);
    for (const TableEntry& entry : entries) {
        const hw::ParameterBase* parameter = find(entry.key);
        ASSERT_NE(parameter, nullptr) << entry.place << ": there is no " << entry.key;
        if (!entry.value.empty()) {
            EXPECT_EQ(in_a_page(parameter->default_as_variant()), entry.value)
                << entry.place << ": " << entry.key;
        }
    }
}

// Parameters of kernels' [workload] are documented by `weir params` only.
TEST_F(ParameterTablesTest, HaveEveryParameterOfTheMachine) {
    const std::set<std::string> words = words_of_pages();
    for (const hw::ParameterGroup* group : groups()) {
        for (const hw::ParameterBase* parameter : group->parameters()) {
            EXPECT_TRUE(group->table() == "workload" ||
                        stands_in(words, group->table(), parameter->name()))
                << "no page has " << group->table() << "." << parameter->name();
        }
    }
}

}  // namespace
}  // namespace weir::experiments::kinds
