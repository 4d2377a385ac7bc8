#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "firmware/node_loads.h"

namespace weir::experiments::analyses {

/// Properties of a run on which its time may depend: of its machine and of its program's data.
struct RunScale {
    double nodes = 0.0;  ///< P
    /// D: mean distance between different nodes, in hops (LoGPC (11) for a mesh); none without
    /// routers.
    std::optional<double> mean_hops;
    /// C: channels across the network's bisection, in one direction; none without routers.
    std::optional<double> bisection_channels;
    std::optional<double> channels;  ///< all channels between routers; none without routers
    double size_of_node =
        1.0;  ///< n: size of a node's part of the problem, 1 on the study's machine
    /// Loads of the nodes, if the program counts them.
    std::optional<firmware::NodeLoads> loads;
    /// Predictions of models for the machine, in the order of the models' names.
    std::vector<double> models;

    bool operator==(const RunScale&) const = default;
};

/// Terms whose values differ between runs, with the values in each run.
struct ScalingTerms {
    std::vector<std::string> formulas;        ///< with P, D, C, U, n, w, m, or a model's name
    std::vector<std::vector<double>> values;  ///< values of all terms, by run
    /// Sums that a prediction tries: lists of indices of terms.
    std::vector<std::vector<std::size_t>> sums;
};

/// Terms of a run time over the given runs. If the program counts its nodes' loads:
///
/// - the loads w and m: the most operations and the most messages of a node
/// - messages times U and times P / C: contention grows with the load of a channel (LoGPC Section
///   3.3). U is the mean load of a channel if each node sends one message. It is D P divided by
///   the number of channels. P / C is that of the bisection
/// - w / n and m / n, for metrics that are times per unit of the problem
/// - 1; and log P, for trees
///
/// Otherwise powers and logarithms of P stand for the loads, as in Extra-P's performance model
/// normal form, with products of these and n.
///
/// In both cases:
///
/// - √log P, asymptotically proportional to the largest of P normally distributed times (David and
///   Nagaraja, Order Statistics, Section 10.5). Without loads it is √(n log P) for sums of n random
///   times, and √(log P / n) for their mean
/// - predictions of models, named by `models`. With loads they are multiplied by b, which is m
///   divided by the mean of all nodes. A model describes the mean node, and the busiest one ends
///   last
///
/// A term that is proportional to an earlier one in all runs is left out; a model even if it
/// differs by 1 %. A sum has loads or loads divided by n, never both. Sums of three terms contain a
/// time without communication: 1, n or operations.
[[nodiscard]] ScalingTerms scaling_terms(const std::vector<RunScale>& runs,
                                         const std::vector<std::string>& models);

}  // namespace weir::experiments::analyses
