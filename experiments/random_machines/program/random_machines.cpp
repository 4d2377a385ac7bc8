#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <systemc>

#include "experiments/random_machines/campaign.h"

namespace {

namespace machines = weir::experiments::random_machines;

// Prints progress every half minute, unless other output does.
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

std::uint64_t run(const machines::ChosenDraws& chosen) {
    constexpr std::uint64_t kMostShrunk = 10;
    const machines::Campaign campaign{.chosen = chosen};
    std::uint64_t shrunk = 0;
    const machines::CampaignReport report = machines::run_campaign(
        campaign,
        [&](const machines::BrokenMachine& machine) {
            std::cerr << fmt::format("machine {} breaks a law: {}: {}\n", machine.number,
                                     machine.violation.law, machine.violation.what);
            if (++shrunk <= kMostShrunk) {
                std::cout << machines::smallest_experiment(machine, campaign) << std::endl;
            }
        },
        Progress());
    std::cout << report.tally() << report.summary() << std::endl;
    return report.violations;
}

}  // namespace

int sc_main(int argc, char** argv) {
    return machines::run_campaign_command(
        argc, argv,
        {.name = "random_machines",
         .description =
             "Draws machines with programs, runs them, and checks laws: nothing is lost, the "
             "answer "
             "is right, and no result depends on the emulator's own switches. A machine that "
             "breaks a law is made smaller and printed as an experiment file.",
         .noun = "machine",
         .draws = "machines"},
        run);
}

// Replaces libsystemc's main, which prints a banner first.
int main(int argc, char** argv) {
    setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
    return sc_core::sc_elab_and_sim(argc, argv);
}
