#pragma once

#include <tlm.h>

#include <cstdint>
#include <optional>

#include "hw/fetch_operation.h"
#include "hw/full_empty_use.h"

namespace weir::hw {

/// What an access says beside address, bytes and direction: which of its core's contexts makes it,
/// whether a store hands back what it replaces (SPARC's swap and ldstub), whether it moves nothing
/// and wants the line to come, what it does with the word's full/empty bit, and whether the word
/// is changed at its home; that is an exchange, too, whose data is the operand. A load that changes
/// that bit needs the only copy, as a store does: it is a write command that only loads. It belongs
/// to the core, beside the payload.
class AccessTag final : public tlm::tlm_extension<AccessTag> {
  public:
    [[nodiscard]] tlm::tlm_extension_base* clone() const override { return nullptr; }
    void copy_from(const tlm::tlm_extension_base& other) override {
        *this = dynamic_cast<const AccessTag&>(other);
    }
    void free() override {}

    std::int32_t context = 0;
    bool exchanges = false;
    bool prefetches = false;
    bool only_loads = false;
    std::optional<FetchOperation> fetch{};
    FullEmptyUse full_empty;
};

}  // namespace weir::hw
