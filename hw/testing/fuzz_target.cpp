#include "hw/testing/fuzz_target.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "hw/refusal.h"

namespace weir::hw::testing {

namespace {

std::vector<const FuzzTarget*>& all_targets() {
    static std::vector<const FuzzTarget*> targets;
    return targets;
}

}  // namespace

FuzzTarget::FuzzTarget(Declaration declaration) : declaration_(std::move(declaration)) {
    std::vector<const FuzzTarget*>& targets = all_targets();
    const auto after = std::find_if(targets.begin(), targets.end(), [this](const FuzzTarget* each) {
        return each->name() > name();
    });
    targets.insert(after, this);
}

std::string FuzzTarget::read(const std::string& input) const {
    try {
        declaration_.read(input);
    } catch (const Refusal& refusal) {
        require_sound_message(refusal.what());
        return refusal.what();
    }
    return {};
}

const std::vector<const FuzzTarget*>& fuzz_targets() { return all_targets(); }

const FuzzTarget* find_fuzz_target(std::string_view name) {
    const auto& targets = fuzz_targets();
    const auto found = std::find_if(targets.begin(), targets.end(), [name](const FuzzTarget* each) {
        return each->name() == name;
    });
    return found == targets.end() ? nullptr : *found;
}

void note_seed(std::string_view target, std::string_view input) {
    const char* const folder = std::getenv("WEIR_SEEDS");
    if (folder == nullptr) {
        return;
    }
    const std::filesystem::path path = std::filesystem::path(folder) / target;
    std::filesystem::create_directories(path);
    std::ofstream(path / ("test-" + std::to_string(std::hash<std::string_view>{}(input))),
                  std::ios::binary)
        << input;
}

void require_sound_message(std::string_view message) {
    constexpr std::size_t kMostBytes = 4'000;
    if (message.empty() || message.size() > kMostBytes || shown(message) != message) {
        throw std::logic_error("a message of " + std::to_string(message.size()) +
                               " bytes is empty, long or not as it is shown: " +
                               std::string(message.substr(0, kMostBytes)));
    }
}

Mutator::Mutator(std::vector<std::string> seeds, std::vector<std::string> words, std::uint64_t seed)
    : seeds_(std::move(seeds)), words_(std::move(words)), random_(seed) {
    for (const char* number : {"0", "-1", "1e308", "9223372036854775807", "18446744073709551616"}) {
        words_.emplace_back(number);
    }
}

std::size_t Mutator::below(std::size_t count) { return count == 0 ? 0 : random_() % count; }

std::string Mutator::next() {
    std::string text = seeds_[below(seeds_.size())];
    constexpr std::size_t kMostChanges = 6;
    for (std::size_t changes = 1 + below(kMostChanges); changes > 0; --changes) {
        change(text);
    }
    return text;
}

void Mutator::change(std::string& text) {
    constexpr std::size_t kLongestPiece = 64;
    const std::size_t at = below(text.size() + 1);
    const std::size_t size = std::min(text.size() - at, 1 + below(kLongestPiece));
    switch (below(7)) {
        case 0:
            if (at < text.size()) {
                text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
            }
            break;
        case 1:
            text.insert(at, 1, static_cast<char>(below(256)));
            break;
        case 2:
            text.erase(at, size);
            break;
        case 3: {
            const std::string piece = text.substr(at, size);
            for (std::size_t times = 1 + below(8); times > 0; --times) {
                text.insert(at, piece);
            }
            break;
        }
        case 4: {
            const std::string& other = seeds_[below(seeds_.size())];
            text.insert(at, other.substr(below(other.size() + 1), size));
            break;
        }
        case 5:
            text.replace(at, below(2) * size, words_[below(words_.size())]);
            break;
        default:
            text.resize(at);
            break;
    }
}

// A folder in memory if the system has one; else the folder of temporary files.
std::filesystem::path InputFile::fast_place() {
    const std::filesystem::path memory = "/dev/shm";
    std::error_code unknown;
    return std::filesystem::is_directory(memory, unknown) ? memory
                                                          : std::filesystem::temp_directory_path();
}

InputFile::InputFile(std::string_view name) : folder_(fast_place()), path_(folder_.path() / name) {}

void InputFile::write(std::string_view bytes) const {
    std::ofstream(path_, std::ios::binary | std::ios::trunc)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace weir::hw::testing
