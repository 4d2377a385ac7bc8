#include <fmt/format.h>

#include <array>
#include <iostream>
#include <string>
#include <utility>

#include "experiments/commands/all_commands.h"
#include "experiments/commands/reference/program_outline.h"
#include "experiments/running/processes/exit_status.h"
#include "experiments/setup/version.h"

namespace weir::experiments::commands {

namespace {

/// Escapes roff's special characters: backslashes, hyphens, and a dot or quote at the beginning of
/// a line. Hyphens become minus signs, which readers can copy into a shell.
std::string escaped(const std::string& text) {
    std::string roff;
    bool begins_line = true;
    for (const char letter : text) {
        if (begins_line && (letter == '.' || letter == '\'')) {
            roff += "\\&";
        }
        switch (letter) {
            case '\\':
                roff += "\\e";
                break;
            case '-':
                roff += "\\-";
                break;
            case '\'':
                roff += "\\(aq";
                break;
            case '~':
                roff += "\\(ti";
                break;
            case '^':
                roff += "\\(ha";
                break;
            default:
                roff += letter;
        }
        begins_line = letter == '\n';
    }
    return roff;
}

std::string in_bold(const std::string& text) { return "\\fB" + escaped(text) + "\\fR"; }
std::string in_italic(const std::string& text) { return "\\fI" + escaped(text) + "\\fR"; }

std::string tagged_item(const std::string& label, const std::string& text) {
    return ".TP\n" + label + "\n" + escaped(text) + "\n";
}

std::string synopsis(const OutlineCommand& command) {
    std::string text = in_bold(command.path);
    text += command.options.empty() ? "" : " [" + in_italic("option") + "...]";
    for (const OutlineOption& argument : command.arguments) {
        const std::string name =
            in_italic(argument.names.front()) + (argument.is_repeated ? "..." : "");
        text += argument.is_required ? " " + name : " [" + name + "]";
    }
    if (!command.commands.empty()) {
        text += " [" + in_italic("command") + "]";
    }
    return text;
}

std::string option_item(const OutlineOption& option) {
    std::string label;
    for (const std::string& name : option.names) {
        label += (label.empty() ? "" : ", ") + in_bold(name);
    }
    label += option.value.empty() ? "" : " " + in_italic(option.value);
    return tagged_item(label, option.sentence);
}

std::string preformatted(const std::string& text) { return ".nf\n" + escaped(text) + "\n.fi\n"; }

/// The argument inherited is the program's footer, which CLI11 returns for commands without a
/// footer of their own.
std::string command_section(const OutlineCommand& command, const std::string& inherited) {
    std::string text = ".SS " + synopsis(command) + "\n" + escaped(command.sentence) + ".\n";
    for (const OutlineOption& argument : command.arguments) {
        text += tagged_item(in_italic(argument.names.front()), argument.sentence);
    }
    for (const OutlineOption& option : command.options) {
        text += option_item(option);
    }
    text += command.footer == inherited ? "" : ".PP\n" + preformatted(command.footer);
    for (const OutlineCommand& inner : command.commands) {
        text += command_section(inner, inherited);
    }
    return text;
}

using Entries = std::initializer_list<std::pair<const char*, const char*>>;

std::string tagged_section(const char* title, Entries entries) {
    std::string text = fmt::format(".SH {}\n", title);
    for (const auto& [label, sentence] : entries) {
        text += tagged_item(in_bold(label), sentence);
    }
    return text;
}

std::string closing_sections() {
    std::string text = tagged_section(
        "EXIT STATUS",
        {{"0", "Success."},
         {"1", "A tolerance is missed (weir validate), or a point has changed (weir sweep diff)."},
         {"2",
          "Bad input: the message says where, what was found and what is accepted. Or the system "
          "refused memory, disk space or a file: the message says for what."},
         {"3",
          "Deadlock, no progress, or a thread that starved; the trace up to that cycle is kept."},
         {"4", "A kernel's answer is wrong."},
         {"70", "Fault of Weir itself."},
         {"129", "Ended by SIGHUP."},
         {"130", "Ended by SIGINT (Ctrl-C)."},
         {"138", "Ended by SIGUSR1, a batch system's warning."},
         {"140", "Ended by SIGUSR2."},
         {"143", "Ended by SIGTERM."}});
    text += tagged_section(
        "FILES",
        {{"runs/NAME-NNN/",
          "Results of weir run: report.txt, result.json, and a folder per point and "
          "seed with configuration.toml, statistics and the trace."},
         {"runs/NAME.db", "Results of weir sweep, an SQLite database."},
         {"../share/weir/",
          "Data files, relative to the program's folder: experiments, machine presets, and the "
          "firmware that weir compile links to programs."}});
    text += tagged_section(
        "ENVIRONMENT",
        {{"PATH",
          "Searched for gnuplot (weir model --plot) and for the compiler for Sparcle nodes "
          "(weir compile)."},
         {"TMPDIR",
          "Folder in which weir run --dry-run tries the points; its files are removed."}});
    text += ".SH EXAMPLES\n";
    text += preformatted(
        "weir list experiments Table\n"
        "weir run experiments/logpc/table1-ping.toml\n"
        "weir run experiments/logpc/sync-remap.toml --set network.hop_cycles=2\n"
        "weir run experiments/logpc/async-remap.toml --dry-run\n"
        "weir model lopc-all-to-any --help");
    return text;
}

/// Manual page weir(1) in roff's man macros.
std::string manual_page(const OutlineCommand& program) {
    std::string page =
        fmt::format(".TH WEIR 1 \"\" \"Weir {}\" \"User Commands\"\n", setup::kVersion);
    page += ".SH NAME\nweir \\- cycle\\-level emulator of Alewife\\-style multicomputers\n";
    page += ".SH SYNOPSIS\n" + in_bold("weir") + " " + in_italic("command") + " [" +
            in_italic("argument") + "...]\n.br\n" + in_bold("weir --version") + "\n.br\n" +
            in_bold("weir") + " [" + in_italic("command") + "] " + in_bold("--help") + "\n";
    page += ".SH DESCRIPTION\n" +
            escaped(
                "Weir emulates multicomputers cycle by cycle: nodes with an interrupting "
                "message controller and 256-byte queues, joined by a wormhole mesh. Kernels run "
                "on these nodes with real data. Measured cycles are compared with predictions of "
                "LogP, LogGP, LoPC and LoGPC and with values published for real machines. An "
                "experiment is one file (TOML); weir params lists its parameters.\n");
    page += ".SH COMMANDS\n";
    for (const OutlineCommand& command : program.commands) {
        page += command_section(command, program.footer);
    }
    page += ".SH OPTIONS\n";
    for (const OutlineOption& option : program.options) {
        page += option_item(option);
    }
    return page + closing_sections();
}

/// `weir man`: prints the manual page.
class ManualCommand final : public Command {
  public:
    ManualCommand() : Command("man", "Print the manual page: weir man | man -l -") {}

  private:
    void declare(CommandSyntax command) override { program_ = command.parent(); }
    int execute() override {
        std::cout << manual_page(outline_of(*program_, "weir"));
        return running::kSuccess;
    }

    const CLI::App* program_ = nullptr;
};

}  // namespace

std::unique_ptr<Command> manual_command() { return std::make_unique<ManualCommand>(); }

}  // namespace weir::experiments::commands
