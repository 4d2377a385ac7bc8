#include "firmware/sparcle/images.h"

#define WEIR_IMAGE(name, symbol)            \
    extern "C" const std::uint8_t symbol[]; \
    extern "C" const std::uint8_t symbol##_end[];
#include "firmware/sparcle/image_table.h"
#undef WEIR_IMAGE

namespace weir::firmware {

std::span<const std::uint8_t> built_in_image(std::string_view name) {
#define WEIR_IMAGE(image, symbol)      \
    if (name == (image)) {             \
        return {symbol, symbol##_end}; \
    }
#include "firmware/sparcle/image_table.h"
#undef WEIR_IMAGE
    return {};
}

}  // namespace weir::firmware
