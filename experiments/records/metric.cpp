#include "experiments/records/metric.h"

#include <algorithm>
#include <utility>

namespace weir::experiments::records {

Metric::Metric(MetricGroup& group, std::string name, std::string unit, std::string sentence,
               std::string source)
    : name_(std::move(name)),
      unit_(std::move(unit)),
      sentence_(std::move(sentence)),
      source_(std::move(source)) {
    group.metrics_.push_back(this);
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

MetricList metrics_of(const std::vector<const MetricGroup*>& groups) {
    MetricList all;
    for (const MetricGroup* group : groups) {
        for (const Metric* metric : group->metrics()) {
            if (find_metric(all, metric->name()) == nullptr) {
                all.push_back(metric);
            }
        }
    }
    return all;
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
        return metric->name() == name;
    });
    return found == metrics.end() ? nullptr : *found;
}

}  // namespace weir::experiments::records
