#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/models/catalogue/model.h"
#include "experiments/models/model_error.h"

/// PLogP: LogP whose parameters are functions of the message's size m.
///
///     o_s(m), o_r(m)  processor time to send and to receive a message
///     g(m)            least time between two messages; it includes both overheads: the reciprocal
///     of
///                     the end-to-end bandwidth
///     L               latency from process to process, without the message's own time
///
/// A message takes L + g(m), and a round trip of two messages L + g(m) + L + g(0) if the reply is
/// empty. k messages in a row take L + k g(m).
///
/// Source: Kielmann, Bal and Verstoep, "Fast Measurement of LogP Parameters for Message Passing
/// Platforms" (Workshops of IPDPS 2000), described from
/// memory. LogP and LogGP in terms of PLogP: L = L + g(1) - o_s(1) - o_r(1), o = (o_s(1) +
/// o_r(1))/2, g = g(1), and G = g(m)/m for a large m. Between measured sizes, times are straight
/// lines here; beyond the largest size, the line through the two largest ones goes on.
namespace weir::experiments::models {
namespace {

/// Function of the size, from its values at the measured sizes.
double at_size(const std::vector<double>& sizes, const std::vector<double>& values, double bytes) {
    if (sizes.size() == 1) {
        return values.front();
    }
    const auto above = std::lower_bound(sizes.begin() + 1, sizes.end() - 1, bytes);
    const auto i = static_cast<std::size_t>(above - sizes.begin());
    const double share = (bytes - sizes[i - 1]) / (sizes[i] - sizes[i - 1]);
    return values[i - 1] + share * (values[i] - values[i - 1]);
}

class Plogp final : public Model {
  public:
    Plogp()
        : Model("plogp", "Messages with overheads and gaps that depend on their size",
                "PLogP (Kielmann, Bal and Verstoep, 2000)") {
        input(latency_cycles_, "latency_cycles", "L",
              "Latency from process to process, without the message's own time");
        input(sizes_, "measured_bytes", "m", "Sizes whose times are given, in ascending order",
              {0.0, kLargestQuantity});
        input(send_, "send_overhead_cycles", "o_s(m)", "Send overhead at each of these sizes");
        input(receive_, "receive_overhead_cycles", "o_r(m)",
              "Receive overhead at each of these sizes");
        input(gap_, "gap_cycles", "g(m)", "Gap between two messages at each of these sizes");
        input(message_bytes_, "message_bytes", "m", "Size of the message");
        input(messages_, "messages", "k", "Number of messages in a row", {1.0, 1e12});

        output([this] { return latency_cycles_ + gap(); }, "message_cycles", "L + g(m)",
               "Time from the begin of the send to the end of the reception", "Kielmann et al.");
        output([this] { return latency_cycles_ + static_cast<double>(messages_) * gap(); },
               "row_cycles", "L + k g(m)", "Time of all messages in a row, one receiver",
               "Kielmann et al.");
        output([this] { return 2.0 * latency_cycles_ + gap() + at_size(sizes_, gap_, 0.0); },
               "round_trip_cycles", "RTT(m)", "Time of a message and an empty reply",
               "Kielmann et al.");
        output([this] { return at_size(sizes_, send_, message_bytes_); }, "sending_cycles",
               "o_s(m)", "Processor time of the sender");
        output([this] { return at_size(sizes_, receive_, message_bytes_); }, "receiving_cycles",
               "o_r(m)", "Processor time of the receiver");
        output([this] { return gap(); }, "interval_cycles", "g(m)",
               "Least time between two messages of this size");
        output(
            [this] {
                return message_bytes_ > 0.0 && gap() > 0.0 ? std::optional(message_bytes_ / gap())
                                                           : std::nullopt;
            },
            "bandwidth_bytes_per_cycle", "m/g(m)", "Bandwidth of messages in a row");
        output(
            [this] {
                return latency_cycles_ + at_size(sizes_, gap_, 1.0) - at_size(sizes_, send_, 1.0) -
                       at_size(sizes_, receive_, 1.0);
            },
            "logp_latency_cycles", "L", "LogP's latency: L + g(1) - o_s(1) - o_r(1)",
            "Kielmann et al.");
        output(
            [this] { return (at_size(sizes_, send_, 1.0) + at_size(sizes_, receive_, 1.0)) / 2.0; },
            "logp_overhead_cycles", "o", "LogP's overhead: (o_s(1) + o_r(1))/2", "Kielmann et al.");
        output([this] { return at_size(sizes_, gap_, 1.0); }, "logp_gap_cycles", "g",
               "LogP's gap: g(1)", "Kielmann et al.");
        output(
            [this] {
                return sizes_.back() > 0.0 ? std::optional(gap_.back() / sizes_.back())
                                           : std::nullopt;
            },
            "loggp_gap_cycles_per_byte", "G", "LogGP's gap per byte: g(m)/m of the largest size",
            "Kielmann et al.");
    }

  private:
    [[nodiscard]] double gap() const { return at_size(sizes_, gap_, message_bytes_); }

    void evaluate() override {
        for (const auto& [name, values] :
             {std::pair("send_overhead_cycles", &send_),
              std::pair("receive_overhead_cycles", &receive_), std::pair("gap_cycles", &gap_)}) {
            if (values->size() != sizes_.size()) {
                throw ModelError(
                    std::string(name) + " has " + std::to_string(values->size()) + " numbers",
                    std::to_string(sizes_.size()) + ", one for each number of measured_bytes");
            }
        }
        if (std::adjacent_find(sizes_.begin(), sizes_.end(), std::greater_equal<>()) !=
            sizes_.end()) {
            throw ModelError("measured_bytes (m) is not in ascending order",
                             "each size larger than the one before");
        }
        for (std::size_t i = 0; i < sizes_.size(); ++i) {
            if (gap_[i] < std::max(send_[i], receive_[i])) {
                note("g(m) is below an overhead at a size; PLogP defines it as at least as long.");
                break;
            }
        }
        if (message_bytes_ > sizes_.back()) {
            note(
                "The message is larger than the largest measured size; its times are "
                "extrapolated.");
        }
    }

    double latency_cycles_ = kNotGiven;
    std::vector<double> sizes_;
    std::vector<double> send_;
    std::vector<double> receive_;
    std::vector<double> gap_;
    double message_bytes_ = kNotGiven;
    std::int64_t messages_ = 1;
};

}  // namespace

std::unique_ptr<Model> plogp_model() { return std::make_unique<Plogp>(); }

}  // namespace weir::experiments::models
