#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "network/router/flow_control.h"

namespace weir::network {

/// Allocator of a virtual channel router: matches the requests of a cycle with outputs. Virtual
/// channels are numbered port by port: number = port * vcs + channel of the port.
class Allocator {
  public:
    struct Design {
        std::int32_t ports = 0;
        std::int32_t vcs = 1;  ///< virtual channels per port
        Arbitration arbitration = Arbitration::kRoundRobin;
    };
    struct Request {
        std::int32_t input;  ///< number of the input virtual channel
        /// number of the output virtual channel; switch allocation uses only its port
        std::int32_t output;
        std::int64_t since;  ///< cycle from which the message's age counts
    };
    using Requests = std::span<const Request>;
    using Grants = std::vector<std::int32_t>;  ///< indices of the granted requests

    Allocator() = default;
    Allocator(const Allocator&) = delete;
    Allocator& operator=(const Allocator&) = delete;
    virtual ~Allocator() = default;

    /// Adds the granted requests for output virtual channels to `grants`: at most one for each
    /// input and one for each output virtual channel.
    virtual void allocate_vcs(Requests requests, Grants& grants) = 0;
    /// Adds the granted requests for the switch to `grants`: at most one for each input port and
    /// one for each output port. An input virtual channel may make one request only.
    virtual void allocate_switch(Requests requests, Grants& grants) = 0;
};

/// A kind of allocator, selected by network.allocator.
class AllocatorKind {
  public:
    using Make = std::unique_ptr<Allocator> (*)(const Allocator::Design& design);
    AllocatorKind(std::string name, std::string sentence, Make make_allocator)
        : name_(std::move(name)), sentence_(std::move(sentence)), make_(make_allocator) {}

    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] const std::string& sentence() const { return sentence_; }
    /// Returns null for the kind whose allocator is part of the router itself.
    [[nodiscard]] std::unique_ptr<Allocator> make(const Allocator::Design& design) const {
        return make_(design);
    }

  private:
    std::string name_;
    std::string sentence_;
    Make make_;
};

/// All kinds of allocators; the first one is the default of network.allocator.
[[nodiscard]] const std::vector<const AllocatorKind*>& allocator_kinds();

}  // namespace weir::network
