#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <systemc>
#include <thread>

#include "experiments/random_pages/page_campaign.h"

namespace {

namespace pages = weir::experiments::random_pages;

constexpr int kBroken = 1;
constexpr int kBadInput = 2;

void print(const pages::PageCampaign& campaign, std::uint64_t number,
           const pages::PageReport& report) {
    std::cout << fmt::format("# Draw {} of seed {} breaks laws ({}):\n", number, campaign.seed,
                             report.end);
    for (const pages::PageViolation& violation : report.violations) {
        std::cout << fmt::format("#   {}: {}\n", violation.law, violation.what);
    }
    std::cout << fmt::format("# To try it again: random_pages --seed {} --first {} --draws 1\n{}",
                             campaign.seed, number, report.files)
              << std::endl;
}

int execute(int argc, char** argv) {
    constexpr std::uint64_t kDraws = 200;
    pages::PageCampaign campaign;
    campaign.workers = std::max(1U, std::thread::hardware_concurrency());
    std::uint64_t draws = 0;
    CLI::App app{
        "Draws pairs of machines and small sweeps, runs them, and holds laws for their pages: "
        "parts sum to the total, numbers in sentences follow from the tables, nothing is ranked "
        "above what its interval allows, and what failed is not called ok."};
    app.name("random_pages");
    app.add_option("--draws", draws, "Pairs and sweeps [200; with --seconds no limit]");
    app.add_option("--seconds", campaign.seconds, "No draw begins later")
        ->check(CLI::PositiveNumber);
    app.add_option("--seed", campaign.seed, "Which draws [1]");
    app.add_option("--first", campaign.first, "The number of the first [0]");
    app.add_option("--html-every", campaign.html_every,
                   "Each so manieth draw's pages are\nwritten as HTML, too [4; 0: none]");
    app.add_option("-j,--jobs", campaign.workers, "Draws at a time [one a core]")
        ->check(CLI::Range(1, 1024));
    app.footer(
        "Exit status: 0 no violation, 1 violations, 2 bad input.\n"
        "Draw 7 of seed 1 is the same in every campaign: --first 7 --draws 1.");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
            return app.exit(error);
        }
        std::cerr << "random_pages: " << error.what() << "\n";
        return kBadInput;
    }
    if (app.count("--draws") > 0) {
        campaign.draws = draws;
    } else if (app.count("--seconds") == 0) {
        campaign.draws = kDraws;
    }
    const pages::PageCampaignReport report = pages::run_page_campaign(
        campaign, [&campaign](std::uint64_t number, const pages::PageReport& broken) {
            print(campaign, number, broken);
        });
    std::cout << report.summary() << std::endl;
    return report.violations == 0 ? 0 : kBroken;
}

}  // namespace

int sc_main(int argc, char** argv) {
    try {
        return execute(argc, argv);
    } catch (const std::exception& fault) {
        std::cerr << "random_pages: " << fault.what() << "\n";
        return kBadInput;
    }
}

// In place of libsystemc's main, which prints a banner first.
int main(int argc, char** argv) {
    setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
    return sc_core::sc_elab_and_sim(argc, argv);
}
