#include <algorithm>
#include <memory>

#include "experiments/models/catalogue/model.h"

/// LogGPS: LogGP with a threshold S, above which a message waits for its receiver.
///
/// A message of k <= S bytes is sent at once, as by LogGP. It is received after o + (k - 1) G + L +
/// o, or later if the receiver is not ready. A longer message is synchronized. The sender asks by a
/// short message, the receiver answers when it is ready, and the data follow. If the receiver is
/// ready in time, this takes 3 (L + 2 o) + (k - 1) G. LogP's Section 5.2 has the same time for the
/// CM-5's synchronous send.
///
/// Source: Ino, Fujimoto and Hagihara, "LogGPS: A Parallel Computational Model for Synchronization
/// Analysis" (PPoPP 2001), known here by its abstract. The protocol is that of LogGOPSim, and its
/// messages are LogGP's.
namespace weir::experiments::models {
namespace {

class SynchronizedMessage final : public Model {
  public:
    SynchronizedMessage()
        : Model("loggps-message", "Message that waits for its receiver above a threshold",
                "LogGPS (Ino, Fujimoto and Hagihara, 2001)") {
        input(latency_cycles_, "latency_cycles", "L", "Latency of a small message in the network");
        input(overhead_cycles_, "overhead_cycles", "o",
              "Processor time to send a message, and to receive one");
        input(gap_cycles_per_byte_, "gap_cycles_per_byte", "G", "Time per byte of a long message");
        input(threshold_bytes_, "threshold_bytes", "S",
              "Size above which messages are synchronized");
        input(message_bytes_, "message_bytes", "k", "Size of the message", {1.0, kLargestQuantity});
        input(receiver_delay_cycles_, "receiver_delay_cycles", "d",
              "Time from the begin of the send until the receiver is ready");

        output([this] { return message_cycles(); }, "message_cycles", "",
               "Time from the begin of the send to the end of the reception");
        output([this] { return sender_cycles(); }, "sender_cycles", "",
               "Time from the begin of the send until the data have left the sender");
        output([this] { return unsynchronized_cycles(); }, "loggp_message_cycles", "",
               "Time of the message by LogGP, which knows no synchronization");
        output([this] { return message_cycles() - unsynchronized_cycles(); },
               "synchronization_cycles", "", "Time that the synchronization adds");
        output([this] { return wait_cycles(); }, "receiver_wait_cycles", "",
               "Part of the synchronization in which the question waits for the receiver");
    }

  private:
    [[nodiscard]] bool is_synchronized() const { return message_bytes_ > threshold_bytes_; }
    [[nodiscard]] double data_cycles() const {
        return overhead_cycles_ + (message_bytes_ - 1.0) * gap_cycles_per_byte_;
    }
    [[nodiscard]] double unsynchronized_cycles() const {
        return std::max(data_cycles() + latency_cycles_, receiver_delay_cycles_) + overhead_cycles_;
    }
    [[nodiscard]] double wait_cycles() const {
        return is_synchronized()
                   ? std::max(0.0, receiver_delay_cycles_ - overhead_cycles_ - latency_cycles_)
                   : 0.0;
    }
    /// Time until the answer has been received: question and answer, and the receiver's delay.
    [[nodiscard]] double answer_cycles() const {
        return is_synchronized() ? wait_cycles() + 2.0 * (latency_cycles_ + 2.0 * overhead_cycles_)
                                 : 0.0;
    }
    [[nodiscard]] double sender_cycles() const { return answer_cycles() + data_cycles(); }
    [[nodiscard]] double message_cycles() const {
        return is_synchronized() ? sender_cycles() + latency_cycles_ + overhead_cycles_
                                 : unsynchronized_cycles();
    }

    void evaluate() override {}

    double latency_cycles_ = kNotGiven;
    double overhead_cycles_ = kNotGiven;
    double gap_cycles_per_byte_ = kNotGiven;
    double threshold_bytes_ = kNotGiven;
    double message_bytes_ = kNotGiven;
    double receiver_delay_cycles_ = 0.0;
};

}  // namespace

std::unique_ptr<Model> loggps_message_model() { return std::make_unique<SynchronizedMessage>(); }

}  // namespace weir::experiments::models
