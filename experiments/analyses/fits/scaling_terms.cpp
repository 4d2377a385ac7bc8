#include "experiments/analyses/fits/scaling_terms.h"

#include <cmath>
#include <functional>
#include <utility>

namespace weir::experiments::analyses {

namespace {

struct Term {
    std::string formula;
    std::function<double(const MachineScale&)> value;
    bool is_model = false;
};

// Factors of the number of nodes and the network.
std::vector<Term> factors(bool has_network) {
    std::vector<Term> terms{
        {"1", [](const MachineScale&) { return 1.0; }},
        {"log P", [](const MachineScale& machine) { return std::log2(machine.nodes); }},
        {"√log P", [](const MachineScale& machine) { return std::sqrt(std::log2(machine.nodes)); }},
        {"log² P",
         [](const MachineScale& machine) { return std::pow(std::log2(machine.nodes), 2); }},
        {"√P", [](const MachineScale& machine) { return std::sqrt(machine.nodes); }},
        {"(P − 1) / P", [](const MachineScale& machine) { return 1.0 - 1.0 / machine.nodes; }},
        {"(P − 1)", [](const MachineScale& machine) { return machine.nodes - 1.0; }},
        {"(P − 1) log P",
         [](const MachineScale& machine) {
             return (machine.nodes - 1.0) * std::log2(machine.nodes);
         }},
    };
    if (has_network) {
        terms.push_back({"D", [](const MachineScale& machine) { return *machine.mean_hops; }});
        terms.push_back({"P / C", [](const MachineScale& machine) {
                             return machine.nodes / *machine.bisection_channels;
                         }});
        terms.push_back({"(P − 1) P / C", [](const MachineScale& machine) {
                             return (machine.nodes - 1.0) * machine.nodes /
                                    *machine.bisection_channels;
                         }});
    }
    return terms;
}

Term times_size(const Term& factor) {
    return {factor.formula == "1" ? "n" : "n " + factor.formula,
            [value = factor.value](const MachineScale& machine) {
                return machine.size_of_node * value(machine);
            }};
}

// All terms. The boundary of a part of size n has a size of √n.
std::vector<Term> all_terms(bool has_network, const std::vector<std::string>& models) {
    std::vector<Term> terms = factors(has_network);
    for (const Term& factor : factors(has_network)) {
        terms.push_back(times_size(factor));
    }
    terms.push_back({"√(n log P)", [](const MachineScale& machine) {
                         return std::sqrt(machine.size_of_node * std::log2(machine.nodes));
                     }});
    terms.push_back({"√(log P / n)", [](const MachineScale& machine) {
                         return std::sqrt(std::log2(machine.nodes) / machine.size_of_node);
                     }});
    terms.push_back(
        {"√n", [](const MachineScale& machine) { return std::sqrt(machine.size_of_node); }});
    for (std::size_t i = 0; i < models.size(); ++i) {
        terms.push_back(
            {models[i], [i](const MachineScale& machine) { return machine.models[i]; }, true});
    }
    return terms;
}

constexpr double kSameTerms = 1e-9;
constexpr double kAlikeModels = 0.01;  // models that differ less count as one

bool are_proportional(const std::vector<double>& a, const std::vector<double>& b,
                      double tolerance) {
    for (std::size_t i = 1; i < a.size(); ++i) {
        if (std::abs(a[i] * b[0] - b[i] * a[0]) > tolerance * std::abs(a[i] * b[0])) {
            return false;
        }
    }
    return true;
}

// Sums of one to three of `count` terms. Those of three contain one of the `simple` terms.
std::vector<std::vector<std::size_t>> sums_of(std::size_t count,
                                              const std::vector<std::size_t>& simple) {
    std::vector<std::vector<std::size_t>> sums;
    for (std::size_t a = 0; a < count; ++a) {
        sums.push_back({a});
        for (std::size_t b = a + 1; b < count; ++b) {
            sums.push_back({a, b});
            for (std::size_t c = b + 1; c < count; ++c) {
                for (const std::size_t each : simple) {
                    if (each == a || each == b || each == c) {
                        sums.push_back({a, b, c});
                        break;
                    }
                }
            }
        }
    }
    return sums;
}

}  // namespace

ScalingTerms scaling_terms(const std::vector<MachineScale>& machines,
                           const std::vector<std::string>& models) {
    ScalingTerms terms;
    std::vector<std::vector<double>> columns;
    std::vector<std::size_t> simple;
    const bool has_network = machines.front().mean_hops.has_value();
    for (const Term& term : all_terms(has_network, models)) {
        std::vector<double> column;
        column.reserve(machines.size());
        for (const MachineScale& machine : machines) {
            column.push_back(term.value(machine));
        }
        const double tolerance = term.is_model ? kAlikeModels : kSameTerms;
        bool is_new = true;
        for (const std::vector<double>& other : columns) {
            is_new = is_new && !are_proportional(column, other, tolerance);
        }
        if (is_new) {
            if (term.formula == "1" || term.formula == "n") {
                simple.push_back(columns.size());
            }
            terms.formulas.push_back(term.formula);
            columns.push_back(std::move(column));
        }
    }
    for (std::size_t i = 0; i < machines.size(); ++i) {
        std::vector<double>& values = terms.values.emplace_back();
        for (const std::vector<double>& column : columns) {
            values.push_back(column[i]);
        }
    }
    terms.sums = sums_of(columns.size(), simple);
    return terms;
}

}  // namespace weir::experiments::analyses
