#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <iostream>
#include <systemc>

#include "experiments/random_pages/page_campaign.h"

namespace {

namespace machines = weir::experiments::random_machines;
namespace pages = weir::experiments::random_pages;

void print(const pages::PageCampaign& campaign, std::uint64_t number,
           const pages::PageReport& report) {
    std::cout << fmt::format("# Draw {} of seed {} breaks laws ({}):\n", number,
                             campaign.chosen.seed, report.end);
    for (const pages::PageViolation& violation : report.violations) {
        std::cout << fmt::format("#   {}: {}\n", violation.law, violation.what);
    }
    std::cout << fmt::format("# To repeat it: random_pages --seed {} --first {} --draws 1\n{}",
                             campaign.chosen.seed, number, report.files)
              << std::endl;
}

}  // namespace

int sc_main(int argc, char** argv) {
    pages::PageCampaign campaign;
    return machines::run_campaign_command(
        argc, argv,
        {.name = "random_pages",
         .description =
             "Draws pairs of machines and small sweeps, runs them, and checks laws on their pages. "
             "Parts sum to the total, and numbers in sentences follow from the tables. Ranks "
             "respect the confidence intervals, and no failed run is called ok.",
         .noun = "draw",
         .draws = "pairs and sweeps",
         .add_options =
             [&campaign](CLI::App& app) {
                 app.add_option("--html-every", campaign.html_every,
                                "Write every Nth draw's pages as\nHTML, too [4; 0: none]");
             }},
        [&campaign](const machines::ChosenDraws& chosen) {
            campaign.chosen = chosen;
            const pages::PageCampaignReport report = pages::run_page_campaign(
                campaign, [&campaign](std::uint64_t number, const pages::PageReport& broken) {
                    print(campaign, number, broken);
                });
            std::cout << report.summary() << std::endl;
            return report.violations;
        });
}

// Replaces libsystemc's main, which prints a banner first.
int main(int argc, char** argv) {
    setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
    return sc_core::sc_elab_and_sim(argc, argv);
}
