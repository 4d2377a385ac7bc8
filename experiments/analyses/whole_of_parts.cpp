#include "experiments/analyses/whole_of_parts.h"

#include <nlohmann/json.hpp>

#include "experiments/records/result.h"

namespace weir::experiments::analyses {

namespace {

constexpr const char* kEntry = "wholes_of_parts";

}  // namespace

void add_whole(const records::Metric& metric, double times, records::Measured& measured) {
    records::Particulars& wholes = (*measured.particulars)[kEntry];
    if (!wholes.is_object()) {
        wholes = records::Particulars::object();
    }
    wholes[metric.name()] = times;
}

records::Metrics wholes_of_parts(const records::Measured& measured) {
    return measured.particulars->contains(kEntry)
               ? records::metrics_from(measured.particulars->at(kEntry))
               : records::Metrics{};
}

records::Particulars without_wholes(records::Particulars particulars) {
    particulars.erase(kEntry);
    return particulars;
}

}  // namespace weir::experiments::analyses
