#include "experiments/random_machines/campaign.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "experiments/random_machines/own_process.h"
#include "experiments/random_machines/shrink.h"
#include "experiments/setup/files/temporary_folder.h"
#include "experiments/setup/files/toml_tree.h"
#include "hw/text_streams.h"

namespace weir::experiments::random_machines {

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

// Limit of processor time for drawing and setting up; runs are processes of their own.
constexpr int kMostSeconds = 120;

constexpr const char* kFolder = "weir-machines";

std::string value_text(const hw::ParameterValue& value) {
    const auto* name = std::get_if<std::string>(&value);
    return name != nullptr ? *name : setup::toml_text(value);
}

Json to_json(const Settings& settings) {
    Json lines = Json::array();
    for (const Setting& setting : settings) {
        lines.push_back({setting.key, setup::toml_text(setting.value)});
    }
    return lines;
}

Settings settings_from(const Json& lines) {
    Settings settings;
    for (const Json& line : lines) {
        const auto entry = setup::parse_toml_value(line.at(1).get<std::string>(), {});
        if (entry && entry->as_parameter_value()) {
            settings.push_back({line.at(0), *entry->as_parameter_value()});
        }
    }
    return settings;
}

void add_report(const TrialReport& report, Json& json) {
    json["end"] = report.end;
    json["cycles"] = report.cycles;
    json["messages"] = report.messages;
    json["runs"] = report.runs;
    if (report.violation) {
        json["law"] = report.violation->law;
        json["what"] = report.violation->what;
        json["switches"] = to_json(report.switches.settings);
        json["routes_plain_meshes"] = report.switches.routes_plain_meshes;
    }
}

BrokenMachine broken_from(const Json& json) {
    return {.number = 0,
            .violation = {json.at("law"), json.at("what")},
            .switches = {settings_from(json.at("switches")), json.at("routes_plain_meshes")},
            .settings = settings_from(json.at("settings"))};
}

Json broken_rules(const std::string& law, const std::string& what) {
    return {{"end", "failed"},
            {"cycles", 0},
            {"messages", 0},
            {"runs", 0},
            {"law", law},
            {"what", what},
            {"switches", Json::array()},
            {"routes_plain_meshes", false}};
}

// Draws and tries one machine, inside the draw's own process.
std::string draw_and_try(DrawNumber which, const fs::path& folder, const TrialOptions& options) {
    Refusals refusals;
    Json json = Json::object();
    std::uint64_t refused_runs = 0;
    try {
        while (true) {
            const Settings settings = draw_machine(which, folder, refusals);
            const TrialReport report = try_machine(settings, folder, options);
            if (report.refusal.empty() || report.violation) {
                add_report(report, json);
                json["settings"] = to_json(settings);
                json["choices"] = Json::array();
                for (const Setting& choice : choices_of(settings, folder)) {
                    json["choices"].push_back({choice.key, value_text(choice.value)});
                }
                break;
            }
            ++refused_runs;
            ++which.attempt;
        }
    } catch (const RudeRefusal& refusal) {
        json = broken_rules(kMessages, refusal.what());
        json["settings"] = to_json(refusal.settings);
        json["choices"] = Json::array();
    }
    json["refused_values"] = refusals;
    json["refused_runs"] = refused_runs;
    return json.dump();
}

class Worker {
  public:
    [[nodiscard]] bool is_busy() const { return process_ != nullptr; }
    [[nodiscard]] int output() const { return process_->output(); }
    [[nodiscard]] std::uint64_t number() const { return number_; }
    void begin(const Campaign& campaign, std::uint64_t number) {
        number_ = number;
        const TrialOptions options{
            .measures = campaign.measured_every != 0 && number % campaign.measured_every == 0,
            .plant = campaign.plant};
        process_ = std::make_unique<OwnProcess>(
            [&] {
                return draw_and_try({campaign.chosen.seed, number, 0}, folder_.path(), options);
            },
            kMostSeconds);
    }
    /// True once the draw's process has ended.
    bool has_ended() { return !process_->read_on(); }
    Json result() {
        const ProcessEnd end = process_->wait();
        process_.reset();
        if (end.failure.empty()) {
            return Json::parse(end.output);
        }
        Json json = broken_rules(kEnds, "while the machine was drawn: " + end.failure);
        json["settings"] = Json::array();
        json["choices"] = Json::array();
        json["refused_values"] = Json::object();
        json["refused_runs"] = 0;
        return json;
    }

  private:
    setup::TemporaryFolder folder_{kFolder};
    std::unique_ptr<OwnProcess> process_;
    std::uint64_t number_ = 0;
};

void add(const Json& result, CampaignReport& report) {
    ++report.draws;
    report.runs += result.at("runs").get<std::uint64_t>();
    report.cycles += result.at("cycles").get<std::uint64_t>();
    report.messages += result.at("messages").get<std::uint64_t>();
    for (const auto& [key, count] : result.at("refused_values").items()) {
        report.refused_values[key] += count.get<std::uint64_t>();
    }
    report.refused_runs += result.at("refused_runs").get<std::uint64_t>();
    ++report.ends[result.at("end")];
    for (const Json& choice : result.at("choices")) {
        ++report.choices[choice.at(0)][choice.at(1)];
    }
}

// Waits until output of a worker can be read.
void wait_for(const std::vector<std::unique_ptr<Worker>>& workers) {
    std::vector<pollfd> files;
    for (const auto& worker : workers) {
        if (worker->is_busy()) {
            files.push_back({worker->output(), POLLIN, 0});
        }
    }
    constexpr int kMilliseconds = 1000;
    static_cast<void>(poll(files.data(), files.size(), kMilliseconds));
}

bool can_be_read(const Worker& worker) {
    pollfd file{worker.output(), POLLIN, 0};
    return poll(&file, 1, 0) > 0;
}

}  // namespace

std::string CampaignReport::summary() const {
    return fmt::format("{} machines, {:.1f} a second, {} violations", draws,
                       static_cast<double>(draws) / std::max(seconds, 1e-9), violations);
}

std::string CampaignReport::tally() const {
    std::string text =
        fmt::format("{} runs of {} cycles and {} messages in all\n", runs, cycles, messages);
    text += fmt::format("refused runs: {}\n", refused_runs);
    const auto add_line = [&text](const std::string& key, const auto& counts) {
        std::string line = key + ":";
        for (const auto& [value, count] : counts) {
            line += fmt::format(" {} {}", value, count);
        }
        text += line + "\n";
    };
    add_line("refused values", refused_values);
    add_line("ends", ends);
    for (const auto& [key, counts] : choices) {
        add_line(key, counts);
    }
    return text;
}

CampaignReport run_campaign(const Campaign& campaign,
                            const std::function<void(const BrokenMachine&)>& broken,
                            const std::function<void(const CampaignReport&)>& progress) {
    CampaignReport report;
    const auto begin = Clock::now();
    std::vector<std::unique_ptr<Worker>> workers(campaign.chosen.workers);
    std::generate(workers.begin(), workers.end(), [] { return std::make_unique<Worker>(); });
    std::uint64_t begun = 0;
    const auto seconds = [&begin] {
        return std::chrono::duration<double>(Clock::now() - begin).count();
    };
    const auto is_busy = [](const auto& worker) { return worker->is_busy(); };
    while (true) {
        for (const auto& worker : workers) {
            if (!worker->is_busy() && begun < campaign.chosen.count &&
                seconds() < campaign.chosen.seconds) {
                worker->begin(campaign, campaign.chosen.first + begun++);
            }
        }
        if (std::none_of(workers.begin(), workers.end(), is_busy)) {
            return report;
        }
        wait_for(workers);
        for (const auto& worker : workers) {
            if (!worker->is_busy() || !can_be_read(*worker) || !worker->has_ended()) {
                continue;
            }
            const Json result = worker->result();
            add(result, report);
            report.seconds = seconds();
            if (result.contains("law")) {
                ++report.violations;
                BrokenMachine machine = broken_from(result);
                machine.number = worker->number();
                broken(machine);
            }
            progress(report);
        }
    }
}

std::string smallest_experiment(const BrokenMachine& machine, const Campaign& campaign) {
    const setup::TemporaryFolder folder(kFolder);
    const TrialOptions options{.measures = machine.violation.law == kMeasured,
                               .plant = campaign.plant};
    BrokenMachine smallest = machine;
    const auto is_like = [&](const Settings& settings) {
        const ProcessEnd end = in_own_process(
            [&] {
                Json json = Json::object();
                try {
                    add_report(try_machine(settings, folder.path(), options), json);
                } catch (const hw::Refusal&) {
                    json.clear();
                } catch (const std::exception& fault) {
                    json = broken_rules(kMessages, fault.what());
                }
                json["settings"] = to_json(settings);
                return json.dump();
            },
            kMostSeconds);
        Json result =
            end.failure.empty() ? Json::parse(end.output) : broken_rules(kEnds, end.failure);
        if (!result.contains("law") || result.at("law") != machine.violation.law) {
            return false;
        }
        result["settings"] = to_json(settings);
        smallest = broken_from(result);
        return true;
    };
    if (!machine.settings.empty()) {
        smallest.settings = shrunk(machine.settings, folder.path(), is_like);
    }
    std::string text = fmt::format("# Machine {} of seed {} breaks a law: {}\n", machine.number,
                                   campaign.chosen.seed, machine.violation.law);
    hw::TextReader what(smallest.violation.what);
    for (std::string line; std::getline(what, line);) {
        text += "#   " + line + "\n";
    }
    const std::string switches = smallest.switches.text();
    if (!switches.empty()) {
        text += fmt::format("# The law is broken with {}\n", switches);
    }
    text += fmt::format("# To repeat it: random_machines --seed {} --first {} --draws 1\n",
                        campaign.chosen.seed, machine.number);
    return text + experiment_text(smallest.settings);
}

}  // namespace weir::experiments::random_machines
