#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace weir::experiments::statistics {

/// Mean with its 95 % interval, of a number of independent durations.
struct MeanOfDurations {
    double mean = 0.0;
    double half_width = 0.0;
    std::size_t count = 0;
};

/// Mean of durations between readings of a clock that counts whole units. The interval has two
/// parts: the variance of the durations, and the rounding of both readings, each of which is
/// uniform over a unit. `values` must not be empty; a single value has only the rounding.
[[nodiscard]] MeanOfDurations mean_of_durations(std::span<const double> values);

/// Values of an undisturbed duration among values to which waits were added. Waits make a duration
/// longer, and never shorter, so the undisturbed durations are the least ones.
///
/// 1. Find the half-sample mode of the least quarter of the values: keep the half with the smallest
///    range, until two values remain.
/// 2. Keep all values that are no farther above the mode than the least value is below it, and half
///    a unit of the clock more.
/// 3. Repeat step 2 around the mean of these values until it keeps the same ones.
///
/// Only the least values remain where they are apart from the others. They are apart if at least a
/// tenth of the values is the least one itself. Three or more values are also apart if the distance
/// to the next one is eight times their own range. The result is sorted. Robertson and Cryer, "An
/// iterative procedure for estimating the mode", JASA 69, 1974: the half-sample mode.
[[nodiscard]] std::vector<double> undisturbed(std::vector<double> values);

/// Mean of the undisturbed values. Some of them may still have short waits, so the interval also
/// includes the distance of the mean from the least value. `values` must not be empty.
[[nodiscard]] MeanOfDurations undisturbed_mean(std::vector<double> values);

/// Most frequent duration in the shorter half of the values, for durations that disturbances make
/// longer or, more rarely, shorter. It is the half-sample mode. The half width combines the range
/// of the densest quarter of the values, a unit of the clock, and the distance to the least value.
/// `values` must not be empty.
[[nodiscard]] MeanOfDurations densest_duration(std::vector<double> values);

/// Squared coefficient of variation of independent values, by the jackknife over batches of equal
/// size; `count` is the number of values. Without two values, it is 0 with a count of 0.
[[nodiscard]] MeanOfDurations squared_variation(std::span<const double> values);

/// Mean of a sample of a finite population of size `all`. The variance of the mean falls to 0 as
/// the sample becomes the population. Without two values, the half width is 0.
[[nodiscard]] MeanOfDurations mean_of_population(std::span<const double> values, double all);

}  // namespace weir::experiments::statistics
