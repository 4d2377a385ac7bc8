#include "experiments/random_pages/page_campaign.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <deque>
#include <memory>
#include <vector>

#include "experiments/random_machines/own_process.h"
#include "experiments/setup/files/temporary_folder.h"

namespace weir::experiments::random_pages {

namespace {

// Limit of processor time for drawing machines and making pages; runs are processes of their own.
constexpr int kMostSeconds = 300;

/// A draw in progress.
struct Begun {
    std::uint64_t number = 0;
    std::unique_ptr<setup::TemporaryFolder> folder;
    std::unique_ptr<random_machines::OwnProcess> process;
};

Begun begin(const PageCampaign& campaign, std::uint64_t number) {
    Begun begun{number, std::make_unique<setup::TemporaryFolder>("weir-pages"), nullptr};
    const PageTrialOptions options{.as_html = campaign.html_every != 0 &&
                                              number % campaign.html_every == 0};
    begun.process = std::make_unique<random_machines::OwnProcess>(
        [&] {
            // Sweeps print their progress to stderr; it is not wanted here.
            static_cast<void>(std::freopen("/dev/null", "w", stderr));
            return try_pages({campaign.chosen.seed, number, 0}, begun.folder->path(), options)
                .text();
        },
        kMostSeconds);
    return begun;
}

PageReport end_of(const Begun& begun) {
    const random_machines::ProcessEnd end = begun.process->wait();
    if (end.failure.empty()) {
        return page_report_from(end.output);
    }
    PageReport report;
    report.end = "crashed";
    report.violations.push_back({"pages are made", end.failure});
    return report;
}

}  // namespace

std::string PageCampaignReport::summary() const {
    std::vector<std::string> texts;
    for (const auto& [end, count] : ends) {
        texts.push_back(fmt::format("{} {}", count, end));
    }
    return fmt::format(
        "{} draws ({}) with {} pages and {} sentences; of {} changed digits {:.1f} % were seen; {} "
        "violations",
        draws, fmt::join(texts, ", "), pages, sentences, digits.changed,
        digits.changed == 0
            ? 0.0
            : 100.0 * static_cast<double>(digits.seen) / static_cast<double>(digits.changed),
        violations);
}

PageCampaignReport run_page_campaign(
    const PageCampaign& campaign,
    const std::function<void(std::uint64_t number, const PageReport&)>& broken) {
    const auto began = std::chrono::steady_clock::now();
    PageCampaignReport report;
    std::deque<Begun> running;
    std::uint64_t next = 0;
    const auto may_begin = [&] {
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - began;
        return next < campaign.chosen.count && taken.count() < campaign.chosen.seconds;
    };
    while (true) {
        while (running.size() < campaign.chosen.workers && may_begin()) {
            running.push_back(begin(campaign, campaign.chosen.first + next++));
        }
        if (running.empty()) {
            return report;
        }
        const PageReport one = end_of(running.front());
        ++report.draws;
        ++report.ends[one.end];
        report.pages += one.pages;
        report.sentences += one.sentences;
        report.digits.changed += one.digits.changed;
        report.digits.seen += one.digits.seen;
        report.violations += one.violations.empty() ? 0 : 1;
        if (!one.violations.empty()) {
            broken(running.front().number, one);
        }
        running.pop_front();
    }
}

}  // namespace weir::experiments::random_pages
