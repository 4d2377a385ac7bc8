#pragma once

#include <tlm.h>

#include <cstdint>
#include <optional>

#include "hw/fetch_operation.h"
#include "hw/full_empty_use.h"

namespace weir::hw {

/// Properties of a core's memory access that the TLM payload does not carry. The core owns the tag;
/// the payload only points to it.
class AccessTag final : public tlm::tlm_extension<AccessTag> {
  public:
    [[nodiscard]] tlm::tlm_extension_base* clone() const override { return nullptr; }
    void copy_from(const tlm::tlm_extension_base& other) override {
        *this = dynamic_cast<const AccessTag&>(other);
    }
    void free() override {}

    std::int32_t context = 0;  ///< hardware context that makes the access
    bool exchanges = false;    ///< a store that returns the old value (SPARC's swap and ldstub)
    bool prefetches = false;   ///< a prefetch: requests the line and moves no data
    /// A load that changes the full/empty bit. Like a store it needs the only copy of the line, so
    /// its command is a write.
    bool only_loads = false;
    /// A fetch-and-op: the word's home changes it. `exchanges` is true as well; the data of the
    /// access are the operand.
    std::optional<FetchOperation> fetch{};
    FullEmptyUse full_empty;
};

}  // namespace weir::hw
