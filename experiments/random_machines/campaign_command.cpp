#include "experiments/random_machines/campaign_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <exception>
#include <iostream>
#include <thread>

namespace weir::experiments::random_machines {

namespace {

constexpr int kBroken = 1;
constexpr int kBadInput = 2;
constexpr std::uint64_t kDraws = 200;  // default if neither a number nor a time is given

std::string capitalized(std::string word) {
    word.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(word.front())));
    return word;
}

void add_options(CLI::App& app, const CampaignCommand& command, ChosenDraws& chosen) {
    const std::string noun = command.noun;
    app.name(command.name);
    app.add_option(
        "--draws", chosen.count,
        fmt::format("Number of {} [{}; with --seconds no limit]", command.draws, kDraws));
    app.add_option("--seconds", chosen.seconds, fmt::format("Time limit: no {} begins later", noun))
        ->check(CLI::PositiveNumber);
    app.add_option("--seed", chosen.seed, fmt::format("Seed that determines the {}s [1]", noun));
    app.add_option("--first", chosen.first, "Number of the first draw [0]");
    if (command.add_options) {
        command.add_options(app);
    }
    app.add_option("-j,--jobs", chosen.workers,
                   fmt::format("Concurrent {}s [one per core]", capitalized(noun)))
        ->check(CLI::Range(1, 1024));
    app.footer(
        fmt::format("Exit status: 0 no violation, 1 violations, 2 bad input.\n"
                    "{} 7 of seed 1 is the same in every campaign: --first 7 --draws 1.",
                    capitalized(noun)));
}

}  // namespace

int run_campaign_command(int argc, const char* const* argv, const CampaignCommand& command,
                         const std::function<std::uint64_t(const ChosenDraws&)>& campaign) {
    ChosenDraws chosen;
    chosen.workers = std::max(1U, std::thread::hardware_concurrency());
    CLI::App app{command.description};
    add_options(app, command, chosen);
    try {
        app.parse(argc, argv);
        if (app.count("--draws") == 0 && app.count("--seconds") == 0) {
            chosen.count = kDraws;
        }
        return campaign(chosen) == 0 ? 0 : kBroken;
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
            return app.exit(error);
        }
        std::cerr << command.name << ": " << error.what() << "\n";
    } catch (const std::exception& fault) {
        std::cerr << command.name << ": " << fault.what() << "\n";
    }
    return kBadInput;
}

}  // namespace weir::experiments::random_machines
