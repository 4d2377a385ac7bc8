#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>

namespace CLI {
class App;
}  // namespace CLI

namespace weir::experiments::random_machines {

/// Draws of a campaign, and the number of concurrent draws.
struct ChosenDraws {
    std::uint64_t seed = 1;
    std::uint64_t first = 0;
    std::uint64_t count = std::numeric_limits<std::uint64_t>::max();
    double seconds =
        std::numeric_limits<double>::infinity();  ///< time after which no further draw begins
    unsigned workers = 1;
};

/// Name and help of a program that runs campaigns.
struct CampaignCommand {
    std::string name;                              ///< name of the program: "random_machines"
    std::string description;                       ///< first paragraph of the help
    std::string noun;                              ///< "machine": name of a draw in the help
    std::string draws;                             ///< "pairs and sweeps": contents of the draws
    std::function<void(CLI::App&)> add_options{};  ///< further options, listed before -j
};

/// Reads the command line and runs the campaign, which returns its number of violations. Returns
/// the exit status: 0 without a violation, 1 with one, 2 for bad input.
int run_campaign_command(int argc, const char* const* argv, const CampaignCommand& command,
                         const std::function<std::uint64_t(const ChosenDraws&)>& campaign);

}  // namespace weir::experiments::random_machines
