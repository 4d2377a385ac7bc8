#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "experiments/random_machines/campaign_command.h"
#include "experiments/random_pages/page_trial.h"

namespace weir::experiments::random_pages {

/// Settings of a campaign: its draws and its options.
struct PageCampaign {
    random_machines::ChosenDraws chosen;
    std::uint64_t html_every = 4;  ///< every Nth draw's pages are also written as HTML
};

/// Results of a campaign so far.
struct PageCampaignReport {
    std::uint64_t draws = 0;
    std::uint64_t pages = 0;
    std::uint64_t sentences = 0;
    std::uint64_t violations = 0;
    ChangedDigits digits;
    std::map<std::string, std::uint64_t> ends;

    /// Summary line: "200 draws with 512 pages: ...; 0 violations".
    [[nodiscard]] std::string summary() const;
};

/// Draws and checks pages, in as many concurrent draws as there are workers. The draws depend only
/// on seed and numbers. Calls `broken` for each draw that breaks a law, in the order of the draws.
PageCampaignReport run_page_campaign(
    const PageCampaign& campaign,
    const std::function<void(std::uint64_t number, const PageReport&)>& broken);

}  // namespace weir::experiments::random_pages
