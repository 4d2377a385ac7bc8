#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <map>

namespace weir::firmware {

/// A memory as a plain program sees it, without time: pages that exist once something was put into
/// them, all else zero. As large as what is touched, however far apart.
class MemoryImage {
  public:
    static constexpr std::uint32_t kPageBytes = 4096;
    using Page = std::array<std::uint8_t, kPageBytes>;

    /// Puts a value at a multiple of its size.
    template <class T>
    void put(std::uint32_t address, T value) {
        std::memcpy(pages_[address / kPageBytes].data() + address % kPageBytes, &value, sizeof(T));
    }
    template <class T>
    [[nodiscard]] T get(std::uint32_t address) const {
        T value{};
        const auto page = pages_.find(address / kPageBytes);
        if (page != pages_.end()) {
            std::memcpy(&value, page->second.data() + address % kPageBytes, sizeof(T));
        }
        return value;
    }

    /// By their address divided by kPageBytes; what was not put there is zero.
    [[nodiscard]] const std::map<std::uint32_t, Page>& pages() const { return pages_; }

  private:
    std::map<std::uint32_t, Page> pages_;
};

}  // namespace weir::firmware
