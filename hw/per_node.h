#pragma once

#include <utility>
#include <vector>

#include "hw/units.h"

namespace weir::hw {

/// A container with one T per node, indexed by NodeId or by number. The last element is destroyed
/// first: SystemC's registries search for a destroyed module from their end.
template <class T, class Container = std::vector<T>>
class PerNode : public Container {
  public:
    using Container::at;
    using Container::Container;
    using Container::operator[];

    PerNode() = default;
    explicit PerNode(Container values) : Container(std::move(values)) {}
    PerNode(const PerNode&) = default;
    PerNode& operator=(const PerNode&) = default;
    PerNode(PerNode&&) noexcept = default;
    PerNode& operator=(PerNode&&) noexcept = default;
    ~PerNode() {
        while (!this->empty()) {
            this->pop_back();
        }
    }

    [[nodiscard]] T& operator[](NodeId node) { return Container::operator[](node.index()); }
    [[nodiscard]] const T& operator[](NodeId node) const {
        return Container::operator[](node.index());
    }
    [[nodiscard]] T& at(NodeId node) { return Container::at(node.index()); }
    [[nodiscard]] const T& at(NodeId node) const { return Container::at(node.index()); }
};

}  // namespace weir::hw
