#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <systemc>
#include <thread>

#include "experiments/random_machines/campaign.h"

namespace {

namespace machines = weir::experiments::random_machines;

constexpr int kBroken = 1;
constexpr int kBadInput = 2;

// Every half minute, where nobody else says how far it is.
class Progress {
  public:
    void operator()(const machines::CampaignReport& report) {
        constexpr std::chrono::seconds kEvery(30);
        const auto now = std::chrono::steady_clock::now();
        if (now - told_ >= kEvery) {
            told_ = now;
            std::cerr << report.summary() << std::endl;
        }
    }

  private:
    std::chrono::steady_clock::time_point told_ = std::chrono::steady_clock::now();
};

int execute(int argc, char** argv) {
    constexpr std::uint64_t kDraws = 200;
    constexpr std::uint64_t kMostShrunk = 10;
    machines::Campaign campaign;
    campaign.workers = std::max(1U, std::thread::hardware_concurrency());
    std::uint64_t draws = 0;
    CLI::App app{
        "Draws machines with programs, runs them, and holds laws: nothing is lost, the answer is "
        "right, and no result depends on how the emulator goes about it. A machine that breaks a "
        "law is made small and printed as an experiment file."};
    app.name("random_machines");
    app.add_option("--draws", draws, "Machines [200; with --seconds no limit]");
    app.add_option("--seconds", campaign.seconds, "No machine begins later")
        ->check(CLI::PositiveNumber);
    app.add_option("--seed", campaign.seed, "Which machines [1]");
    app.add_option("--first", campaign.first, "The number of the first [0]");
    app.add_option("-j,--jobs", campaign.workers, "Machines at a time [one a core]")
        ->check(CLI::Range(1, 1024));
    app.footer(
        "Exit status: 0 no violation, 1 violations, 2 bad input.\n"
        "Machine 7 of seed 1 is the same in every campaign: --first 7 --draws 1.");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
            return app.exit(error);
        }
        std::cerr << "random_machines: " << error.what() << "\n";
        return kBadInput;
    }
    if (app.count("--draws") > 0) {
        campaign.draws = draws;
    } else if (app.count("--seconds") == 0) {
        campaign.draws = kDraws;
    }
    std::uint64_t shrunk = 0;
    const machines::CampaignReport report = machines::run_campaign(
        campaign,
        [&](const machines::BrokenMachine& machine) {
            std::cerr << fmt::format("machine {} breaks a law: {}\n", machine.number,
                                     machine.violation.law);
            if (++shrunk <= kMostShrunk) {
                std::cout << machines::smallest_experiment(machine, campaign) << std::endl;
            }
        },
        Progress());
    std::cout << report.tally() << report.summary() << std::endl;
    return report.violations == 0 ? 0 : kBroken;
}

}  // namespace

int sc_main(int argc, char** argv) {
    try {
        return execute(argc, argv);
    } catch (const std::exception& fault) {
        std::cerr << "random_machines: " << fault.what() << "\n";
        return kBadInput;
    }
}

// In place of libsystemc's main, which prints a banner first.
int main(int argc, char** argv) {
    setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
    return sc_core::sc_elab_and_sim(argc, argv);
}
