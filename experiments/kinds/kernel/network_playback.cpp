#include "experiments/kinds/kernel/network_playback.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "experiments/trace/log/read_log.h"
#include "experiments/trace/rows/trace.h"
#include "network/network_parameters.h"
#include "network/network_plan.h"
#include "network/topology/layout.h"
#include "network/topology/topology_family.h"

namespace weir::experiments::kinds {

namespace {

namespace fs = std::filesystem;
using network::Topology;
using network::TopologyGraph;
using records::Playback;

void set_values(const records::PointResult& point, const std::string& table,
                hw::ParameterGroup& group) {
    for (hw::ParameterBase* parameter : group.parameters()) {
        const std::string key = table + "." + parameter->name();
        const auto value = std::find_if(point.configuration.begin(), point.configuration.end(),
                                        [&key](const auto& each) { return each.first == key; });
        if (value != point.configuration.end()) {
            static_cast<void>(parameter->set(value->second));
        }
    }
}

/// Converts the trace of one run to a playback.
class PlaybackMaker {
  public:
    PlaybackMaker(const network::NetworkPlan& plan, const network::NetworkParameters& parameters,
                  const trace::Trace& trace, const PlaybackLimits& limits)
        : plan_(plan), topology_(plan.topology()), trace_(trace), limits_(limits) {
        playback_.switch_count = topology_.switch_count();
        playback_.flits_a_cycle = static_cast<double>(parameters.copies.value()) /
                                  static_cast<double>(parameters.flit_cycles().count());
    }

    Playback make() {
        add_map();
        add_frames();
        add_messages();
        add_ways();
        return std::move(playback_);
    }

  private:
    void add_map() {
        const network::Layout layout = topology_.family().layout(topology_);
        const auto place = [&layout](std::size_t vertex) {
            return Playback::Place{layout.places[vertex].x, layout.places[vertex].y};
        };
        for (std::size_t i = 0; i < topology_.node_count(); ++i) {
            playback_.nodes.push_back(place(topology_.vertex_of_node(i)));
        }
        for (const network::Layout::Mark& mark : layout.marks) {
            if (!mark.node) {
                playback_.switches.push_back({mark.at.x, mark.at.y});
            }
        }
        const TopologyGraph& graph = topology_.graph();
        std::map<std::string, Playback::Channel> by_name;
        std::map<std::size_t, std::size_t> ranks;
        for (const network::Channel channel : channels_of(graph)) {
            Playback::Channel known;
            known.name = topology_.channel_name(channel);
            known.sender = source(channel, graph);
            known.receiver = target(channel, graph);
            known.rank = ranks[known.sender]++;
            known.from = place(known.sender);
            known.to = goes_around(channel) ? beside(known.from, place(known.receiver))
                                            : place(known.receiver);
            by_name.emplace(known.name, known);
        }
        for (const std::string& name : trace_.channel_names) {
            playback_.channels.push_back(by_name.at(name));
        }
    }

    // Whether the channel joins the two ends of a ring.
    [[nodiscard]] bool goes_around(const network::Channel& channel) const {
        const TopologyGraph& graph = topology_.graph();
        if (!topology_.lattice() || !topology_.is_hop(channel)) {
            return false;
        }
        const auto& from = graph[source(channel, graph)].coordinates;
        const auto& to = graph[target(channel, graph)].coordinates;
        return !std::equal(from.begin(), from.end(), to.begin(),
                           [](std::int32_t a, std::int32_t b) { return std::abs(a - b) <= 1; });
    }

    // Position near the channel's begin `from`, on the side away from the channel's end `to`.
    static Playback::Place beside(Playback::Place from, Playback::Place to) {
        constexpr double kShort = network::Layout::kPitch / 2;
        const double length = std::hypot(to.x - from.x, to.y - from.y);
        return {from.x - kShort * (to.x - from.x) / length,
                from.y - kShort * (to.y - from.y) / length};
    }

    void add_frames() {
        std::int64_t begin = INT64_MAX;
        std::int64_t interval = 1;
        const auto look_at = [&](const auto& row) {
            begin = std::min(begin, row.begin.count());
            playback_.end_cycle = std::max(playback_.end_cycle, row.end.count());
            interval = std::max(interval, (row.end - row.begin).count());
        };
        std::for_each(trace_.channel_intervals.begin(), trace_.channel_intervals.end(), look_at);
        std::for_each(trace_.queue_intervals.begin(), trace_.queue_intervals.end(), look_at);
        if (begin == INT64_MAX) {
            return;
        }
        const std::size_t channels = playback_.channels.size();
        const std::size_t nodes = playback_.nodes.size();
        const std::int64_t intervals = (playback_.end_cycle - begin + interval - 1) / interval;
        const auto most_frames = static_cast<std::int64_t>(
            std::clamp(limits_.numbers / (2 * (channels + nodes)), std::size_t{1}, limits_.frames));
        playback_.begin_cycle = begin;
        playback_.frame_cycles = interval * ((intervals + most_frames - 1) / most_frames);
        const std::size_t frames = frame_of(playback_.end_cycle - 1) + 1;
        playback_.frames.flits.resize(frames * channels);
        playback_.frames.header_waits.resize(frames * channels);
        playback_.frames.input_byte_cycles.resize(frames * nodes);
        playback_.frames.output_byte_cycles.resize(frames * nodes);
        for (const hw::ChannelInterval& row : trace_.channel_intervals) {
            const std::size_t at = frame_of(row.begin.count()) * channels + row.channel;
            add(row.flits.count(), playback_.frames.flits[at]);
            add(row.header_waits.count(), playback_.frames.header_waits[at]);
        }
        for (const trace::QueueIntervalRow& row : trace_.queue_intervals) {
            auto& all = row.queue == hw::QueueKind::kInput ? playback_.frames.input_byte_cycles
                                                           : playback_.frames.output_byte_cycles;
            const std::size_t at = frame_of(row.begin.count()) * nodes + row.node.index();
            add(row.byte_cycles, all[at]);
        }
    }

    [[nodiscard]] std::size_t frame_of(std::int64_t cycle) const {
        return (cycle - playback_.begin_cycle) / playback_.frame_cycles;
    }
    static void add(std::int64_t number, std::uint32_t& sum) {
        sum = static_cast<std::uint32_t>(std::min<std::int64_t>(sum + number, UINT32_MAX));
    }

    void add_messages() {
        std::vector<const trace::MessageRow*> rows;
        for (const trace::MessageRow& row : trace_.messages) {
            if (row.times.launch < hw::kNever) {
                rows.push_back(&row);
            }
        }
        std::stable_sort(rows.begin(), rows.end(), [](const auto* a, const auto* b) {
            return a->times.launch < b->times.launch;
        });
        rows.resize(std::min(rows.size(), limits_.messages));
        Playback::Messages& messages = playback_.messages;
        std::int64_t last = playback_.begin_cycle;
        for (const trace::MessageRow* row : rows) {
            messages.source.push_back(static_cast<std::uint32_t>(row->source().index()));
            messages.destination.push_back(static_cast<std::uint32_t>(row->destination.index()));
            messages.sequence.push_back(static_cast<std::uint32_t>(row->id.sequence));
            add_step(row->times.launch, last, messages.launch);
            std::int64_t at = last;
            add_step(row->times.network_entry, at, messages.entry);
            add_step(row->times.tail_arrival, at, messages.arrival);
            add_step(row->times.dispose, at, messages.disposal);
        }
    }

    // Adds the cycles from a message's previous stage to this one. If the message did not reach
    // this stage, the previous stage lasts until the end of the playback.
    void add_step(hw::Cycles stage, std::int64_t& last, std::vector<std::uint32_t>& column) const {
        const std::int64_t cycle =
            std::max(last, stage < hw::kNever ? stage.count() : playback_.end_cycle);
        column.push_back(0);
        add(cycle - last, column.back());
        last = cycle;
    }

    void add_ways() {
        const network::Routing& routing = plan_.routing();
        const std::size_t nodes = topology_.node_count();
        const std::size_t switches = topology_.switch_count();
        if (routing.looks_at_input() || switches * nodes > limits_.ways) {
            return;
        }
        Playback::Ways ways;
        for (std::size_t node = 0; node < nodes; ++node) {
            ways.first.push_back(static_cast<std::uint32_t>(topology_.switch_of_node(node)));
        }
        ways.next.resize(switches * nodes);
        for (std::size_t vertex = 0; vertex < switches; ++vertex) {
            std::vector<std::optional<std::uint8_t>> known(routing.destination_classes(vertex));
            for (std::size_t node = 0; node < nodes; ++node) {
                std::optional<std::uint8_t>& way = known[routing.destination_class(vertex, node)];
                if (!way) {
                    way = rank_towards(vertex, node);
                    if (!way) {
                        return;  // routing is adaptive, so that messages have no fixed routes
                    }
                }
                ways.next[node * switches + vertex] = *way;
            }
        }
        playback_.ways = std::move(ways);
    }

    // Rank of a switch's port towards the node; empty if several ports lead there, or if the rank
    // is too large for a byte.
    [[nodiscard]] std::optional<std::uint8_t> rank_towards(std::size_t vertex,
                                                           std::size_t node) const {
        const TopologyGraph& graph = topology_.graph();
        std::optional<int> port;
        for (int lot = 0; lot < plan_.routing().lots(); ++lot) {
            for (const network::RoutedOutput& output :
                 plan_.routing().outputs({vertex, 0, 0, lot}, node)) {
                if (port.value_or(output.port) != output.port) {
                    return std::nullopt;
                }
                port = output.port;
            }
        }
        std::size_t rank = 0;
        for (const network::Channel channel :
             boost::make_iterator_range(out_edges(vertex, graph))) {
            if (graph[channel].output_port == port) {
                return rank <= UINT8_MAX ? std::optional(static_cast<std::uint8_t>(rank))
                                         : std::nullopt;
            }
            ++rank;
        }
        return std::nullopt;
    }

    const network::NetworkPlan& plan_;
    const Topology& topology_;
    const trace::Trace& trace_;
    const PlaybackLimits& limits_;
    Playback playback_;
};

}  // namespace

std::optional<Playback> read_playback(const records::PointResult& point, const fs::path& folder,
                                      const PlaybackLimits& limits) {
    const fs::path file = folder / trace::kTraceFile;
    std::error_code unknown;
    if (!fs::exists(file, unknown) || trace::read_log_head(file).channel_names.empty()) {
        return std::nullopt;
    }
    network::NetworkParameters parameters;
    network::FaultParameters faults;
    set_values(point, "network", parameters);
    set_values(point, "faults", faults);
    const std::uint64_t seed = point.seeds.empty() ? 1 : point.seeds.front();
    try {
        const network::NetworkPlan plan(parameters, faults, seed);
        return PlaybackMaker(plan, parameters, trace::read_log(file), limits).make();
    } catch (const network::PlanFault&) {
        return std::nullopt;  // the graph's file is missing or has changed
    } catch (const std::out_of_range&) {
        return std::nullopt;  // the channels' names have changed
    }
}

}  // namespace weir::experiments::kinds
