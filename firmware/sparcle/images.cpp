#include "firmware/sparcle/images.h"

#define WEIR_IMAGE(name, symbol)            \
    extern "C" const std::uint8_t symbol[]; \
    extern "C" const std::uint8_t symbol##_end[];
#include "firmware/sparcle/image_table.h"
#undef WEIR_IMAGE

#ifdef WEIR_IMAGE_FOLDER
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "firmware/kernel.h"
#include "hw/text_streams.h"
#endif

namespace weir::firmware {

#ifdef WEIR_IMAGE_FOLDER
namespace {

// The images are files of the build folder, which ./weir compiles when one is first needed.
std::span<const std::uint8_t> image_of_file(const std::string& name) {
    static std::mutex mutex;
    static std::map<std::string, std::vector<std::uint8_t>> images;
    const std::lock_guard<std::mutex> lock(mutex);
    std::vector<std::uint8_t>& image = images[name];
    if (image.empty()) {
        if (!std::filesystem::exists(WEIR_IMAGE_FOLDER "images.made") &&
            std::system(WEIR_IMAGE_MAKER " >&2") != 0) {
            throw InputFault("workload", "Weir's Sparcle program \"" + name + "\" is not compiled",
                             "a call of " WEIR_IMAGE_MAKER " that ends well");
        }
        hw::FileReader file(WEIR_IMAGE_FOLDER + name + ".elf");
        image.assign(std::istreambuf_iterator<char>(file), {});
    }
    return image;
}

}  // namespace
#endif

std::span<const std::uint8_t> built_in_image(std::string_view name) {
#ifdef WEIR_IMAGE_FOLDER
#define WEIR_IMAGE(image, symbol)                \
    if (name == (image)) {                       \
        return image_of_file(std::string(name)); \
    }
#else
#define WEIR_IMAGE(image, symbol)      \
    if (name == (image)) {             \
        return {symbol, symbol##_end}; \
    }
#endif
#include "firmware/sparcle/image_table.h"
#undef WEIR_IMAGE
    return {};
}

}  // namespace weir::firmware
