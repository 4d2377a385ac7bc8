#include "experiments/running/sweeps/plan/toml_fields.h"

#include <fmt/format.h>

#include <algorithm>

#include "experiments/kinds/kind.h"
#include "experiments/records/metric.h"

namespace weir::experiments::running {

using setup::TomlEntry;
using setup::UserFault;

std::string text_in(const TomlEntry& entry) {
    const std::string* text = entry.as_string();
    if (text == nullptr || text->empty()) {
        throw UserFault(entry.place, entry.key + " is " + setup::described(entry),
                        "a text in quotes");
    }
    return *text;
}

std::vector<std::string> texts_in(const TomlEntry& entry) {
    const setup::TomlList* list = entry.as_list();
    if (list == nullptr) {
        return {text_in(entry)};
    }
    std::vector<std::string> texts;
    for (const TomlEntry& item : list->items) {
        TomlEntry named = item;
        named.key = "an entry of " + entry.key;
        texts.push_back(text_in(named));
    }
    return texts;
}

void require_metric(const std::string& metric, const setup::Place& place) {
    const std::size_t dot = metric.find('.');
    const std::string source = dot == std::string::npos ? "measured" : metric.substr(0, dot);
    if (source == "measured") {
        const std::string name = dot == std::string::npos ? metric : metric.substr(dot + 1);
        if (records::find_metric(kinds::all_metrics(), name) == nullptr) {
            throw setup::unknown_name(place, "metric", name,
                                      records::names_of(kinds::all_metrics()));
        }
        return;
    }
    std::vector<std::string> sources{"measured", "round_trip", "compared"};
    for (const std::string& model : kinds::all_models()) {
        sources.push_back(model);
        sources.push_back(model + "_given");
    }
    if (std::find(sources.begin(), sources.end(), source) == sources.end()) {
        throw setup::unknown_name(place, "source of a metric", source, sources);
    }
}

}  // namespace weir::experiments::running
