#include "experiments/records/metric.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace weir::experiments::records {

namespace {

bool is_of_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

}  // namespace

Metric::Metric(MetricGroup& group, std::string name, std::string unit, std::string sentence,
               std::string source)
    : name_(std::move(name)),
      unit_(std::move(unit)),
      sentence_(std::move(sentence)),
      source_(std::move(source)) {
    group.metrics_.push_back(this);
}

std::string Metric::name_of(std::string_view programs_name) const {
    std::string part(programs_name);
    std::replace_if(
        part.begin(), part.end(), [](char c) { return !is_of_name(c); }, '_');
    std::string name = name_;
    return name.replace(name.find(kProgramsName), kProgramsName.size(), part);
}

bool Metric::is_named(std::string_view name) const {
    const std::size_t at = name_.find(kProgramsName);
    if (name == name_ || at == std::string::npos) {
        return name == name_;
    }
    const std::string_view before = std::string_view(name_).substr(0, at);
    const std::string_view behind = std::string_view(name_).substr(at + kProgramsName.size());
    if (name.size() <= before.size() + behind.size() || !name.starts_with(before) ||
        !name.ends_with(behind)) {
        return false;
    }
    const std::string_view part =
        name.substr(before.size(), name.size() - before.size() - behind.size());
    return std::all_of(part.begin(), part.end(), is_of_name);
}

std::string Metric::pattern() const {
    const std::size_t at = name_.find(kProgramsName);
    if (at == std::string::npos) {
        return {};
    }
    std::string text = name_;
    return "^" + text.replace(at, kProgramsName.size(), "[A-Za-z0-9_]+") + "$";
}

MetricFamily::MetricFamily(MetricGroup& group, const std::vector<std::string>& parts,
                           const Text& name, std::string unit, const Text& sentence,
                           const std::string& source) {
    for (const std::string& part : parts) {
        members_.emplace_back(group, name(part), unit, sentence(part), source);
    }
}

std::vector<std::string> whole_numbers(int first, int last) {
    std::vector<std::string> texts;
    for (int number = first; number <= last; ++number) {
        texts.push_back(std::to_string(number));
    }
    return texts;
}

MetricList named_once(const MetricList& metrics) {
    MetricList once;
    // Metrics with a placeholder in their name, which stand for several names.
    MetricList of_programs;
    std::unordered_set<std::string_view> names;
    for (const Metric* metric : metrics) {
        if (!names.insert(metric->name()).second ||
            find_metric(of_programs, metric->name()) != nullptr) {
            continue;
        }
        once.push_back(metric);
        if (!metric->pattern().empty()) {
            of_programs.push_back(metric);
        }
    }
    return once;
}

MetricList metrics_of(const std::vector<const MetricGroup*>& groups) {
    MetricList all;
    for (const MetricGroup* group : groups) {
        all.insert(all.end(), group->metrics().begin(), group->metrics().end());
    }
    return named_once(all);
}

std::vector<std::string> names_of(const MetricList& metrics) {
    std::vector<std::string> names;
    names.reserve(metrics.size());
    for (const Metric* metric : metrics) {
        names.push_back(metric->name());
    }
    return names;
}

const Metric* find_metric(const MetricList& metrics, std::string_view name) {
    const auto found = std::find_if(metrics.begin(), metrics.end(), [name](const Metric* metric) {
        return metric->is_named(name);
    });
    return found == metrics.end() ? nullptr : *found;
}

}  // namespace weir::experiments::records
