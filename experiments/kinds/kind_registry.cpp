#include <algorithm>
#include <array>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>

#include "experiments/analyses/compared_models/compared_model.h"
#include "experiments/analyses/kernel_analysis.h"
#include "experiments/kinds/kernel/kernel_kind.h"
#include "experiments/kinds/kind.h"
#include "experiments/kinds/one_packet/one_packet_kind.h"
#include "experiments/kinds/open_loop/load_curve.h"
#include "experiments/kinds/open_loop/open_loop_kind.h"
#include "experiments/kinds/recorded/recorded_kind.h"
#include "experiments/kinds/recorded_traffic/recorded_traffic_kind.h"
#include "experiments/kinds/replay/replay_kind.h"
#include "experiments/kinds/setup.h"

namespace weir::experiments::kinds {

namespace {

struct KindEntry {
    /// Makes the kind if it fits the run; otherwise null. The first kind that fits is taken.
    std::unique_ptr<Kind> (*make)(const setup::ExperimentFile& file, setup::SelectedRun run);
    /// Section that pages have for this kind alone; null: none, or only sections of its programs.
    std::optional<records::Section> (*section)(const records::ExperimentResult& result) = nullptr;
    /// Value of workload.kernel, for a kind with a single name.
    const char* workload = nullptr;
    const char* sentence = nullptr;
    /// Makes the kind for lists of parameters and metrics; null if the kind adds none.
    std::unique_ptr<Kind> (*listed)() = nullptr;
};

template <class K>
std::unique_ptr<Kind> listed() {
    return std::make_unique<K>();
}

constexpr std::array<KindEntry, 6> kKinds{{
    {make_recorded_kind, traces_section, nullptr, nullptr, listed_recorded_kind},
    {make_one_packet_kind, unloaded_section},
    {make_recorded_traffic_kind, recorded_traffic_section},
    {make_open_loop_kind, load_curves_section, kOpenLoop,
     "no kernel: packets offered to the network alone, by the parameters of [traffic]",
     listed<OpenLoopKind>},
    {make_replay_kind, nullptr, kReplay,
     "no kernel: messages of a stored trace, sent on this machine", listed<ReplayKind>},
    {make_kernel_kind},
}};

struct ChangeMetrics final : records::MetricGroup {
    records::Metric over_other_point_percent{*this, "over_other_point_percent", "%",
                                             "Relative excess of the point's main metric over that "
                                             "of the point that its key `against` names"};
};

}  // namespace

std::vector<hw::Fact> Kind::facts() {
    return steady_state_length() != nullptr ? std::vector{hw::Fact::kSteadyState}
                                            : std::vector<hw::Fact>{};
}

std::unique_ptr<Kind> make_kind(const setup::ExperimentFile& file, setup::SelectedRun run) {
    if (!file.names_kernel(run)) {  // the key or its table may be misspelt
        const std::vector<std::unique_ptr<Setup>> all = default_setups();
        file.refuse_unknown_keys(run, listed_groups(all));
    }
    for (const KindEntry& entry : kKinds) {
        if (std::unique_ptr<Kind> kind = entry.make(file, run)) {
            return kind;
        }
    }
    throw unknown_workload(file, run);
}

std::vector<NamedWorkload> workloads_without_kernel() {
    std::vector<NamedWorkload> names;
    for (const KindEntry& entry : kKinds) {
        if (entry.workload != nullptr) {
            names.push_back({entry.workload, entry.sentence});
        }
    }
    return names;
}

std::vector<ListedKind> all_kinds() {
    std::vector<ListedKind> all = listed_kernels();
    for (const KindEntry& entry : kKinds) {
        if (entry.listed != nullptr) {
            all.push_back({entry.workload != nullptr ? entry.workload : "", entry.listed()});
        }
    }
    return all;
}

std::vector<records::Section> own_sections(const records::ExperimentResult& result) {
    std::vector<records::Section> sections = analyses::program_sections(result);
    for (const KindEntry& entry : kKinds) {
        if (auto section = entry.section != nullptr ? entry.section(result) : std::nullopt) {
            sections.push_back(*std::move(section));
        }
    }
    return sections;
}

const records::MetricList& all_metrics() {
    static const records::MetricList all = [] {
        records::MetricList list;
        for (const ListedKind& listed : all_kinds()) {
            const records::MetricList metrics = listed.kind->metrics();
            list.insert(list.end(), metrics.begin(), metrics.end());
        }
        return records::named_once(list);
    }();
    return all;
}

nlohmann::ordered_json metric_patterns(const nlohmann::ordered_json& schema) {
    nlohmann::ordered_json all = nlohmann::ordered_json::object();
    for (const records::Metric* metric : all_metrics()) {
        if (!metric->pattern().empty()) {
            all[metric->pattern()] = schema;
        }
    }
    return all;
}

std::string unit_of(const std::string& metric) {
    const records::Metric* known = records::find_metric(all_metrics(), metric);
    if (known == nullptr) {
        known = records::find_metric(analyses::model_metrics().metrics(), metric);
    }
    return known != nullptr ? known->unit() : "1";
}

const std::vector<std::string>& all_models() {
    static const std::vector<std::string> all = [] {
        std::vector<std::string> names;
        for (const ListedKind& listed : all_kinds()) {
            for (const std::string& model : listed.kind->models()) {
                if (std::find(names.begin(), names.end(), model) == names.end()) {
                    names.push_back(model);
                }
            }
        }
        return names;
    }();
    return all;
}

const records::Metric& over_other_point_percent() {
    static const ChangeMetrics metrics;
    return metrics.over_other_point_percent;
}

}  // namespace weir::experiments::kinds
