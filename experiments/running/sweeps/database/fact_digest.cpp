#include "experiments/running/sweeps/database/fact_digest.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <cerrno>
#include <fstream>
#include <memory>
#include <new>
#include <vector>

#include "experiments/setup/surroundings_fault.h"

namespace weir::experiments::running {

namespace {

std::string digits_of(const XXH128_hash_t& hash) {
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

}  // namespace

void FactDigest::add(std::string_view text) {
    bytes_ += fmt::format("{}:", text.size());
    bytes_ += text;
}

std::string FactDigest::hex() const {
    return digits_of(XXH3_128bits(bytes_.data(), bytes_.size()));
}

std::string file_digest(const std::filesystem::path& file) {
    struct Free {
        void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
    };
    constexpr std::size_t kBlockBytes = 1 << 20;
    const std::unique_ptr<XXH3_state_t, Free> state(XXH3_createState());
    if (state == nullptr) {
        throw std::bad_alloc();
    }
    XXH3_128bits_reset(state.get());
    std::ifstream in(file, std::ios::binary);
    std::vector<char> block(kBlockBytes);
    while (in) {
        in.read(block.data(), kBlockBytes);
        XXH3_128bits_update(state.get(), block.data(), in.gcount());
    }
    if (!in.eof()) {
        throw setup::SurroundingsFault(file.string(), setup::system_reason(errno));
    }
    return digits_of(XXH3_128bits_digest(state.get()));
}

}  // namespace weir::experiments::running
