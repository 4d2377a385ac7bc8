#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "network/router/flow_control.h"

namespace weir::network {

/// The allocator of a virtual channel router: matches a cycle's requests with what they ask for.
/// Lanes are numbered port by port.
class Allocator {
  public:
    struct Design {
        std::int32_t ports = 0;
        std::int32_t lanes = 1;  ///< of each port
        Arbitration arbitration = Arbitration::kRoundRobin;
    };
    struct Request {
        std::int32_t input;   ///< lane
        std::int32_t output;  ///< lane; of the switch its port is asked for
        std::int64_t since;   ///< the cycle that the message's age counts from
    };
    using Requests = std::span<const Request>;
    using Grants = std::vector<std::int32_t>;  ///< numbers of requests

    Allocator() = default;
    Allocator(const Allocator&) = delete;
    Allocator& operator=(const Allocator&) = delete;
    virtual ~Allocator() = default;

    /// Adds the requests that are granted: at most one of each input lane, and one for each output
    /// lane.
    virtual void allocate_lanes(Requests requests, Grants& grants) = 0;
    /// The same of the switch: at most one of each input port, and one for each output port. An
    /// input lane makes one request at most.
    virtual void allocate_switch(Requests requests, Grants& grants) = 0;
};

/// What network.allocator can name.
class AllocatorKind {
  public:
    using Make = std::unique_ptr<Allocator> (*)(const Allocator::Design& design);
    AllocatorKind(std::string name, std::string sentence, Make make_allocator)
        : name_(std::move(name)), sentence_(std::move(sentence)), make_(make_allocator) {}

    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] const std::string& sentence() const { return sentence_; }
    /// Null for the one that routers have built in.
    [[nodiscard]] std::unique_ptr<Allocator> make(const Allocator::Design& design) const {
        return make_(design);
    }

  private:
    std::string name_;
    std::string sentence_;
    Make make_;
};

/// All of them; the first is the one that is taken unless another is named.
[[nodiscard]] const std::vector<const AllocatorKind*>& allocator_kinds();

}  // namespace weir::network
