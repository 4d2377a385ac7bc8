#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "network/topology/topology_family.h"

namespace weir::network {

/// The finite field of q elements, numbered from 0; 0 and 1 are its zero and its one.
class FiniteField {
  public:
    /// The field of q elements; empty unless q is a power of a prime. q must be at least 2.
    [[nodiscard]] static std::optional<FiniteField> of_order(std::int32_t q);

    [[nodiscard]] std::int32_t order() const { return order_; }
    [[nodiscard]] std::int32_t sum(std::int32_t a, std::int32_t b) const;
    [[nodiscard]] std::int32_t negative(std::int32_t a) const;
    [[nodiscard]] std::int32_t product(std::int32_t a, std::int32_t b) const;
    /// Power of a primitive element: for exponents 0 to q - 2, all elements except zero.
    [[nodiscard]] std::int32_t power(std::int32_t exponent) const { return powers_[exponent]; }

  private:
    FiniteField() = default;

    std::int32_t order_ = 0;
    std::int32_t prime_ = 0;
    std::vector<std::int32_t> powers_;     // powers of the primitive element
    std::vector<std::int32_t> exponents_;  // by element: its exponent; undefined for zero
};

/// The slim fly (Besta and Hoefler 2014): routers connected as the graph of McKay, Miller and Siran
/// (1998). Any two routers are at most two hops apart. q is a power of a prime, but not 2. So
/// q = 4 w + d, where d is 0, 1 or -1. There are 2 q^2 routers, and each has (3 q - d) / 2 channels
/// to others.
///
/// Router (s,x,y) is router y of column x in half s; x and y are elements of the field of order q.
/// Let X and X' be the generator sets of McKay, Miller and Siran.
/// - (0,x,y) and (0,x,z) are connected if y - z is in X.
/// - (1,m,c) and (1,m,z) are connected if c - z is in X'.
/// - (0,x,y) and (1,m,c) are connected if y = m x + c.
///
/// Routers have the order of (s,x,y), y changing fastest. Node i is terminal i mod p of router
/// i / p, with p terminals per router. Ports 0 to p - 1 of a router are its nodes; the others lead
/// to its neighbours in ascending order ("to 17"). A hop is a channel, those of the nodes included.
///
/// Besta and Hoefler take p as half of a router's other channels, rounded up.
[[nodiscard]] Topology slim_fly_topology(std::int32_t terminals, std::int32_t q);
[[nodiscard]] const TopologyFamily& slim_fly_family();

/// Minimal routing: of at most two hops. The last hop to the destination's router is on virtual
/// channel 1, the one before on virtual channel 0 (Besta and Hoefler, Section IV-D). If there
/// are several routers between two others, the destination's router chooses one by its number.
[[nodiscard]] std::unique_ptr<Routing> slim_fly_minimal_routing(const Topology& slim_fly,
                                                                int virtual_channels = 2);

}  // namespace weir::network
