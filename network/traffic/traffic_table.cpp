#include "network/traffic/traffic_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "network/traffic/packet_lines.h"

namespace weir::network {

namespace {

constexpr std::size_t kMostFields = 7;
constexpr std::int64_t kNoEnd = PacketLines::kLatestCycle + 1;
constexpr double kRounding = 1e-9;   // tolerance for a sum of rates
constexpr double kLeastRate = 1e-6;  // limits the cycles that are looked at before a packet

bool is_active(const TableRate& line, std::int64_t cycle) {
    const std::int64_t place = cycle % line.period;
    return place > line.begin && place < line.end;
}

// First cycle after `cycle` in which the line begins or ends to be active.
std::int64_t change_after(const TableRate& line, std::int64_t cycle) {
    const std::int64_t place = cycle % line.period;
    const std::int64_t begin_of_period = cycle - place;
    for (const std::int64_t change : {line.begin + 1, line.end}) {
        if (place < change) {
            return begin_of_period + change;
        }
    }
    return begin_of_period + line.period + line.begin + 1;
}

double probability(const PacketLines& line, std::size_t field, const char* what) {
    const double rate = line.real(field, what, 0.0, 1.0);
    if (rate > 0.0 && rate < kLeastRate) {
        throw line.fault(fmt::format("{} is {:g}", what, rate),
                         fmt::format("0, or a number from {:g} to 1", kLeastRate));
    }
    return rate;
}

TableRate rate_in(const PacketLines& line, std::int64_t last_node, double default_rate) {
    const std::size_t fields = line.field_count();
    if (fields < 2 || fields > kMostFields) {
        throw line.fault_of_field_count(
            "two to seven: source, destination, pir, por, t_on, t_off, t_period");
    }
    TableRate rate;
    rate.destination = static_cast<std::int32_t>(line.number(1, "destination", 0, last_node));
    rate.rate = fields > 2 ? probability(line, 2, "pir") : default_rate;
    rate.rate_after_packet = fields > 3 ? probability(line, 3, "por") : rate.rate;
    constexpr std::int64_t kLatest = PacketLines::kLatestCycle;
    // Without times a line is active in all cycles, the first one included.
    rate.begin = fields > 4 ? line.number(4, "t_on", 0, kLatest - 2) : -1;
    rate.end = fields > 5 ? line.number(5, "t_off", rate.begin + 1, kLatest - 1) : kNoEnd;
    rate.period = fields > 6 ? line.number(6, "t_period", rate.end + 1, kLatest) : kNoEnd;
    return rate;
}

double larger_rate(const TableRate& line) { return std::max(line.rate, line.rate_after_packet); }

// Sum of the larger rates of the lines that may be active in one cycle. Lines of different periods
// are taken to meet at some time.
double largest_sum(const std::vector<TableRate>& lines) {
    const bool is_one_period = std::all_of(
        lines.begin(), lines.end(),
        [&lines](const TableRate& line) { return line.period == lines.front().period; });
    double largest = 0.0;
    for (const TableRate& first : lines) {
        double sum = 0.0;
        for (const TableRate& line : lines) {
            sum += !is_one_period || is_active(line, first.begin + 1) ? larger_rate(line) : 0.0;
        }
        largest = std::max(largest, sum);
    }
    return largest;
}

}  // namespace

std::vector<std::vector<TableRate>> read_traffic_table(std::istream& file,
                                                       const std::string& file_name,
                                                       std::size_t node_count,
                                                       double default_rate) {
    std::vector<std::vector<TableRate>> rates(node_count);
    const auto last_node = static_cast<std::int64_t>(node_count) - 1;
    std::vector<double> sums(node_count);  // sums of all lines of a source
    bool has_rates = false;
    PacketLines line(file, file_name, "#%");
    while (line.next()) {
        const TableRate rate = rate_in(line, last_node, default_rate);
        const std::int64_t source = line.number(0, "source", 0, last_node);
        rates[source].push_back(rate);
        sums[source] += larger_rate(rate);
        const double sum = sums[source] > 1.0 + kRounding ? largest_sum(rates[source]) : 0.0;
        if (sum > 1.0 + kRounding) {
            throw line.fault(
                fmt::format("the rates of source {} sum to {:.4g} packets per cycle", source, sum),
                "at most 1 packet per cycle in total");
        }
        has_rates = has_rates || rate.rate > 0.0;
    }
    if (!has_rates) {
        throw TrafficFault("", file_name + ": has no packets",
                           "a line per pair of nodes: source, destination, packets per cycle");
    }
    return rates;
}

TablePacketSource::TablePacketSource(std::vector<TableRate> rates, hw::Flits packet_flits,
                                     hw::NodeId node, std::uint64_t seed)
    : rates_(std::move(rates)),
      packet_flits_(packet_flits),
      times_(seed, node, "traffic times"),
      destinations_(seed, node, "traffic destinations") {
    std::erase_if(rates_, [](const TableRate& line) {
        return line.end <= line.begin + 1 || (line.rate <= 0.0 && line.rate_after_packet <= 0.0);
    });
    const bool has_packets = std::any_of(rates_.begin(), rates_.end(),
                                         [](const TableRate& line) { return line.rate > 0.0; });
    next_cycle_ = has_packets ? 0 : kNoEnd;
}

// Cycles with the same probability are skipped together, since their number before the next packet
// is geometric.
std::optional<GeneratedPacket> TablePacketSource::next() {
    while (next_cycle_ < kNoEnd) {
        if (std::exchange(has_packet_before_, false)) {
            const std::int64_t cycle = next_cycle_++;
            if (times_.unit() <= active_rate(cycle, true)) {
                return packet_in(cycle, true);
            }
            continue;
        }
        const std::int64_t change = next_change(next_cycle_);
        const double rate = active_rate(next_cycle_, false);
        const double skipped = rate >= 1.0 ? 0.0
                               : rate <= 0.0
                                   ? static_cast<double>(kNoEnd)
                                   : std::floor(std::log(times_.unit()) / std::log1p(-rate));
        if (skipped >= static_cast<double>(change - next_cycle_)) {
            next_cycle_ = change;
            continue;
        }
        const std::int64_t cycle = next_cycle_ + static_cast<std::int64_t>(skipped);
        next_cycle_ = cycle + 1;
        return packet_in(cycle, false);
    }
    return std::nullopt;
}

double TablePacketSource::active_rate(std::int64_t cycle, bool is_after_packet) const {
    double sum = 0.0;
    for (const TableRate& line : rates_) {
        if (is_active(line, cycle)) {
            sum += is_after_packet ? line.rate_after_packet : line.rate;
        }
    }
    return sum;
}

std::int64_t TablePacketSource::next_change(std::int64_t cycle) const {
    std::int64_t change = kNoEnd;
    for (const TableRate& line : rates_) {
        change = std::min(change, change_after(line, cycle));
    }
    return change;
}

GeneratedPacket TablePacketSource::packet_in(std::int64_t cycle, bool is_after_packet) {
    has_packet_before_ = true;
    double drawn = destinations_.unit() * active_rate(cycle, is_after_packet);
    const TableRate* chosen = nullptr;
    for (const TableRate& line : rates_) {
        const double rate = is_after_packet ? line.rate_after_packet : line.rate;
        if (rate > 0.0 && is_active(line, cycle) && (chosen == nullptr || drawn > 0.0)) {
            chosen = &line;
            drawn -= rate;
        }
    }
    return {hw::Cycles(cycle), chosen->destination, packet_flits_};
}

}  // namespace weir::network
