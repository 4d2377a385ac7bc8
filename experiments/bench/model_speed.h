#pragma once

namespace weir::experiments::bench {

/// What a model took, and what a plain reference took that does the unavoidable part.
struct ModelSpeed {
    double seconds = 0.0;
    double reference_seconds = 0.0;
};

/// A thousand points of LoPC's homogeneous model, W from 0 to 4995, against a loop that puts R into
/// the right side of its equations until it stays.
[[nodiscard]] ModelSpeed measure_homogeneous_model(int repetitions);

/// LoPC's general model of 1,024 nodes with a dense V, against the two products of V with a vector
/// that each of its iterations needs, and nothing else.
[[nodiscard]] ModelSpeed measure_general_model(int repetitions);

}  // namespace weir::experiments::bench
