#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace weir::experiments::analyses {

/// Properties of a machine and its problem on which a run time may depend.
struct MachineScale {
    double nodes = 0.0;  ///< P
    /// D: mean distance between different nodes, in hops (LoGPC (11) for a mesh); none without
    /// routers.
    std::optional<double> mean_hops;
    /// C: channels across the network's bisection, in one direction; none without routers.
    std::optional<double> bisection_channels;
    double size_of_node =
        1.0;  ///< n: size of a node's part of the problem, 1 on the study's machine
    /// Predictions of models for the machine, in the order of the models' names.
    std::vector<double> models;
};

/// Terms whose values differ between machines, with the values on each machine.
struct ScalingTerms {
    std::vector<std::string> formulas;        ///< with P, D, C, n, or a model's name
    std::vector<std::vector<double>> values;  ///< values of all terms, by machine
    /// Sums that a prediction tries: lists of indices of terms,.
    std::vector<std::vector<std::size_t>> sums;
};

/// Terms of a run time over the given machines, in four groups:
///
/// - powers and logarithms of P, as in Extra-P's performance model normal form
/// - √log P, asymptotically proportional to the largest of P normally distributed times (David and
///   Nagaraja, Order Statistics, Section 10.5). For sums of n random times it is √(n log P), and
///   for their mean √(log P / n)
/// - distances and bisection of the network, as in LoGPC Section 3.3
/// - predictions of models, named by `models`
///
/// Terms of the problem's part on a node are products of n and these. A term that is proportional
/// to an earlier one on all machines is left out; a model even if it differs by 1 %. Sums of three
/// terms contain 1 or n, whose coefficients are a time without communication.
[[nodiscard]] ScalingTerms scaling_terms(const std::vector<MachineScale>& machines,
                                         const std::vector<std::string>& models);

}  // namespace weir::experiments::analyses
