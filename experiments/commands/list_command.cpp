#include "experiments/commands/list_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iostream>
#include <nlohmann/json.hpp>

#include "experiments/commands/own_files.h"
#include "experiments/config/name_pattern.h"
#include "experiments/config/user_fault.h"
#include "experiments/config/wrapped_text.h"
#include "experiments/models/catalogue/catalogue.h"
#include "experiments/run/data_folder.h"
#include "experiments/run/run_experiment.h"
#include "experiments/run/setup.h"
#include "firmware/kernels/compiled_registry.h"
#include "firmware/kernels/registry.h"

namespace weir::experiments::commands {

namespace {

struct Listed {
    std::string name;
    std::string title;
};

struct ListOfAKind {
    std::string kind;
    std::string use;  ///< how one of them is used
    std::vector<Listed> entries;
};

std::vector<Listed> files_of(const std::vector<OwnFile>& files, OwnFile::Kind kind) {
    std::vector<Listed> entries;
    for (const OwnFile& file : files) {
        if (file.kind == kind) {
            entries.push_back({file.name, file.title});
        }
    }
    return entries;
}

std::vector<Listed> all_kernels() {
    std::vector<Listed> entries;
    for (const auto& entry : firmware::kernels()) {
        entries.push_back({entry.name, entry.sentence});
    }
    entries.push_back({run::kOpenLoop, "no kernel: packets offered to the network alone"});
    for (const auto& entry : firmware::compiled_kernels()) {
        const auto twin = std::find_if(entries.begin(), entries.end(),
                                       [&](const Listed& e) { return e.name == entry.name; });
        if (twin == entries.end()) {
            entries.push_back({entry.name, entry.sentence});
        }
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

std::vector<ListOfAKind> all_lists() {
    const std::vector<OwnFile> files = own_files(run::data_folder());
    return {{"experiments", "weir run FILE", files_of(files, OwnFile::Kind::kExperiment)},
            {"claims", "weir validate FILE", files_of(files, OwnFile::Kind::kClaims)},
            {"kernels", "[workload] kernel = \"NAME\"", all_kernels()},
            {"machines", "extends = \"NAME\"", files_of(files, OwnFile::Kind::kMachine)},
            {"models", "weir model NAME", asked_models()},
            {"sweeps", "weir sweep FILE", files_of(files, OwnFile::Kind::kSweep)}};
}

std::string in_small_letters(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    return text;
}

void keep_those_that_fit(std::vector<ListOfAKind>& lists, const std::string& pattern) {
    const std::string anywhere = "*" + in_small_letters(pattern) + "*";
    std::vector<std::string> names;
    bool any = false;
    for (ListOfAKind& list : lists) {
        for (const Listed& entry : list.entries) {
            names.push_back(entry.name);
        }
        std::erase_if(list.entries, [&](const Listed& entry) {
            return !config::fits_pattern(in_small_letters(entry.name + " " + entry.title),
                                         anywhere);
        });
        any = any || !list.entries.empty();
    }
    if (!any) {
        throw config::UserFault({}, fmt::format("nothing listed fits \"{}\"", pattern),
                                "part of a name or a title, * and ? in it",
                                config::nearest_name(pattern, names));
    }
}

/// The folder of a file's name, with its slash; of other names nothing.
std::string folder_of(const Listed& entry) {
    return entry.name.substr(0, entry.name.rfind('/') + 1);
}

/// A line each, files below the names of their folders.
std::string page_of(const ListOfAKind& list) {
    std::size_t width = 0;
    for (const Listed& entry : list.entries) {
        width = std::max(width, entry.name.size() - folder_of(entry).size());
    }
    std::string page = fmt::format("{} ({})\n", list.kind, list.use);
    std::string folder;
    for (const Listed& entry : list.entries) {
        if (folder_of(entry) != folder) {
            folder = folder_of(entry);
            page += "  " + folder + "\n";
        }
        const std::string margin(folder.empty() ? 2 : 4, ' ');
        page += config::wrapped(
            entry.title, fmt::format("{}{:<{}}  ", margin, entry.name.substr(folder.size()), width),
            margin + std::string(width + 2, ' '));
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
            entries.push_back({{"name", entry.name}, {"title", entry.title}});
        }
    }
    return document;
}

}  // namespace

std::vector<std::string> listed_kinds() {
    return {"experiments", "claims", "kernels", "machines", "models", "sweeps"};
}

ListCommand::ListCommand() : Command("list", "List experiments, machines, kernels and models") {}

void ListCommand::declare(CLI::App& command) {
    command.add_option("KIND", kind_, "Of what, see below [all]");
    command.add_option("PATTERN", pattern_, "Part of a name or title; * and ? are wild [all]");
    command.add_flag("--json", json_, "Print one JSON object, a list a kind");
    command.footer(
        "KIND is experiments, claims, kernels, machines, models or sweeps.\n"
        "Files are named as they can be given to other commands, from any folder: one\n"
        "that is not there is taken from those that come with the program.");
}

int ListCommand::execute() {
    std::vector<ListOfAKind> lists = all_lists();
    if (!kind_.empty()) {
        const std::vector<std::string> kinds = listed_kinds();
        if (std::find(kinds.begin(), kinds.end(), kind_) == kinds.end()) {
            throw config::unknown_name({"weir list"}, "list", kind_, kinds);
        }
        std::erase_if(lists, [&](const ListOfAKind& list) { return list.kind != kind_; });
    }
    if (!pattern_.empty()) {
        keep_those_that_fit(lists, pattern_);
    }
    std::cout << (json_ ? list_document(lists).dump(1) + "\n" : page_of(lists));
    return run::kSuccess;
}

}  // namespace weir::experiments::commands
