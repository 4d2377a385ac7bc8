#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "experiments/debug/target.h"

namespace weir::experiments::debug::testing {

/// Four nodes with 256 bytes of memory each. Register r of node n is 0x1000 n + r at first.
class TableTarget final : public Target {
  public:
    static constexpr int kNodes = 4;
    static constexpr std::uint32_t kBytes = 256;

    [[nodiscard]] int node_count() const override { return kNodes; }
    [[nodiscard]] std::string state_of(int node) const override {
        return node == 2 ? "its program has ended" : "main+0x10 (main.c:3)";
    }
    [[nodiscard]] std::int64_t cycle(int node) const override { return 1000 + node; }
    [[nodiscard]] std::uint32_t read_register(int node, unsigned number) const override {
        const auto found = written.find({node, number});
        return found != written.end() ? found->second
                                      : 0x1000U * static_cast<unsigned>(node) + number;
    }
    bool write_register(int node, unsigned number, std::uint32_t value) override {
        if (number == kCsr && value != read_register(node, number)) {
            return false;
        }
        written[{node, number}] = value;
        order.push_back(number);
        return true;
    }
    std::size_t read_memory(int node, std::uint32_t address,
                            std::span<std::uint8_t> bytes) override {
        if (address >= kBytes) {
            return 0;
        }
        const std::size_t count = std::min<std::size_t>(bytes.size(), kBytes - address);
        std::copy_n(memory[node].begin() + address, count, bytes.begin());
        return count;
    }
    [[nodiscard]] std::string write_memory(int node, std::uint32_t address,
                                           std::span<const std::uint8_t> bytes) override {
        if (address + bytes.size() > kBytes) {
            return "no such memory";
        }
        std::copy(bytes.begin(), bytes.end(), memory[node].begin() + address);
        return {};
    }
    void insert(const StopPoint& point) override { points.push_back(point); }
    void remove(const StopPoint& point) override {
        points.erase(std::remove(points.begin(), points.end(), point), points.end());
    }
    [[nodiscard]] std::string monitor(const std::string& line) override {
        return line == "cycle" ? "1234\n" : "";
    }

    std::map<std::pair<int, unsigned>, std::uint32_t> written;
    std::vector<unsigned> order;
    std::array<std::array<std::uint8_t, kBytes>, kNodes> memory{};
    std::vector<StopPoint> points;
};

}  // namespace weir::experiments::debug::testing
