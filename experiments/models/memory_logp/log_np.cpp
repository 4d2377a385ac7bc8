#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "experiments/models/catalogue/model.h"
#include "experiments/models/model_error.h"

/// log_nP and log_3P: a message as a sequence of n transfers, each of which memory logP describes.
///
/// A message goes through n transfers between points of its way. They lead from the user's
/// memory to a buffer, from buffer to buffer over the network, and back to memory. Transfer i takes
/// o_i for contiguous data, and l_i more for their distribution. The time of the message is the sum
/// of all o_i + l_i. log_3P has three transfers: middleware at the source (0), network (1), and
/// middleware at the destination (2). LogP is log_3P with o_0 = o_2 = o, o_1 = L, and no l.
///
/// Source: Cameron, Ge and Sun, "log_nP and log_3P: Accurate Analytical Models of Point-to-Point
/// Communication in Distributed Systems" (IEEE Transactions on Computers, 2007), described from
/// memory. Each o_i and l_i is a function of size and stride there; here they are given for the
/// message in question.
namespace weir::experiments::models {
namespace {

double sum_of(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
}

class LogNp final : public Model {
  public:
    LogNp()
        : Model("log-np", "Message as a sequence of transfers between memories and buffers",
                "log_nP (Cameron, Ge and Sun, 2007)") {
        input(overheads_, "overhead_cycles", "o_i",
              "Time of each transfer for contiguous data, in the order of the message's way");
        input(latencies_, "latency_cycles", "l_i",
              "Additional time of each transfer for the distribution of the data");
        output([this] { return sum_of(overheads_) + sum_of(latencies_); }, "message_cycles", "T",
               "Time of the message: sum of all o_i + l_i", "(1)");
        output([this] { return sum_of(overheads_); }, "contiguous_cycles", "",
               "Time of a message with contiguous data", "(1)");
        output([this] { return static_cast<double>(overheads_.size()); }, "transfers", "n",
               "Number of transfers");
    }

  private:
    void evaluate() override {
        if (latencies_.size() != overheads_.size()) {
            throw ModelError(
                "latency_cycles (l_i) has " + std::to_string(latencies_.size()) + " numbers",
                std::to_string(overheads_.size()) + ", one for each number of overhead_cycles");
        }
    }

    std::vector<double> overheads_;
    std::vector<double> latencies_;
};

/// Memory logP's transfer between a user's memory and a buffer.
struct Middleware {
    double overhead_cycles_per_byte = kNotGiven;
    double latency_cycles_per_byte = 0.0;
};

class Log3p final : public Model {
  public:
    Log3p()
        : Model("log-3p", "Message that is packed, sent and unpacked, as three transfers",
                "log_3P (Cameron, Ge and Sun, 2007)") {
        input(message_bytes_, "message_bytes", "s", "Number of data bytes",
              {1.0, kLargestQuantity});
        input(source_.overhead_cycles_per_byte, "source_overhead_cycles_per_byte", "o_0",
              "Time of a byte from memory to the buffer, contiguous");
        input(source_.latency_cycles_per_byte, "source_latency_cycles_per_byte", "l_0",
              "Additional time of a byte there by size and stride");
        input(network_overhead_cycles_, "network_overhead_cycles", "o_1",
              "Time of a message in the network that does not depend on its size");
        input(network_cycles_per_byte_, "network_cycles_per_byte", "l_1",
              "Additional time in the network for each byte");
        input(destination_.overhead_cycles_per_byte, "destination_overhead_cycles_per_byte", "o_2",
              "Time of a byte from the buffer to memory, contiguous");
        input(destination_.latency_cycles_per_byte, "destination_latency_cycles_per_byte", "l_2",
              "Additional time of a byte there by size and stride");
        output([this] { return at(source_) + network_cycles() + at(destination_); },
               "message_cycles", "T", "Time of the message: three transfers, one after the other",
               "log_3P");
        output([this] { return at(source_); }, "source_cycles", "o_0 + l_0",
               "Time of packing at the source");
        output([this] { return network_cycles(); }, "network_cycles", "o_1 + l_1",
               "Time in the network");
        output([this] { return at(destination_); }, "destination_cycles", "o_2 + l_2",
               "Time of unpacking at the destination");
        output(
            [this] {
                const double middleware = at(source_) + at(destination_);
                const double all = middleware + network_cycles();
                return all > 0.0 ? std::optional(middleware / all) : std::nullopt;
            },
            "middleware_share", "", "Share of the time that is not in the network");
    }

  private:
    [[nodiscard]] double at(const Middleware& middleware) const {
        return message_bytes_ *
               (middleware.overhead_cycles_per_byte + middleware.latency_cycles_per_byte);
    }
    [[nodiscard]] double network_cycles() const {
        return network_overhead_cycles_ + message_bytes_ * network_cycles_per_byte_;
    }

    void evaluate() override {}

    double message_bytes_ = kNotGiven;
    Middleware source_;
    Middleware destination_;
    double network_overhead_cycles_ = kNotGiven;
    double network_cycles_per_byte_ = kNotGiven;
};

}  // namespace

std::unique_ptr<Model> log_np_model() { return std::make_unique<LogNp>(); }

std::unique_ptr<Model> log_3p_model() { return std::make_unique<Log3p>(); }

}  // namespace weir::experiments::models
