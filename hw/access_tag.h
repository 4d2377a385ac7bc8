#pragma once

#include <tlm.h>

#include <cstdint>
#include <optional>

#include "hw/fetch_operation.h"
#include "hw/full_empty_use.h"

namespace weir::hw {

/// Properties of a core's memory access that the TLM payload does not carry. The tag belongs to the
/// core, which keeps it beside the payload.
class AccessTag final : public tlm::tlm_extension<AccessTag> {
  public:
    [[nodiscard]] tlm::tlm_extension_base* clone() const override { return nullptr; }
    void copy_from(const tlm::tlm_extension_base& other) override {
        *this = dynamic_cast<const AccessTag&>(other);
    }
    void free() override {}

    std::int32_t context = 0;  ///< hardware context that makes the access
    bool exchanges = false;    ///< a store that returns the old value (SPARC's swap and ldstub)
    bool prefetches = false;   ///< requests the line and moves no data
    /// A load that changes the full/empty bit. Like a store it needs the only copy of the line, so
    /// its command is a write.
    bool only_loads = false;
    /// Changes the word at its home. The access is an exchange, too; its data are the operand.
    std::optional<FetchOperation> fetch{};
    FullEmptyUse full_empty;
};

}  // namespace weir::hw
