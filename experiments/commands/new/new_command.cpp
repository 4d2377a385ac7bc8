#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "experiments/commands/all_commands.h"
#include "experiments/commands/new_file.h"
#include "experiments/records/run_file.h"
#include "experiments/running/processes/data_folder.h"
#include "experiments/running/processes/exit_status.h"
#include "experiments/setup/user_fault.h"
#include "firmware/kernels/registry.h"

namespace weir::experiments::commands {

namespace fs = std::filesystem;

namespace {

/// File that is made from a template of the same ending.
struct Made {
    const char* ending;    ///< ending of the new file's name
    bool has_underscores;  ///< the file's name has _ in place of -
    const char* from;      ///< name of the template
};

/// Kind of starting point: the files that are written, and the commands that use them.
struct StartingPoint {
    const char* name;
    std::vector<Made> files;
    const char* commands;  ///< text with the templates' placeholders
};

const std::vector<StartingPoint>& starting_points() {
    static const std::vector<StartingPoint> all{
        {"kernel",
         {{".cpp", true, "kernel.cpp.in"}, {".toml", false, "kernel.toml.in"}},
         "  weir build-kernel @FILE@.cpp\n  weir run @NAME@.toml\n"},
        {"program",
         {{".c", true, "program.c.in"}, {".toml", false, "program.toml.in"}},
         "  weir compile @FILE@.c\n  weir run @NAME@.toml\n"},
        {"experiment",
         {{".toml", false, "experiment.toml.in"}},
         "  weir run @NAME@.toml\n  weir report runs/@NAME@-001\n"}};
    return all;
}

std::string underscored(std::string name) {
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

std::string filled(std::string text, const std::string& name) {
    for (const auto& [placeholder, value] :
         {std::pair<std::string, std::string>{"@NAME@", name}, {"@FILE@", underscored(name)}}) {
        for (std::size_t at = text.find(placeholder); at != std::string::npos;
             at = text.find(placeholder, at + value.size())) {
            text.replace(at, placeholder.size(), value);
        }
    }
    return text;
}

void require_name(const std::string& name) {
    constexpr std::size_t kMost = 60;
    const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
    const bool is_good = !name.empty() && name.size() <= kMost && is_letter(name.front()) &&
                         name.back() != '-' && std::all_of(name.begin(), name.end(), [&](char c) {
                             return is_letter(c) || (c >= '0' && c <= '9') || c == '-';
                         });
    if (!is_good) {
        throw setup::UserFault({"NAME"}, fmt::format("found \"{}\"", name),
                               "a name of small letters, digits and hyphens, such as ring-2");
    }
}

void require_new_kernel(const std::string& name) {
    const auto is_this = [&name](const auto& entry) { return entry.name == name; };
    const auto& written = firmware::kernels();
    const auto& compiled = firmware::compiled_kernels();
    if (std::any_of(written.begin(), written.end(), is_this) ||
        std::any_of(compiled.begin(), compiled.end(), is_this)) {
        throw setup::UserFault({"NAME"}, fmt::format("Weir has a kernel \"{}\"", name),
                               "another name");
    }
}

/// `weir new KIND NAME`: writes a commented kernel, program or experiment to start from.
class NewCommand final : public Command {
  public:
    NewCommand() : Command("new", "Write a first kernel, program or experiment") {}

  private:
    void declare(CommandSyntax command) override {
        command.add_option("KIND", kind_, "kernel, program or experiment").required();
        command.add_option("NAME", name_, "Name of the files: small letters, digits, hyphens")
            .required();
        command.footer(
            "The files are written to the current folder; existing files are kept.\n"
            "  kernel      a C++ kernel and its experiment: weir build-kernel, weir run\n"
            "  program     a C program for Sparcle nodes: weir compile, weir run\n"
            "  experiment  an experiment with each usual table: weir run");
    }

    int execute() override {
        std::vector<std::string> names;
        const StartingPoint* found = nullptr;
        for (const StartingPoint& each : starting_points()) {
            names.emplace_back(each.name);
            found = kind_ == each.name ? &each : found;
        }
        if (found == nullptr) {
            throw setup::unknown_name({"weir new"}, "kind", kind_, names);
        }
        require_name(name_);
        if (kind_ == "kernel") {
            require_new_kernel(name_);
        }
        std::vector<std::pair<std::string, std::string>> files;
        for (const Made& made : found->files) {
            const std::string path =
                (made.has_underscores ? underscored(name_) : name_) + made.ending;
            std::error_code unknown;
            if (fs::symlink_status(path, unknown).type() != fs::file_type::not_found) {
                throw setup::UserFault({path}, "the file exists and is kept",
                                       "a name whose files do not exist");
            }
            const fs::path source =
                running::data_folder() / "experiments" / "templates" / made.from;
            const std::string text = records::text_of_file(source);
            if (text.empty()) {
                throw setup::UserFault({source.string()}, "the template is missing",
                                       "a complete installation of Weir");
            }
            files.emplace_back(path, filled(text, name_));
        }
        for (const auto& [path, text] : files) {
            NewFile file(path, "NAME");
            records::write_run_file(file.unfinished_path(), text);
            file.finish();
            std::cout << path << '\n';
        }
        std::cout << "To try it:\n" << filled(found->commands, name_);
        return running::kSuccess;
    }

    std::string kind_;
    std::string name_;
};

}  // namespace

std::unique_ptr<Command> new_command() { return std::make_unique<NewCommand>(); }

}  // namespace weir::experiments::commands
