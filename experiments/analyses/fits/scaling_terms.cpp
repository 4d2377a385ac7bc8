#include "experiments/analyses/fits/scaling_terms.h"

#include <cmath>
#include <functional>
#include <utility>

namespace weir::experiments::analyses {

namespace {

/// Quantity of the problem to which a term is proportional.
enum class Basis : std::uint8_t {
    kNone,
    kLoad,         // loads of nodes
    kLoadOfAPart,  // loads of nodes, divided by the size of a node's part
};

struct Term {
    std::string formula;
    std::function<double(const RunScale&)> value;
    bool is_local = false;  // a time without communication
    bool is_model = false;
    Basis basis = Basis::kNone;
};
using Terms = std::vector<Term>;

void append(Terms& terms, const Terms& others) {
    terms.insert(terms.end(), others.begin(), others.end());
}

double log_of_nodes(const RunScale& run) { return std::log2(run.nodes); }

double nodes_of_a_channel(const RunScale& run) { return run.nodes / *run.bisection_channels; }

double mean_load_of_channels(const RunScale& run) {
    return *run.mean_hops * run.nodes / *run.channels;
}

// Terms of the number of nodes.
Terms node_terms() {
    return {
        {"1", [](const RunScale&) { return 1.0; }, true},
        {"log P", log_of_nodes},
        {"√log P", [](const RunScale& run) { return std::sqrt(log_of_nodes(run)); }},
    };
}

// Terms that stand for the loads of a program that does not count them.
Terms growth_terms(bool has_network) {
    Terms terms{
        {"log² P", [](const RunScale& run) { return std::pow(log_of_nodes(run), 2); }},
        {"√P", [](const RunScale& run) { return std::sqrt(run.nodes); }},
        {"(P − 1) / P", [](const RunScale& run) { return 1.0 - 1.0 / run.nodes; }},
        {"(P − 1)", [](const RunScale& run) { return run.nodes - 1.0; }},
        {"(P − 1) log P",
         [](const RunScale& run) { return (run.nodes - 1.0) * log_of_nodes(run); }},
    };
    if (has_network) {
        terms.push_back({"D", [](const RunScale& run) { return *run.mean_hops; }});
        terms.push_back({"P / C", nodes_of_a_channel});
        terms.push_back({"(P − 1) P / C", [](const RunScale& run) {
                             return (run.nodes - 1.0) * nodes_of_a_channel(run);
                         }});
    }
    return terms;
}

// The terms, and their products with the size of a node's part.
Terms with_sizes(const Terms& factors) {
    Terms terms = factors;
    for (const Term& factor : factors) {
        terms.push_back(
            {factor.formula == "1" ? "n" : "n " + factor.formula,
             [value = factor.value](const RunScale& run) { return run.size_of_node * value(run); },
             factor.is_local});
    }
    return terms;
}

Terms load_terms() {
    return {
        {"w", [](const RunScale& run) { return run.loads->most.operations; }, true, false,
         Basis::kLoad},
        {"m", [](const RunScale& run) { return run.loads->most.messages; }, false, false,
         Basis::kLoad},
    };
}

// Contention of the messages for the network's channels.
Terms contention_terms(bool has_network) {
    Terms terms;
    if (has_network) {
        terms.push_back({"m U", [](const RunScale& run) {
                             return run.loads->most.messages * mean_load_of_channels(run);
                         }});
        terms.push_back({"m P / C", [](const RunScale& run) {
                             return run.loads->most.messages * nodes_of_a_channel(run);
                         }});
    }
    for (Term& term : terms) {
        term.basis = Basis::kLoad;
    }
    return terms;
}

Terms of_a_part(const Terms& loads) {
    Terms terms;
    for (const Term& load : loads) {
        terms.push_back(
            {load.formula + " / n",
             [value = load.value](const RunScale& run) { return value(run) / run.size_of_node; },
             load.is_local, false, Basis::kLoadOfAPart});
    }
    return terms;
}

// The slowest node, if the times of operations vary at random. The boundary of a part of size n has
// a size of √n.
Terms size_terms() {
    return {
        {"√(n log P)",
         [](const RunScale& run) { return std::sqrt(run.size_of_node * log_of_nodes(run)); }},
        {"√(log P / n)",
         [](const RunScale& run) { return std::sqrt(log_of_nodes(run) / run.size_of_node); }},
        {"√n", [](const RunScale& run) { return std::sqrt(run.size_of_node); }},
    };
}

// Terms of a program that counts its loads.
Terms counted_terms(bool has_network) {
    Terms terms = node_terms();
    append(terms, load_terms());
    append(terms, contention_terms(has_network));
    append(terms, of_a_part(load_terms()));
    return terms;
}

// Terms of a program that does not.
Terms grown_terms(bool has_network) {
    Terms terms = node_terms();
    append(terms, growth_terms(has_network));
    terms = with_sizes(terms);
    append(terms, size_terms());
    return terms;
}

// Largest number of messages of a node, divided by the mean.
double imbalance(const RunScale& run) {
    return run.loads->mean.messages > 0.0 ? run.loads->most.messages / run.loads->mean.messages
                                          : 1.0;
}

// Predictions of models. A model describes the mean node, and the busiest one ends last.
Terms model_terms(const RunScale& run, const std::vector<std::string>& models) {
    Terms terms;
    for (std::size_t i = 0; i < models.size(); ++i) {
        terms.push_back({run.loads ? models[i] + " b" : models[i],
                         [i](const RunScale& of) {
                             return of.loads ? of.models[i] * imbalance(of) : of.models[i];
                         },
                         false, true});
    }
    return terms;
}

Terms all_terms(const RunScale& run, const std::vector<std::string>& models) {
    const bool has_network = run.mean_hops.has_value();
    Terms terms = run.loads ? counted_terms(has_network) : grown_terms(has_network);
    append(terms, model_terms(run, models));
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

// Whether a sum may have both terms.
bool go_together(const Term& a, const Term& b) {
    return a.basis == Basis::kNone || b.basis == Basis::kNone || a.basis == b.basis;
}

// Sums of one to three terms. Those of three contain a local term.
std::vector<std::vector<std::size_t>> sums_of(const Terms& terms) {
    std::vector<std::vector<std::size_t>> sums;
    for (std::size_t a = 0; a < terms.size(); ++a) {
        sums.push_back({a});
        for (std::size_t b = a + 1; b < terms.size(); ++b) {
            if (!go_together(terms[a], terms[b])) {
                continue;
            }
            sums.push_back({a, b});
            for (std::size_t c = b + 1; c < terms.size(); ++c) {
                const bool is_local = terms[a].is_local || terms[b].is_local || terms[c].is_local;
                if (is_local && go_together(terms[a], terms[c]) &&
                    go_together(terms[b], terms[c])) {
                    sums.push_back({a, b, c});
                }
            }
        }
    }
    return sums;
}

}  // namespace

ScalingTerms scaling_terms(const std::vector<RunScale>& runs,
                           const std::vector<std::string>& models) {
    ScalingTerms terms;
    std::vector<std::vector<double>> columns;
    Terms used;
    for (const Term& term : all_terms(runs.front(), models)) {
        std::vector<double> column;
        column.reserve(runs.size());
        for (const RunScale& run : runs) {
            column.push_back(term.value(run));
        }
        const double tolerance = term.is_model ? kAlikeModels : kSameTerms;
        bool is_new = true;
        for (const std::vector<double>& other : columns) {
            is_new = is_new && !are_proportional(column, other, tolerance);
        }
        if (is_new) {
            terms.formulas.push_back(term.formula);
            used.push_back(term);
            columns.push_back(std::move(column));
        }
    }
    for (std::size_t i = 0; i < runs.size(); ++i) {
        std::vector<double>& values = terms.values.emplace_back();
        for (const std::vector<double>& column : columns) {
            values.push_back(column[i]);
        }
    }
    terms.sums = sums_of(used);
    return terms;
}

}  // namespace weir::experiments::analyses
