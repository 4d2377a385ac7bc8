#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "experiments/models/catalogue/model.h"
#include "experiments/models/logp/algorithms/bulk_synchronous.h"
#include "experiments/models/logp/logp_machine.h"
#include "experiments/models/model_error.h"

/// The n-point FFT as a butterfly of log2 n columns on P processors under LogP, in three layouts.
///
/// Source: Culler et al. (1993), section 4.1. A layout gives each row of the butterfly to a
/// processor. The cyclic layout (row r to r mod P) needs remote data in the last log P columns. The
/// blocked layout needs remote data in the first log P columns. The hybrid layout is cyclic first
/// and blocked later, with one remap of all data in between. The hybrid layout needs n >= P^2. (The
/// paper says n > P^2. At n = P^2 exactly one column allows the remap.)
///
/// The paper takes g >= 2o. Where 2o is longer, it replaces g here, as in section 4.1.4; there
/// point_cycles for loading and storing are added to 2o.
///
/// A butterfly computes two points, and so two nodes of the graph, as in the kernel fft. The paper
/// has two statements. Section 4.1: "Each non-input node represents a complex operation, which we
/// assume takes one unit of time"; so 4.1.1's computation takes (n/P) log n units. Section 4.1.4:
/// "At an average of 2.2 Mflops and 10 floating-point operations per butterfly, a cycle corresponds
/// to 4.5 us". Ten operations are a complex product, sum and difference, which give two points; one
/// node has eight at most. So the 4.5 us are the time of a butterfly, and a unit of 4.1.1 is half
/// of it. Section 4.1.4 also calls them the model's cycle, which contradicts this.
///
/// Times are cycles or any other unit: with microseconds, bytes per cycle are MB/s. n and P are
/// powers of two with P <= n.
namespace weir::experiments::models {
namespace {

constexpr double kMostPoints = 0x1p40;

class FftModel final : public Model {
  public:
    FftModel()
        : Model("logp-fft", "FFT in cyclic, blocked and hybrid layouts",
                kLogpPaper + "section 4.1") {
        declare_logp_machine(*this, machine_);
        input(points_, "points", "n", "Number of points of the FFT: a power of two, at least P",
              {2.0, kMostPoints});
        input(
            butterfly_cycles_, "butterfly_cycles", "",
            "Time of a butterfly: two nodes of the FFT's graph. 2 if times are in units of a node",
            {1e-9, kLargestQuantity});
        input(point_cycles_, "point_cycles", "", "Time to load and store one point in the remap");
        input(message_bytes_, "message_bytes", "B",
              "Data bytes of a message, which carries one point");
        declare_bsp_barrier(*this, barrier_);
        output([this] { return computation_cycles(); }, "computation_cycles", "",
               "Computation time of each processor, in any layout",
               "Section 4.1.1: (n/P) log n nodes; two nodes per butterfly");
        output([this] { return single_layout_cycles(); }, "single_layout_communication_cycles", "",
               "Communication time in a cyclic or a blocked layout",
               "Section 4.1.1: (g n/P + L) log P");
        output([this] { return computation_cycles() + single_layout_cycles(); },
               "single_layout_total_cycles", "", "Total time in a cyclic or a blocked layout");
        declare_remap();
        output([this] { return quotient_rounded_up(points_, machine_.processors) * columns(); },
               "pram_steps", "", "Number of steps of the FFT on a PRAM, in any layout",
               "Section 6.1: ceil(n/P) log n");
        output([this] { return bsp_single_layout_cycles(); }, "bsp_single_layout_cycles", "",
               "Time of the FFT in the BSP model, in a cyclic or a blocked layout", kBspEquation);
        hybrid([this] { return bsp_hybrid_cycles(); }, "bsp_hybrid_cycles",
               "Time of the FFT in the BSP model, in the hybrid layout", kBspEquation);
    }

  private:
    /// Declares an output of the hybrid layout; it has no value without that layout.
    void hybrid(const std::function<double()>& value, const std::string& name,
                const std::string& sentence, const std::string& equation = {}) {
        output([this, value] { return has_hybrid() ? std::optional(value()) : std::nullopt; }, name,
               "", sentence, equation);
    }

    void declare_remap() {
        hybrid([this] { return remap_cycles(); }, "hybrid_communication_cycles",
               "Communication time in the hybrid layout: one remap",
               "Section 4.1.1: g(n/P - n/P^2) + L");
        hybrid([this] { return computation_cycles() + remap_cycles(); }, "hybrid_total_cycles",
               "Total time in the hybrid layout");
        hybrid([this] { return 1.0 + remap_cycles() / computation_cycles(); },
               "total_over_computation",
               "Ratio of total time to computation time in the hybrid layout");
        // The ratio exceeds this bound by up to L/((n/P) log2 n). If times are in units of a
        // node, the bound is 1 + g/log n.
        hybrid([this] { return 1.0 + gap() * rows() / computation_cycles(); }, "optimality_factor",
               "Bound on total_over_computation for large n", "Section 4.1.1: 1 + g/log n");
        hybrid([this] { return messages(); }, "messages_per_processor",
               "Number of messages that each processor sends in the remap",
               "Section 4.1.1: n/P - n/P^2");
        hybrid([this] { return staggered_cycles(); }, "staggered_remap_cycles",
               "Time of a remap without contention: each node starts with another destination",
               "Section 4.1.4: (n/P) max(point + 2o, g) + L");
        hybrid([this] { return message_bytes_ * rows() / staggered_cycles(); },
               "staggered_bytes_per_cycle",
               "Bytes that a processor sends per cycle in the staggered remap; MB/s if all times "
               "are in us",
               "Section 4.1.4");
        hybrid([this] { return message_bytes_ / interval(); }, "asymptotic_bytes_per_cycle",
               "Bytes that a processor sends per cycle in the staggered remap, for large n",
               "Section 4.1.4: B/max(point + 2o, g)");
        // All processors send their rows in the same order, so all send to processor 0 first. The
        // paper describes this (4.1.2) and gives no equation. If waiting senders take turns, they
        // all reach the next destination together; only the destination itself is ahead of them.
        // So P(P - 1)/2 times n/P^2 messages go one after another, g apart, plus L.
        hybrid(
            [this] {
                return 0.5 * processors() * (processors() - 1.0) * run() *
                           logp_send_interval_cycles(machine_) +
                       machine_.latency_cycles;
            },
            "naive_remap_in_turn_cycles",
            "Time of a remap in which all nodes send to node 0, then to node 1, and so on; senders "
            "take turns",
            "derived: g (n/2)(1 - 1/P) + L");
        // The last destination's first message follows (P - 2) n/P^2 other messages of its sender.
        // Then (P - 1) n/P^2 messages arrive at the last destination. All messages are g apart, and
        // L is added. Arbitration that always prefers the lowest numbered processor reaches this
        // bound.
        hybrid(
            [this] {
                return std::max(0.0, 2.0 * (processors() - 1.0) - 1.0) * run() *
                           logp_send_interval_cycles(machine_) +
                       machine_.latency_cycles;
            },
            "naive_remap_least_cycles",
            "Lower bound on the time of a remap in which all nodes send to node 0, then to node 1, "
            "and so on",
            "derived: g (2P - 3) n/P^2 + L");
        hybrid(
            [this] { return std::max(0.0, machine_.gap_cycles - 2.0 * machine_.overhead_cycles); },
            "idle_cycles_per_message", "Idle time of a processor between two sends of the remap",
            "Section 4.1.5: g - 2o");
        // The longer of two times: a processor's own work and overheads, or the gaps of its
        // messages and one delivery.
        hybrid(
            [this] {
                return std::max(computation_cycles() + 2.0 * machine_.overhead_cycles * messages(),
                                messages() == 0.0 ? 0.0
                                                  : (messages() - 1.0) * machine_.gap_cycles +
                                                        logp_delivery_cycles(machine_));
            },
            "overlapped_least_cycles",
            "Lower bound on the total time if the remap overlaps the computation",
            "after section 4.1.5");
    }

    [[nodiscard]] double processors() const { return machine_.processors; }
    [[nodiscard]] double rows() const { return static_cast<double>(points_) / processors(); }
    /// n/P^2: number of rows that go to one destination.
    [[nodiscard]] double run() const { return rows() / processors(); }
    [[nodiscard]] int columns() const { return logarithm_of_power_of_two(points_); }
    [[nodiscard]] double remote_columns() const {
        return logarithm_of_power_of_two(machine_.processors);
    }
    [[nodiscard]] bool has_hybrid() const {
        return std::int64_t{machine_.processors} * machine_.processors <= points_;
    }
    [[nodiscard]] double gap() const { return logp_exchange_interval_cycles(machine_); }
    /// Time between two messages of the remap: each is sent, received, loaded and stored.
    [[nodiscard]] double interval() const {
        return std::max(point_cycles_ + 2.0 * machine_.overhead_cycles, machine_.gap_cycles);
    }
    [[nodiscard]] double messages() const { return rows() - run(); }
    [[nodiscard]] double computation_cycles() const { return column_cycles() * columns(); }
    [[nodiscard]] double single_layout_cycles() const {
        return (gap() * rows() + machine_.latency_cycles) * remote_columns();
    }
    [[nodiscard]] double remap_cycles() const {
        return gap() * messages() + machine_.latency_cycles;
    }
    [[nodiscard]] double staggered_cycles() const {
        return rows() * interval() + machine_.latency_cycles;
    }

    [[nodiscard]] double superstep_cycles(double work_cycles, double relation) const {
        return bsp_superstep_cycles(bsp_, work_cycles, relation);
    }
    /// Computation of one column: a butterfly for every two rows.
    [[nodiscard]] double column_cycles() const { return butterfly_cycles_ * rows() / 2.0; }
    /// Computation of the columns before the first exchange.
    [[nodiscard]] double local_columns_cycles() const {
        return column_cycles() * (columns() - remote_columns());
    }
    /// Cyclic layout: first the local columns with the first exchange. Then each remote column but
    /// the last with an exchange, and the last remote column alone.
    [[nodiscard]] double bsp_single_layout_cycles() const {
        return machine_.processors == 1
                   ? superstep_cycles(computation_cycles(), 0.0)
                   : superstep_cycles(local_columns_cycles(), rows()) +
                         (remote_columns() - 1.0) * superstep_cycles(column_cycles(), rows()) +
                         superstep_cycles(column_cycles(), 0.0);
    }
    /// Two supersteps; the first ends with the remap.
    [[nodiscard]] double bsp_hybrid_cycles() const {
        return machine_.processors == 1
                   ? bsp_single_layout_cycles()
                   : superstep_cycles(local_columns_cycles(), messages()) +
                         superstep_cycles(column_cycles() * remote_columns(), 0.0);
    }

    void evaluate() override {
        if (!is_power_of_two(points_)) {
            throw ModelError(
                "points (n) is " + std::to_string(points_),
                "a power of two, 2 to " + std::to_string(static_cast<std::int64_t>(kMostPoints)));
        }
        if (!is_power_of_two(machine_.processors) || machine_.processors > points_) {
            throw ModelError(
                "processors (P) is " + std::to_string(machine_.processors),
                "a power of two, 1 to points (n), which is " + std::to_string(points_));
        }
        // Without a time for a message, the rates would be infinite.
        if (has_hybrid() && interval() < 1e-9) {
            throw ModelError(
                "gap_cycles (g), overhead_cycles (o) and point_cycles: max(point + 2o, g) is " +
                    shortest_text(interval()),
                "1e-9 or more cycles");
        }
        bsp_ = bsp_machine_of(machine_, barrier_);
        if (overhead_takes_the_gaps_place(machine_)) {
            note(kOverheadForGap);
        }
        if (!has_hybrid()) {
            note("A hybrid layout needs P^2 points or more; its outputs are empty.");
            return;
        }
        note(
            "The paper gives no equation for the naive remap, only its order of sends. The "
            "machine's arbitration decides where between its two outputs the naive remap's time "
            "lies.");
        note(
            "Section 4.1.3 prints the CM-5's staggered remap as \"1/3 th\" of the computation. The "
            "caption of Figure 6 has it an order of magnitude below 1.5. Both numbers are "
            "measurements.");
        note("Section 4.1.4 prints the CM-5's g = 4 us as 0.44 cycles; it is 0.89 of 4.5 us.");
    }

    LogpMachine machine_;
    std::int64_t points_ = 0;
    double butterfly_cycles_ = 2.0;
    double point_cycles_ = 0.0;
    double message_bytes_ = kNotGiven;
    BspBarrier barrier_ = BspBarrier::kMessages;
    BspMachine bsp_;
};

}  // namespace

std::unique_ptr<Model> logp_fft_model() { return std::make_unique<FftModel>(); }

}  // namespace weir::experiments::models
