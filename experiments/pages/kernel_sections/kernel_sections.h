#pragma once

#include <optional>
#include <span>

#include "experiments/records/document.h"
#include "experiments/records/result.h"

namespace weir::experiments::pages {

/// What a page says of one kernel alone; nothing where a result is of another.
using KernelSection = std::optional<records::Section> (*)(const records::ExperimentResult&);

/// All of them, in the order of the page.
[[nodiscard]] std::span<const KernelSection> kernel_sections();

/// Open-loop traffic: each load curve with its percentiles, its saturation and models beside it.
[[nodiscard]] std::optional<records::Section> load_curves_section(
    const records::ExperimentResult& result);
/// Packets one at a time: cycles by distance of each point, and unloaded_tables().
[[nodiscard]] std::optional<records::Section> unloaded_section(
    const records::ExperimentResult& result);
/// Single long messages (LoGPC Figures 3 to 5).
[[nodiscard]] std::optional<records::Section> long_messages_section(
    const records::ExperimentResult& result);
/// LU: which share of the processors is idle, in all and by tenths of the time (LogP Section 4.2).
[[nodiscard]] std::optional<records::Section> idle_processors_section(
    const records::ExperimentResult& result);
/// Records with a hot node: what one takes, and when the last was done.
[[nodiscard]] std::optional<records::Section> hot_records_section(
    const records::ExperimentResult& result);
/// A message that is packed, sent and unpacked, beside memory logP with LogP.
[[nodiscard]] std::optional<records::Section> packed_message_section(
    const records::ExperimentResult& result);
/// A sparse product: where the cycles of a non-zero go (LoPC Figure 8).
[[nodiscard]] std::optional<records::Section> product_costs_section(
    const records::ExperimentResult& result);
/// A remap's rate (LogP Figures 6 and 8).
[[nodiscard]] std::optional<records::Section> remap_rates_section(
    const records::ExperimentResult& result);
/// Memory transfers: o + l by size and stride, plateaus, and how far the predictions are off.
[[nodiscard]] std::optional<records::Section> memory_transfers_section(
    const records::ExperimentResult& result);

/// The tables of all points of some experiments at which packets came one at a time: the network's
/// term of a message's time, and the whole time T beside the formula's and the published one.
/// Nothing where there are none.
[[nodiscard]] std::optional<records::Section> unloaded_tables(
    std::span<const records::ExperimentResult> results);

}  // namespace weir::experiments::pages
