#include "experiments/random_pages/page_trial.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "experiments/kinds/setup.h"
#include "experiments/pages/comparison_page.h"
#include "experiments/pages/figures/gnuplot.h"
#include "experiments/pages/html_page.h"
#include "experiments/pages/run_page.h"
#include "experiments/pages/sweep_page.h"
#include "experiments/pages/text_page.h"
#include "experiments/random_machines/settings.h"
#include "experiments/random_machines/value_draw.h"
#include "experiments/running/processes/compare_machines.h"
#include "experiments/running/sweeps/database/sweep_database.h"
#include "experiments/running/sweeps/run_sweep.h"
#include "experiments/setup/files/toml_tree.h"
#include "experiments/setup/user_fault.h"
#include "hw/random_stream.h"

namespace weir::experiments::random_pages {

namespace fs = std::filesystem;

namespace {

using random_machines::OpenSetup;
using random_machines::Setting;
using random_machines::Settings;

constexpr const char* kSeeds = "run.seeds";
constexpr int kAttempts = 8;

// True for seeds and limits of a run, which do not belong to a machine.
bool is_of_run(const std::string& key) {
    return key == kSeeds || key == random_machines::kEndKey || key == random_machines::kWatchdogKey;
}

class PageTrial {
  public:
    PageTrial(const random_machines::DrawNumber& which, fs::path folder,
              const PageTrialOptions& options)
        : which_(which),
          folder_(std::move(folder)),
          options_(options),
          stream_(which.seed, hw::NodeId(0), fmt::format("pages {}", which.number)) {}

    PageReport report() {
        const bool is_sweep = stream_.below(2) == 1;
        for (int attempt = 0; attempt < kAttempts; ++attempt) {
            work_ = folder_ / fmt::format("attempt-{}", attempt);
            fs::create_directory(work_);
            report_ = PageReport();
            try {
                random_machines::Refusals refusals;
                base_ = random_machines::draw_machine(
                    {which_.seed, which_.number, static_cast<std::uint64_t>(attempt)}, work_,
                    refusals);
                set_seeds();
                is_sweep ? sweep() : compare();
                return report_;
            } catch (const setup::UserFault& fault) {
                report_.end = "refused";
                report_.refusal = fault.what();
            }
        }
        return report_;
    }

  private:
    // Draws one to three seeds, so that some pages have intervals and others have none.
    void set_seeds() {
        std::vector<std::int64_t> seeds(1 + stream_.below(3));
        std::int64_t next = 1;
        std::generate(seeds.begin(), seeds.end(), [&next] { return next++; });
        seeds_ = std::move(seeds);
        for (Setting& setting : base_) {
            if (setting.key == kSeeds) {
                setting.value = seeds_;
            }
        }
    }

    [[nodiscard]] std::string models_text() {
        const auto setup =
            kinds::make_setup(random_machines::experiment_of(base_, work_), setup::SelectedRun(0));
        const std::vector<std::string>& models = setup->kind->models();
        return models.empty() || stream_.below(2) == 0
                   ? ""
                   : fmt::format("[models]\ncompare = [\"{}\"]\n", fmt::join(models, "\", \""));
    }

    fs::path write(const std::string& name, const std::string& text) {
        const fs::path file = work_ / name;
        std::ofstream(file) << text;
        report_.files += fmt::format("# {}\n{}", name, text);
        return file;
    }

    [[nodiscard]] running::RunOptions options_of(const fs::path& file) const {
        running::RunOptions options;
        options.file = file;
        options.presets = work_;
        options.folder = work_ / file.stem();
        options.show_progress = false;
        options.keep_traces = false;
        return options;
    }

    // The machine with new values of one to three parameters.
    [[nodiscard]] Settings changed() {
        Settings of_machine = base_;
        std::erase_if(of_machine, [](const Setting& each) { return is_of_run(each.key); });
        OpenSetup open(of_machine, work_);
        const std::vector<const OpenSetup::Place*> places = places_of(open);
        const std::uint64_t count = 1 + stream_.below(3);
        for (std::uint64_t i = 0; i < count && !places.empty(); ++i) {
            const OpenSetup::Place& place = *places[stream_.below(places.size())];
            static_cast<void>(place.parameter->set(random_machines::draw_value(place, stream_)));
        }
        open.tidy();
        Settings settings = open.settings();
        for (const Setting& setting : base_) {
            if (is_of_run(setting.key)) {
                settings.push_back(setting);
            }
        }
        return settings;
    }

    // Parameters that have an effect and can be drawn, except the program's and the sizes and
    // topology of the machine.
    [[nodiscard]] static std::vector<const OpenSetup::Place*> places_of(const OpenSetup& open) {
        std::vector<const OpenSetup::Place*> places;
        for (const OpenSetup::Place& place : open.places()) {
            const std::string key = place.key();
            const bool is_size = key.starts_with("machine.") || key == "network.dimensions" ||
                                 key == "network.topology";
            if (!key.starts_with("workload.") && !is_size && random_machines::is_drawn(place) &&
                open.has_effect(place)) {
                places.push_back(&place);
            }
        }
        return places;
    }

    void compare() {
        const std::string models = models_text();
        const fs::path first =
            write("first.toml", random_machines::experiment_text(base_) + models);
        const fs::path second =
            write("second.toml", random_machines::experiment_text(changed()) + models);
        try {
            const records::MachineComparison comparison =
                running::compare_machines(options_of(first), options_of(second));
            report_.end = "compared";
            hold(pages::comparison_document(comparison));
            hold(pages::run_document(comparison.first));
            hold(pages::run_document(comparison.second));
        } catch (const running::RunFailure& failure) {
            report_.end = "failed";
            for (const records::ExperimentResult& result : failure.so_far()) {
                hold_failed(result);
            }
        }
    }

    // Checks the pages of the run's folder and of the folders of its runs.
    void hold_failed(const records::ExperimentResult& result) {
        const std::string page = pages::text_page(pages::run_document(result));
        records::Document stored = pages::stored_document(result.folder);
        stored.facts.pop_back();  // only stored pages have the fact with Weir's version
        if (pages::text_page(stored) != page) {
            add("stored page", "the page of the run's folder differs from the printed page",
                stored);
        }
        hold(std::move(stored));
        for (const records::RunEnding& ending : result.endings) {
            const fs::path folder = fs::path(result.folder) / ending.folder;
            hold(pages::stored_document(folder));
        }
        for (const records::RunEnding& ending : result.endings) {
            if (page.find(ending.how) == std::string::npos) {
                report_.violations.push_back(
                    {"endings", "the page does not say how a run ended: " + ending.how});
            }
        }
    }

    // Sweep axes with two or three values of one or two parameters.
    [[nodiscard]] std::string axes_text() {
        Settings of_machine = base_;
        std::erase_if(of_machine, [](const Setting& each) { return is_of_run(each.key); });
        const OpenSetup open(of_machine, work_);
        std::vector<const OpenSetup::Place*> places = places_of(open);
        std::string text;
        const std::uint64_t axes = 1 + stream_.below(2);
        for (std::uint64_t axis = 0; axis < axes && !places.empty(); ++axis) {
            const std::uint64_t index = stream_.below(places.size());
            const OpenSetup::Place& place = *places[index];
            places.erase(places.begin() + static_cast<std::ptrdiff_t>(index));
            std::vector<std::string> values;
            constexpr int kTries = 12;
            const std::uint64_t wanted = 2 + stream_.below(2);
            for (int i = 0; i < kTries && values.size() < wanted; ++i) {
                const std::string value =
                    setup::toml_text(random_machines::draw_value(place, stream_));
                const bool is_list = value.starts_with("[");
                if (!is_list && std::find(values.begin(), values.end(), value) == values.end()) {
                    values.push_back(value);
                }
            }
            if (values.size() > 1) {
                text += fmt::format("[[sweep.axis]]\n{} = [{}]\n", place.key(),
                                    fmt::join(values, ", "));
                std::erase_if(base_,
                              [&place](const Setting& each) { return each.key == place.key(); });
            }
        }
        return text;
    }

    void sweep() {
        const std::string models = models_text();
        const std::string axes = axes_text();
        if (axes.empty()) {
            throw setup::UserFault("no parameter of the machine can be varied");
        }
        const bool is_varied = stream_.below(4) == 0;
        running::SweepOptions options;
        options.file = write("sweep.toml",
                             random_machines::experiment_text(base_) + models +
                                 (is_varied ? "[sweep]\ndesign = \"one-at-a-time\"\n" : "") + axes);
        options.presets = work_;
        options.database = work_ / "sweep.db";
        static_cast<void>(running::run_sweep(options));
        report_.end = "swept";
        const auto database = running::SweepDatabase::open(*options.database,
                                                           running::SweepConnection::Access::kRead);
        const records::SweepResult sweep = running::read_sweep(database);
        const records::Document page = pages::sweep_document(sweep);
        check_statuses(sweep, page);
        hold(page);
    }

    // Checks that the page shows as many rows as ok as points ended well.
    void check_statuses(const records::SweepResult& sweep, const records::Document& page) {
        const auto good = std::count_if(
            sweep.points.begin(), sweep.points.end(), [](const records::StoredPoint& point) {
                return std::all_of(point.runs.begin(), point.runs.end(),
                                   [](const auto& run) { return run.status == "ok"; });
            });
        std::ptrdiff_t told = 0;
        for (const records::Section& section : page.sections) {
            for (const records::Block& block : section.blocks) {
                const auto* table = std::get_if<records::Table>(&block);
                if (table == nullptr || table->columns.empty() ||
                    !table->columns.back().is_status) {
                    continue;
                }
                told += std::count_if(table->rows.begin(), table->rows.end(), [](const auto& row) {
                    return row.back().mark == records::TableCell::Mark::kNone;
                });
            }
        }
        if (told > good) {
            add("statuses",
                fmt::format("the page shows {} points as ok, but {} ended well", told, good), page);
        }
    }

    void hold(records::Document page) {
        if (options_.plant) {
            options_.plant(page);
        }
        ++report_.pages;
        for (const records::Finding& finding : page.findings) {
            report_.sentences += finding.sentences.size();
        }
        for (const PageViolation& violation : broken_laws(page)) {
            add(violation.law, violation.what, page);
        }
        const ChangedDigits digits = change_digits(page);
        report_.digits.changed += digits.changed;
        report_.digits.seen += digits.seen;
        if (options_.as_html) {
            check_html(page);
        }
    }

    // Checks that the HTML page has every cell's exact number.
    void check_html(const records::Document& page) {
        try {
            const std::string html = pages::html_page(page);
            check_html(page.sections, html, page);
        } catch (const pages::GnuplotError& fault) {
            add("html", fault.what(), page);
        }
    }
    void check_html(const std::vector<records::Section>& sections, const std::string& html,
                    const records::Document& page) {
        for (const records::Section& section : sections) {
            for (const records::Block& block : section.blocks) {
                const auto* table = std::get_if<records::Table>(&block);
                for (std::size_t row = 0; table != nullptr && row < table->rows.size(); ++row) {
                    for (const records::TableCell& cell : table->rows[row]) {
                        if (cell.value &&
                            html.find(fmt::format("data-value=\"{}\"", *cell.value)) ==
                                std::string::npos) {
                            add("html", fmt::format("no cell has {}", *cell.value), page);
                            return;
                        }
                    }
                }
            }
            check_html(section.parts, html, page);
        }
    }

    void add(const std::string& law, const std::string& what, const records::Document& page) {
        report_.violations.push_back({law, page.title + ": " + what});
    }

    random_machines::DrawNumber which_;
    fs::path folder_;
    fs::path work_;
    const PageTrialOptions& options_;
    hw::RandomStream stream_;
    Settings base_;
    std::vector<std::int64_t> seeds_;
    PageReport report_;
};

}  // namespace

std::string PageReport::text() const {
    nlohmann::ordered_json json{{"end", end},
                                {"refusal", refusal},
                                {"pages", pages},
                                {"sentences", sentences},
                                {"changed", digits.changed},
                                {"seen", digits.seen},
                                {"violations", nlohmann::ordered_json::array()},
                                {"files", files}};
    for (const PageViolation& violation : violations) {
        json["violations"].push_back({violation.law, violation.what});
    }
    return json.dump();
}

PageReport page_report_from(const std::string& text) {
    const nlohmann::ordered_json json = nlohmann::ordered_json::parse(text);
    PageReport report{json.at("end"),
                      json.at("refusal"),
                      json.at("pages"),
                      json.at("sentences"),
                      {json.at("changed"), json.at("seen")},
                      {},
                      json.at("files")};
    for (const auto& violation : json.at("violations")) {
        report.violations.push_back({violation.at(0), violation.at(1)});
    }
    return report;
}

PageReport try_pages(const random_machines::DrawNumber& which, const fs::path& folder,
                     const PageTrialOptions& options) {
    return PageTrial(which, folder, options).report();
}

}  // namespace weir::experiments::random_pages
