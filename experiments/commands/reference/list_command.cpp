#include "experiments/commands/reference/list_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "experiments/commands/all_commands.h"
#include "experiments/commands/installed_files.h"
#include "experiments/kinds/kind.h"
#include "experiments/kinds/result_schema.h"
#include "experiments/models/catalogue/catalogue.h"
#include "experiments/running/processes/data_folder.h"
#include "experiments/running/processes/exit_status.h"
#include "experiments/setup/parameters/name_pattern.h"
#include "experiments/setup/text/shown_text.h"
#include "experiments/setup/text/text_table.h"
#include "experiments/setup/text/wrapped_text.h"
#include "experiments/setup/user_fault.h"
#include "firmware/kernels/registry.h"
#include "network/router/router.h"
#include "network/routing/routing_kind.h"
#include "network/topology/topology_family.h"

namespace weir::experiments::commands {

namespace {

struct Listed {
    std::string name;
    std::string title;
    std::string unit = {};  ///< unit of a metric; else empty
};

struct ListOfAKind {
    std::string kind;
    std::string use;  ///< example of use
    std::vector<Listed> entries;
};

std::vector<Listed> all_kernels() {
    std::vector<Listed> entries;
    for (const auto& entry : firmware::kernels()) {
        entries.push_back({entry.name, entry.sentence});
    }
    for (const kinds::NamedWorkload& other : kinds::workloads_without_kernel()) {
        entries.push_back({other.name, other.sentence});
    }
    for (const auto& entry : firmware::compiled_kernels()) {
        const auto twin = std::find_if(entries.begin(), entries.end(),
                                       [&](const Listed& e) { return e.name == entry.name; });
        if (twin == entries.end()) {
            entries.push_back({entry.name, entry.sentence});
        }
    }
    return entries;
}

std::vector<Listed> all_metrics() {
    std::vector<Listed> entries;
    for (const records::Metric* metric : kinds::all_metrics()) {
        entries.push_back({metric->name(),
                           fmt::format("{} [{}]{}", metric->sentence(), metric->unit(),
                                       metric->source().empty() ? "" : ". " + metric->source()),
                           metric->unit()});
    }
    return entries;
}

std::vector<Listed> asked_models() {
    std::vector<Listed> entries;
    for (const auto& model : models::all_models()) {
        entries.push_back({model->name(), model->title()});
    }
    return entries;
}

// List of all routers, routings or topologies.
template <class Named>
std::vector<Listed> all_of(const std::vector<const Named*>& named) {
    std::vector<Listed> entries;
    entries.reserve(named.size());
    for (const Named* one : named) {
        entries.push_back({one->name(), one->sentence()});
    }
    return entries;
}

/// Installed files of one kind.
template <InstalledFile::Kind kind>
std::vector<Listed> installed_files_of_kind() {
    std::vector<Listed> entries;
    for (const InstalledFile& file : installed_files(running::data_folder())) {
        if (file.kind == kind) {
            entries.push_back({file.name, file.title});
        }
    }
    return entries;
}

std::vector<Listed> all_routers() { return all_of(network::router_kinds()); }
std::vector<Listed> all_routings() { return all_of(network::routing_kinds()); }
std::vector<Listed> all_topologies() { return all_of(network::topology_families()); }

struct KindOfList {
    const char* name;
    const char* use;  ///< example of use
    std::vector<Listed> (*entries)();
};

constexpr std::array<KindOfList, 11> kLists = {{
    {"experiments", "weir run FILE", installed_files_of_kind<InstalledFile::Kind::kExperiment>},
    {"claims", "weir validate FILE", installed_files_of_kind<InstalledFile::Kind::kClaims>},
    {"hypotheses", "named by claims", installed_files_of_kind<InstalledFile::Kind::kHypotheses>},
    {"kernels", "[workload] kernel = \"NAME\"", all_kernels},
    {"machines", "extends = \"NAME\"", installed_files_of_kind<InstalledFile::Kind::kMachine>},
    {"metrics", "[published] NAME = {...}, --metric NAME", all_metrics},
    {"models", "weir model NAME", asked_models},
    {"routers", "network.router = \"NAME\"", all_routers},
    {"routings", "network.routing = \"NAME\"", all_routings},
    {"sweeps", "weir sweep FILE", installed_files_of_kind<InstalledFile::Kind::kSweep>},
    {"topologies", "network.topology = \"NAME\"", all_topologies},
}};

/// The list of one kind; all lists if `kind` is empty.
std::vector<ListOfAKind> lists_of(const std::string& kind) {
    std::vector<ListOfAKind> lists;
    for (const KindOfList& list : kLists) {
        if (kind.empty() || kind == list.name) {
            lists.push_back({list.name, list.use, list.entries()});
        }
    }
    return lists;
}

void keep_those_that_fit(std::vector<ListOfAKind>& lists, const std::string& pattern) {
    const std::string anywhere = "*" + setup::in_small_letters(pattern) + "*";
    std::vector<std::string> names;
    bool any = false;
    for (ListOfAKind& list : lists) {
        for (const Listed& entry : list.entries) {
            names.push_back(entry.name);
        }
        std::erase_if(list.entries, [&](const Listed& entry) {
            return !setup::fits_pattern(setup::in_small_letters(entry.name + " " + entry.title),
                                        anywhere);
        });
        any = any || !list.entries.empty();
    }
    if (!any) {
        throw setup::UserFault({}, fmt::format("no entry matches \"{}\"", pattern),
                               "part of a name or title, with wildcards * and ?",
                               setup::nearest_name(pattern, names));
    }
}

/// Folder of a file's name, with its slash; empty for other names.
std::string folder_of(const Listed& entry) {
    return entry.name.substr(0, entry.name.rfind('/') + 1);
}

/// One line per entry; files are grouped by folder. The title of a long name is on the line below
/// it.
std::string page_of(const ListOfAKind& list) {
    constexpr std::size_t kWidest = 32;
    std::size_t width = 0;
    for (const Listed& entry : list.entries) {
        width = std::max(width, entry.name.size() - folder_of(entry).size());
    }
    width = std::min(width, kWidest);
    std::string page = fmt::format("{} ({})\n", list.kind, list.use);
    std::string folder;
    for (const Listed& entry : list.entries) {
        if (folder_of(entry) != folder) {
            folder = folder_of(entry);
            page += "  " + folder + "\n";
        }
        page += setup::text_list({{entry.name.substr(folder.size()), entry.title}},
                                 folder.empty() ? 2 : 4, width);
    }
    return page;
}

std::string page_of(const std::vector<ListOfAKind>& lists) {
    std::string page;
    for (const ListOfAKind& list : lists) {
        if (!list.entries.empty()) {
            page += (page.empty() ? "" : "\n") + page_of(list);
        }
    }
    return page;
}

nlohmann::ordered_json list_document(const std::vector<ListOfAKind>& lists) {
    nlohmann::ordered_json document = nlohmann::ordered_json::object();
    for (const ListOfAKind& list : lists) {
        auto& entries = document[list.kind] = nlohmann::ordered_json::array();
        for (const Listed& entry : list.entries) {
            nlohmann::ordered_json listed = {{"name", entry.name}, {"title", entry.title}};
            if (!entry.unit.empty()) {
                listed["unit"] = entry.unit;
            }
            entries.push_back(std::move(listed));
        }
    }
    return document;
}

}  // namespace

std::vector<std::string> listed_kinds() {
    std::vector<std::string> names;
    names.reserve(kLists.size());
    for (const KindOfList& list : kLists) {
        names.emplace_back(list.name);
    }
    return names;
}

namespace {

/// `weir list [KIND] [PATTERN]`: lists experiments, machines, kernels, models and others.
class ListCommand final : public Command {
  public:
    ListCommand() : Command("list", "List experiments, machines, kernels and models") {}

  private:
    void declare(CommandSyntax command) override {
        command.add_option("KIND", kind_, "Kind of entries, see below [all kinds]");
        command.add_option("PATTERN", pattern_, "Part of a name or title; wildcards * and ? [all]");
        command.add_flag("--json", json_, "Print one JSON object with a list per kind");
        command.add_flag("--schema", schema_, "Print the JSON schema of results");
        command.footer(
            setup::wrapped(
                "KIND is one of " + fmt::format("{}", fmt::join(listed_kinds(), ", ")) + ".", "",
                "") +
            "All commands accept these file names from any folder: a file that does not\n"
            "exist there is taken from the files that come with Weir.");
    }

    int execute() override {
        if (schema_) {
            std::ifstream outline(running::data_folder() /
                                  "experiments/records/result_outline.json");
            std::cout << kinds::result_schema(nlohmann::ordered_json::parse(outline)).dump(1)
                      << "\n";
            return running::kSuccess;
        }
        std::vector<ListOfAKind> lists = lists_of(kind_);
        if (lists.empty()) {
            throw setup::unknown_name({"weir list"}, "list", kind_, listed_kinds());
        }
        if (!pattern_.empty()) {
            keep_those_that_fit(lists, pattern_);
        }
        std::cout << (json_ ? list_document(lists).dump(1) + "\n" : page_of(lists));
        return running::kSuccess;
    }

    std::string kind_;
    std::string pattern_;
    bool json_ = false;
    bool schema_ = false;
};

}  // namespace

std::unique_ptr<Command> list_command() { return std::make_unique<ListCommand>(); }

}  // namespace weir::experiments::commands
