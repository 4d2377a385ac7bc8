#include "experiments/models/logp/messages/unloaded_time.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "experiments/models/catalogue/model.h"
#include "experiments/models/logp/logp_machine.h"
#include "experiments/models/model_error.h"

namespace weir::experiments::models {
namespace {

constexpr std::int64_t kMostMessageBits = std::int64_t{1} << 40;
constexpr double kNarrowestChannel = 1e-3;  // least accepted channel width, in bits per cycle

void check_bits(std::int64_t message_bits) {
    if (message_bits < 1 || message_bits > kMostMessageBits) {
        throw ModelError("message_bits (M) is " + std::to_string(message_bits),
                         "1 to " + std::to_string(kMostMessageBits));
    }
}

}  // namespace

UnloadedMessage solve_unloaded_message(const MessageHardware& hardware, std::int64_t message_bits) {
    check_bits(message_bits);
    require_quantity("cycle_nanoseconds", hardware.cycle_nanoseconds, 0.0, "nanoseconds");
    require_quantity("channel_bits (w)", hardware.channel_bits, kNarrowestChannel,
                     "bits per cycle");
    require_quantity("both_overheads_cycles (T_snd + T_rcv)", hardware.both_overheads_cycles);
    require_quantity("hop_cycles (r)", hardware.hop_cycles);
    require_quantity("hops (H)", hardware.hops);
    const double channel = std::ceil(static_cast<double>(message_bits) / hardware.channel_bits);
    const double route = hardware.hops * hardware.hop_cycles;
    const double cycles = hardware.both_overheads_cycles + channel + route;
    return {
        .message_cycles = cycles,
        .message_nanoseconds = cycles * hardware.cycle_nanoseconds,
        .channel_cycles = channel,
        .route_cycles = route,
        .overhead_cycles = hardware.both_overheads_cycles / 2.0,
        .latency_cycles = route + channel,
        // No division by 0, as cycles >= channel >= 1.
        .overhead_share = hardware.both_overheads_cycles / cycles,
    };
}

double bisection_gap_cycles(std::int64_t message_bits, double bisection_bits_per_cycle) {
    check_bits(message_bits);
    require_quantity("bisection_bits_per_cycle", bisection_bits_per_cycle, kNarrowestChannel);
    return static_cast<double>(message_bits) / bisection_bits_per_cycle;
}

namespace {

constexpr MessageHardware kNeutral = {1.0, 1.0, 0.0, 0.0, 0.0};

std::vector<std::string> machine_names() {
    std::vector<std::string> names{"custom"};
    for (const PublishedMachine& machine : kPublishedMachines) {
        names.emplace_back(machine.name);
    }
    return names;
}

class UnloadedTimeModel final : public Model {
  public:
    UnloadedTimeModel()
        : Model("logp-unloaded-time",
                "Time of a message through an idle network, and its L, o and g",
                kLogpPaper + "section 5.2 and Table 1") {
        input(message_bits_, "message_bits", "M", "Length of the message in bits", {1.0, 1e12});
        choice(machine_, "machine",
               "Machine: a row of Table 1, or custom: the machine that the other inputs give",
               machine_names());
        input(WEIR_NAMED(in_, cycle_nanoseconds), "", "Cycle time of the network");
        input(WEIR_NAMED(in_, channel_bits), "w", "Channel width in bits per cycle", {1e-3, 1e6});
        input(WEIR_NAMED(in_, both_overheads_cycles), "T_snd + T_rcv",
              "Sum of the send overhead and the receive overhead");
        input(WEIR_NAMED(in_, hop_cycles), "r", "Delay per hop of the route");
        input(WEIR_NAMED(in_, hops), "H", "Number of hops of the route");
        input(bisection_bits_per_cycle_, "bisection_bits_per_cycle", "",
              "Bisection bandwidth for each processor in bits per cycle; 0 if unknown");
        output(WEIR_NAMED(out_, message_cycles), "T(M,H)",
               "Time of the message, both overheads included",
               "Section 5.2: T_snd + ceil(M/w) + Hr + T_rcv");
        output(WEIR_NAMED(out_, message_nanoseconds), "",
               "Time of the message in nanoseconds, both overheads included");
        output(WEIR_NAMED(out_, overhead_cycles), "o",
               "LogP's overhead o: mean of send and receive overhead",
               "Section 5.2: (T_snd + T_rcv)/2");
        output(WEIR_NAMED(out_, latency_cycles), "L", "LogP's latency L on this route",
               "Section 5.2: Hr + ceil(M/w)");
        output(
            [this] {
                return bisection_bits_per_cycle_ == 0.0
                           ? std::nullopt
                           : std::optional(
                                 bisection_gap_cycles(message_bits_, bisection_bits_per_cycle_));
            },
            "gap_cycles", "g", "LogP's gap g, set by the bisection bandwidth",
            "Section 5.2: M over the bisection");
        output(WEIR_NAMED(out_, overhead_share), "",
               "Share of the message's time that is overhead");
    }

  private:
    void evaluate() override {
        out_ = solve_unloaded_message(chosen_hardware(), message_bits_);
        if (bisection_bits_per_cycle_ == 0.0) {
            note("g needs bisection_bits_per_cycle, which Table 1 does not have.");
        }
        for (const PublishedMachine& machine : kPublishedMachines) {
            const MessageHardware& hardware = machine.hardware;
            table_1_.add_row({std::string(machine.name), std::string(machine.network),
                              hardware.cycle_nanoseconds, hardware.channel_bits,
                              hardware.both_overheads_cycles, hardware.hop_cycles, hardware.hops,
                              solve_unloaded_message(hardware, message_bits_).message_cycles});
        }
        note("Table 1 prints whole cycles, rounded down: 53 for Dash's 53.6.");
        note("LogP's L is an upper bound; set hops to the longest route for it.");
        note(
            "Table 1's mean hops of Dash (6.8) and J-Machine (12.1) are as printed. The formulas "
            "of section 5.1 give 7.56 for a 3-D torus, 16 for a 2-D torus, 10.08 for the mesh.");
    }

    [[nodiscard]] MessageHardware chosen_hardware() const {
        const auto* published =
            std::find_if(kPublishedMachines.begin(), kPublishedMachines.end(),
                         [&](const PublishedMachine& machine) { return machine.name == machine_; });
        if (published == kPublishedMachines.end()) {
            return in_;
        }
        if (in_ != kNeutral) {
            throw ModelError("machine is \"" + machine_ + "\"",
                             "\"custom\", where cycle_nanoseconds, channel_bits, "
                             "both_overheads_cycles, hop_cycles or hops are given");
        }
        return published->hardware;
    }

    std::int64_t message_bits_ = 0;
    std::string machine_;
    MessageHardware in_ = kNeutral;
    double bisection_bits_per_cycle_ = 0.0;
    UnloadedMessage out_{};
    OutputTable table_1_{*this,
                         "table_1",
                         "Time of this message on each machine of Table 1",
                         {{"machine", "name; AM means the active message layer"},
                          {"network", "topology"},
                          {"cycle_nanoseconds", "cycle time of the network"},
                          {"channel_bits", "w"},
                          {"both_overheads_cycles", "T_snd + T_rcv"},
                          {"hop_cycles", "r"},
                          {"hops", "mean number of hops H, with 1,024 processors"},
                          {"message_cycles", "T(M, H)"}},
                         "Table 1"};
};

}  // namespace

std::unique_ptr<Model> logp_unloaded_time_model() { return std::make_unique<UnloadedTimeModel>(); }

}  // namespace weir::experiments::models
