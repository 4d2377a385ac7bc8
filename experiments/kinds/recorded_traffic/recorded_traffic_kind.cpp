#include "experiments/kinds/recorded_traffic/recorded_traffic_kind.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "experiments/kinds/open_loop/recording_file.h"
#include "experiments/kinds/open_loop/traffic_metrics.h"
#include "experiments/kinds/open_loop/traffic_run.h"
#include "experiments/kinds/recorded_traffic/compared_recording.h"
#include "hw/input_limits.h"
#include "hw/text_streams.h"
#include "network/traffic/open_loop.h"
#include "network/traffic/packet_recording.h"

namespace weir::experiments::kinds {

namespace {

struct CloseRecording {
    void operator()(gzFile file) const { gzclose(file); }
};

// Contents of a text file, plain or compressed by gzip.
std::string unpacked_text(const std::string& file_name) {
    const auto fault = [&file_name](const std::string& found) {
        return network::TrafficFault("traffic.recording",
                                     "traffic.recording is \"" + file_name + "\", which " + found,
                                     "a text file, plain or compressed by gzip, with a line for "
                                     "each packet: cycle, source, destination, flits, arrived");
    };
    const std::unique_ptr<gzFile_s, CloseRecording> file(
        std::filesystem::is_regular_file(file_name) ? gzopen(file_name.c_str(), "rb") : nullptr);
    if (!file) {
        throw fault("cannot be read");
    }
    std::string text;
    std::array<char, 1 << 16> part{};
    int bytes = 0;
    while ((bytes = gzread(file.get(), part.data(), part.size())) > 0) {
        text.append(part.data(), static_cast<std::size_t>(bytes));
        if (const auto limit = hw::limit_fault(text, hw::kRecordingLimits)) {
            throw network::TrafficFault("traffic.recording", limit->found, limit->accepted);
        }
    }
    int error = Z_OK;
    static_cast<void>(gzerror(file.get(), &error));
    if (bytes < 0 || error == Z_BUF_ERROR) {  // Z_BUF_ERROR: the file is cut off
        throw fault("can't be unpacked");
    }
    return text;
}

network::PacketRecording recording_of(const network::TrafficParameters& traffic,
                                      const TrafficNetwork& network) {
    const std::string text = unpacked_text(traffic.recording.value());
    hw::TextReader file(text);
    return network::read_packet_recording(
        file, traffic.recording.value(), network.topology().node_count(), network.longest_packet());
}

// Measures all packets; the run ends when the last one has arrived.
void set_phases(const network::TrafficParameters& traffic,
                const network::PacketRecording& recording, network::TrafficParameters& phases) {
    constexpr std::int64_t kLongest = 1'000'000'000'000;
    [[maybe_unused]] const bool are_set =
        phases.warm_up_cycles.set(std::int64_t{0}) &&
        phases.measurement_cycles.set(recording.last_cycle().count() + 1) &&
        phases.drain_cycles.set(kLongest) &&
        phases.interleave_packets.set(traffic.interleave_packets.value()) &&
        phases.await_tail_credit.set(traffic.await_tail_credit.value());
    sc_assert(are_set);
}

/// Route of a packet: the grant at each router, and the contention before it.
class RouteOfPacket {
  public:
    explicit RouteOfPacket(const TrafficNetwork& network) : network_(network) {}

    [[nodiscard]] std::vector<RouterOfRoute> routers(const network::PacketTrip& trip) const {
        const network::TopologyGraph& graph = network_.topology().graph();
        const network::Router::Design& router = network_.design().router;
        const auto turn_cycles = network_.design().router_kind->traits().turn_cycles;
        std::vector<RouterOfRoute> routers;
        std::size_t vertex = network_.topology().vertex_of_node(trip.packet.source);
        hw::Cycles cycle = trip.packet.injected;
        for (std::size_t i = 0; i < trip.way.size(); ++i) {
            const network::RouterPassed& passed = trip.way[i];
            const std::size_t next =
                i + 1 < trip.way.size()
                    ? trip.way[i + 1].vertex
                    : network_.topology().vertex_of_node(trip.packet.destination);
            const network::Channel in = channel_between(vertex, passed.vertex);
            hw::Cycles least = router.flit_cycles - hw::Cycles(1) + router.routing_cycles +
                               network_.design().link_cycles(network_.topology(), in);
            if (i > 0) {
                least += router.vc_allocation_cycles + network_.design().switch_allocation_cycles;
            }
            if (turn_cycles != nullptr) {
                least += turn_cycles(graph[in].input_port,
                                     graph[channel_between(passed.vertex, next)].output_port);
            }
            routers.push_back({graph[passed.vertex].name, passed.cycle.count(),
                               (passed.cycle - cycle - least).count()});
            vertex = passed.vertex;
            cycle = passed.cycle;
        }
        return routers;
    }

  private:
    [[nodiscard]] network::Channel channel_between(std::size_t from, std::size_t to) const {
        return edge(from, to, network_.topology().graph()).first;
    }

    const TrafficNetwork& network_;
};

/// Compares each packet's arrival with the recorded one, in the order of arrival in the run.
class RecordingComparison {
  public:
    explicit RecordingComparison(const network::PacketRecording& recording)
        : recording_(recording) {}

    void add(const network::PacketTrip& trip) {
        const network::PacketRecording::Arrival& recorded = recording_.packets[trip.packet.number];
        const std::int64_t difference = (trip.arrived - recorded.arrived).count();
        sum_ += difference;
        largest_ = std::max(largest_, std::abs(difference));
        if (difference == 0) {
            ++same_;
            return;
        }
        const std::pair place{std::min(trip.arrived, recorded.arrived), trip.packet.number};
        if (!first_ || place < first_place_) {
            first_ = trip;
            first_place_ = place;
        }
    }
    [[nodiscard]] ComparedRecording result(const std::string& file,
                                           const TrafficNetwork& network) const {
        ComparedRecording compared;
        compared.file = file;
        compared.packets = static_cast<std::int64_t>(recording_.packets.size());
        compared.in_the_same_cycle = same_;
        compared.mean_difference_cycles =
            static_cast<double>(sum_) / static_cast<double>(compared.packets);
        compared.largest_difference_cycles = largest_;
        if (first_) {
            const network::Packet& packet = first_->packet;
            compared.first_different.push_back({packet.source, packet.destination,
                                                packet.flits.count(), packet.generated.count(),
                                                packet.injected.count(), first_->arrived.count(),
                                                recording_.packets[packet.number].arrived.count(),
                                                RouteOfPacket(network).routers(*first_)});
        }
        return compared;
    }

  private:
    const network::PacketRecording& recording_;
    std::int64_t sum_ = 0;
    std::int64_t largest_ = 0;
    std::int64_t same_ = 0;
    std::optional<network::PacketTrip> first_;
    std::pair<hw::Cycles, std::int64_t> first_place_;
};

double mean_latency(const network::PacketRecording& recording) {
    double sum = 0.0;
    for (const network::PacketRecording::Arrival& arrival : recording.packets) {
        sum += static_cast<double>((arrival.arrived - arrival.packet.cycle).count());
    }
    return sum / static_cast<double>(recording.packets.size());
}

}  // namespace

const RecordedTrafficMetrics& recorded_traffic_metrics() {
    static const RecordedTrafficMetrics metrics;
    return metrics;
}

std::unique_ptr<Kind> make_recorded_traffic_kind(const setup::ExperimentFile& file,
                                                 setup::SelectedRun run) {
    const bool is_recording = file.workload_kernel(run).name == kOpenLoop &&
                              file.string_of("traffic", "pattern", run) == kRecording;
    return is_recording ? std::make_unique<RecordedTrafficKind>() : nullptr;
}

const records::Metric& RecordedTrafficKind::leading_metric(
    const records::Metrics& /*measured*/) const {
    return recorded_traffic_metrics().same_cycle_percent;
}

void RecordedTrafficKind::refuse_traffic_without_meaning(const Setup& setup) const {
    static_cast<void>(
        recording_of(traffic(), TrafficNetwork(setup.machine.network, setup.machine.faults)));
}

records::SimulationResult RecordedTrafficKind::run(Setup& setup, const RunRequest& request) {
    TrafficRun run(setup, request.seed, request.folder);
    const network::PacketRecording recording = recording_of(traffic(), run.network());
    const hw::PerNode<std::vector<network::GeneratedPacket>> packets(
        recording.by_source(run.network().topology().node_count()));
    network::TrafficParameters phases;
    set_phases(traffic(), recording, phases);
    std::vector<network::PacketNetwork*> copies;
    while (copies.size() < run.network().copies()) {
        copies.push_back(&run.add_copy());
    }
    network::OpenLoop offered(run.domain(), copies, phases, [&](hw::NodeId node) {
        return std::make_unique<network::RecordedPacketSource>(packets[node]);
    });
    RecordingComparison comparison(recording);
    RecordingFile own;
    offered.tell_trips([&](const network::PacketTrip& trip) {
        comparison.add(trip);
        if (traffic().write_recording.value()) {
            own.add(trip);
        }
    });
    const network::TrafficResult ended = offered.run(run.limits(offered, request.report));

    records::SimulationResult result = run.result_of(offered, ended);
    if (result.end == nodes::RunEnd::kFinished) {
        const RecordedTrafficMetrics& m = recorded_traffic_metrics();
        const ComparedRecording compared =
            comparison.result(traffic().recording.value(), run.network());
        records::Metrics& metrics = result.measured.metrics;
        add(metrics, m.same_cycle_percent,
            100.0 * static_cast<double>(compared.in_the_same_cycle) /
                static_cast<double>(compared.packets));
        add(metrics, m.mean_difference_cycles, compared.mean_difference_cycles);
        add(metrics, m.largest_difference_cycles,
            static_cast<double>(compared.largest_difference_cycles));
        add(metrics, traffic_metrics().packets_measured, static_cast<double>(compared.packets));
        add(metrics, traffic_metrics().packet_latency_cycles,
            offered.record().from_generation().mean());
        add(metrics, m.recorded_latency_cycles, mean_latency(recording));
        (*result.measured.particulars)[kComparedRecording] = compared;
        if (traffic().write_recording.value()) {
            own.write(request.folder);
        }
    }
    return result;
}

}  // namespace weir::experiments::kinds
