#include "experiments/kinds/kernel/host_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string_view>
#include <system_error>

#include "experiments/records/run_file.h"
#include "experiments/setup/files/permissions.h"
#include "hw/input_limits.h"
#include "nodes/programming/processor.h"

namespace weir::experiments::kinds {

namespace fs = std::filesystem;

namespace {

constexpr std::uint32_t kFromHere = 1;
constexpr std::uint32_t kFromEnd = 2;

bool is_console(std::uint32_t number) {
    return number == WEIR_FILE_CONSOLE || number == WEIR_FILE_ERRORS;
}

// Number of the file that is open from the start and has this name.
std::optional<std::int32_t> number_of_device(const std::string& name) {
    static constexpr std::array<std::pair<std::string_view, std::int32_t>, 4> kDevices{
        {{"/dev/stdin", WEIR_FILE_INPUT},
         {"/dev/stdout", WEIR_FILE_CONSOLE},
         {"/dev/stderr", WEIR_FILE_ERRORS},
         {"/dev/tty", WEIR_FILE_CONSOLE}}};
    const auto* const found = std::find_if(
        kDevices.begin(), kDevices.end(), [&](const auto& device) { return device.first == name; });
    return found == kDevices.end() ? std::nullopt : std::optional(found->second);
}

std::uint32_t word_at(const std::uint8_t* bytes) {
    return std::uint32_t{bytes[0]} << 24 | std::uint32_t{bytes[1]} << 16 |
           std::uint32_t{bytes[2]} << 8 | bytes[3];
}

/// A file that has been found under its name. Its path stays that of the same file, even if another
/// process changes the names in the meantime.
class FoundFile {
  public:
    explicit FoundFile(const fs::path& path) : file_(::open(path.c_str(), O_PATH | O_CLOEXEC)) {}
    FoundFile(const FoundFile&) = delete;
    FoundFile& operator=(const FoundFile&) = delete;
    ~FoundFile() { ::close(file_); }

    /// Path by which the file can be opened; the path of no file if none was found.
    [[nodiscard]] fs::path path() const { return fmt::format("/proc/self/fd/{}", file_); }
    /// Path without symbolic links; empty if there is no file.
    [[nodiscard]] std::optional<fs::path> real_path() const {
        std::error_code absent;
        const fs::path real = fs::read_symlink(path(), absent);
        return absent ? std::nullopt : std::optional(real);
    }

  private:
    int file_;
};

}  // namespace

HostFiles::HostFiles(nodes::MemoryAccess& memory, std::int32_t node_count,
                     firmware::CompiledKernel::HostAccess access, Surroundings surroundings)
    : memory_(memory),
      access_(std::move(access)),
      surroundings_(std::move(surroundings)),
      processes_(static_cast<std::size_t>(node_count) * access_.processes_per_node) {
    if (access_.folder.empty()) {
        access_.folder = ".";
    }
    root_ = setup::resolved(access_.folder);
    if (!access_.input.empty()) {
        open_input();
    }
}

void HostFiles::open_input() {
    std::ifstream file(access_.input, std::ios::binary);
    const auto content = std::make_shared<std::string>(hw::text_of(file, hw::kHostFileLimits));
    if (!file.is_open() || content->size() > hw::kHostFileLimits.bytes) {
        throw firmware::InputFault(
            "workload.stdin",
            fmt::format(R"(found "{}", which cannot be read or is too large)",
                        access_.input.string()),
            fmt::format("a file of at most {} bytes", hw::kHostFileLimits.bytes));
    }
    for (Process& process : processes_) {
        process.open.emplace(WEIR_FILE_INPUT, OpenFile{.content = content, .reads = true});
    }
}

void HostFiles::call(hw::NodeId node, std::uint32_t address) {
    constexpr std::uint32_t kWordBytes = 4;
    const std::vector<std::uint8_t> asked = bytes_at(node, address, WEIR_CALL_WORDS * kWordBytes);
    Words words{};
    for (std::size_t i = 0; i < words.size(); ++i) {
        words[i] = word_at(&asked[i * kWordBytes]);
    }
    const Answer answered = answer(node, words);
    const double cycles = static_cast<double>(access_.call_cycles) +
                          std::ceil(access_.cycles_per_byte * answered.bytes);
    const std::array<std::uint32_t, 3> answers{
        answered.error != 0 ? ~std::uint32_t{0} : static_cast<std::uint32_t>(answered.result),
        answered.error, static_cast<std::uint32_t>(std::min(cycles, double{INT32_MAX}))};
    static_assert(WEIR_CALL_ERROR == WEIR_CALL_RESULT + 1 &&
                  WEIR_CALL_CYCLES == WEIR_CALL_RESULT + 2);
    std::array<std::uint8_t, answers.size() * kWordBytes> bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        bytes[i] = static_cast<std::uint8_t>(answers[i / kWordBytes] >> (24 - 8 * (i % 4)));
    }
    check(node, address + WEIR_CALL_RESULT * kWordBytes, bytes.size(), true);
    memory_.write_memory(node, address + WEIR_CALL_RESULT * kWordBytes, bytes);
}

HostFiles::Answer HostFiles::answer(hw::NodeId node, const Words& call) {
    const std::uint32_t number = call[WEIR_CALL_ARGUMENT];
    switch (call[WEIR_CALL_OPERATION]) {
        case WEIR_CALL_OPEN:
            return open(node, call);
        case WEIR_CALL_READ:
            return read(node, call);
        case WEIR_CALL_WRITE:
            return write(node, call);
        case WEIR_CALL_SEEK:
            return seek(node, call);
        case WEIR_CALL_CLOSE: {
            const bool was_open =
                files_of(node).open.erase(static_cast<std::int32_t>(number)) != 0 ||
                number < WEIR_FIRST_FILE;
            return {.error = was_open ? 0U : WEIR_ERROR_BAD_FILE};
        }
        case WEIR_CALL_REMOVE:
            return remove(node, call);
        case WEIR_CALL_REFUSE:
            throw nodes::ProgramFault(
                surroundings_.place(node, number) +
                " is called by a handler, and is not reentrant; accepted: functions without static "
                "state, as in string.h (firmware/README.md)");
        case WEIR_CALL_FAULT:
            end_by_fault(node, call);
        case WEIR_CALL_SIZE: {
            const OpenFile* const file = find(node, number);
            return file == nullptr
                       ? Answer{.error = WEIR_ERROR_BAD_FILE}
                       : Answer{.result = static_cast<std::int32_t>(file->content->size())};
        }
        default:
            return {.error = WEIR_ERROR_BAD_ARGUMENT};
    }
}

std::int32_t HostFiles::free_number(const Process& own) {
    std::int32_t number = WEIR_FIRST_FILE;
    while (own.open.contains(number)) {
        ++number;
    }
    return number;
}

bool HostFiles::has_too_many(const Process& own) {
    return free_number(own) >= WEIR_FIRST_FILE + WEIR_MOST_FILES;
}

HostFiles::Answer HostFiles::add(Process& own, OpenFile file) {
    const std::int32_t number = free_number(own);
    own.open.emplace(number, std::move(file));
    return {.result = number};
}

std::string HostFiles::name_at(hw::NodeId node, std::uint32_t address, std::uint32_t bytes) {
    const std::vector<std::uint8_t> name = bytes_at(node, address, bytes);
    return {name.begin(), name.end()};
}

std::string HostFiles::own_name(hw::NodeId node, const std::string& name) const {
    refuse_outside(node, name);
    return fs::path(name).lexically_normal().string();
}

HostFiles::Answer HostFiles::open(hw::NodeId node, const Words& call) {
    const std::uint32_t name_bytes = call[WEIR_CALL_ARGUMENT + 1];
    const std::uint32_t flags = call[WEIR_CALL_ARGUMENT + 2];
    const std::uint32_t access = flags & WEIR_OPEN_ACCESS;
    if (name_bytes > WEIR_MOST_NAME_BYTES) {
        return {.error = WEIR_ERROR_NAME_TOO_LONG};
    }
    if (name_bytes == 0) {
        return {.error = WEIR_ERROR_NO_FILE};
    }
    if (access == WEIR_OPEN_ACCESS) {
        return {.error = WEIR_ERROR_BAD_ARGUMENT};
    }
    const std::string given = name_at(node, call[WEIR_CALL_ARGUMENT], name_bytes);
    Process& own = files_of(node);
    if (const auto number = number_of_device(given)) {
        return {.result = *number};
    }
    if (given == "/dev/null") {
        return has_too_many(own) ? Answer{.error = WEIR_ERROR_TOO_MANY}
                                 : add(own, {.content = std::make_shared<std::string>(),
                                             .reads = access != 1,
                                             .writes = access != 0,
                                             .keeps_nothing = true});
    }
    const std::string name = own_name(node, given);
    if (name.ends_with('/') || name == ".") {
        return {.error = WEIR_ERROR_FOLDER};
    }
    if (has_too_many(own)) {
        return {.error = WEIR_ERROR_TOO_MANY};
    }
    OpenFile file{
        .reads = access != 1, .writes = access != 0, .appends = (flags & WEIR_OPEN_APPEND) != 0};
    const auto written = own.written.find(name);
    std::uint32_t error = 0;
    if (written != own.written.end()) {
        file.content = written->second;
    } else {
        std::tie(file.content, error) = host_file(node, name);
    }
    if (file.content == nullptr &&
        (error != WEIR_ERROR_NO_FILE || !file.writes || (flags & WEIR_OPEN_CREATE) == 0)) {
        return {.error = error};
    }
    if (file.content != nullptr && (flags & WEIR_OPEN_CREATE) != 0 &&
        (flags & WEIR_OPEN_NEW) != 0) {
        return {.error = WEIR_ERROR_THERE};
    }
    const auto is_folder_of = [](const std::string& folder, const std::string& inner) {
        return inner.starts_with(folder) && inner.size() > folder.size() &&
               inner[folder.size()] == '/';
    };
    if (file.content == nullptr &&
        std::any_of(own.written.begin(), own.written.end(), [&](const auto& other) {
            return is_folder_of(other.first, name) || is_folder_of(name, other.first);
        })) {
        return {.error = WEIR_ERROR_NO_FILE};
    }
    if (file.writes && written == own.written.end()) {
        file.content = std::make_shared<std::string>(file.content ? *file.content : "");
        own.written.emplace(name, file.content);
    }
    if (file.writes && (flags & WEIR_OPEN_EMPTY) != 0) {
        file.content->clear();
    }
    return add(own, std::move(file));
}

HostFiles::Answer HostFiles::remove(hw::NodeId node, const Words& call) {
    const std::uint32_t name_bytes = call[WEIR_CALL_ARGUMENT + 1];
    if (name_bytes > WEIR_MOST_NAME_BYTES) {
        return {.error = WEIR_ERROR_NAME_TOO_LONG};
    }
    const std::string name = own_name(node, name_at(node, call[WEIR_CALL_ARGUMENT], name_bytes));
    if (host_file(node, name).second != WEIR_ERROR_NO_FILE) {
        return {.error = WEIR_ERROR_READ_ONLY};
    }
    return {.error = files_of(node).written.erase(name) != 0 ? 0U : WEIR_ERROR_NO_FILE};
}

HostFiles::Answer HostFiles::read(hw::NodeId node, const Words& call) {
    OpenFile* const file = find(node, call[WEIR_CALL_ARGUMENT]);
    if (file == nullptr && call[WEIR_CALL_ARGUMENT] == WEIR_FILE_INPUT) {
        return {};
    }
    if (file == nullptr || !file->reads) {
        return {.error = WEIR_ERROR_BAD_FILE};
    }
    const std::string& content = *file->content;
    const std::size_t left = content.size() - std::min(content.size(), file->place);
    const std::size_t count = std::min<std::size_t>(left, call[WEIR_CALL_ARGUMENT + 2]);
    if (count == 0) {
        return {};
    }
    check(node, call[WEIR_CALL_ARGUMENT + 1], count, true);
    memory_.write_memory(
        node, call[WEIR_CALL_ARGUMENT + 1],
        {reinterpret_cast<const std::uint8_t*>(content.data()) + file->place, count});
    file->place += count;
    return {.result = static_cast<std::int32_t>(count), .bytes = static_cast<std::uint32_t>(count)};
}

HostFiles::Answer HostFiles::write(hw::NodeId node, const Words& call) {
    const std::uint32_t number = call[WEIR_CALL_ARGUMENT];
    const std::uint32_t count = call[WEIR_CALL_ARGUMENT + 2];
    OpenFile* const file = find(node, number);
    if (!is_console(number) && (file == nullptr || !file->writes)) {
        return {.error = WEIR_ERROR_BAD_FILE};
    }
    const std::size_t end =
        is_console(number) ? count : (file->appends ? file->content->size() : file->place) + count;
    if (end > hw::kHostFileLimits.bytes) {
        return {.error = WEIR_ERROR_TOO_LARGE};
    }
    const std::vector<std::uint8_t> bytes = bytes_at(node, call[WEIR_CALL_ARGUMENT + 1], count);
    if (is_console(number)) {
        for (const std::uint8_t byte : bytes) {
            surroundings_.console(node, static_cast<char>(byte));
        }
    } else if (!file->keeps_nothing) {
        std::string& content = *file->content;
        content.resize(std::max(content.size(), end));
        std::copy(bytes.begin(), bytes.end(),
                  content.begin() + static_cast<std::ptrdiff_t>(end - count));
        file->place = end;
    }
    return {.result = static_cast<std::int32_t>(count), .bytes = count};
}

HostFiles::Answer HostFiles::seek(hw::NodeId node, const Words& call) {
    const std::uint32_t from = call[WEIR_CALL_ARGUMENT + 2];
    OpenFile* const file = find(node, call[WEIR_CALL_ARGUMENT]);
    if (file == nullptr) {
        return {.error = call[WEIR_CALL_ARGUMENT] < WEIR_FIRST_FILE
                             ? std::uint32_t{WEIR_ERROR_NO_PLACE}
                             : std::uint32_t{WEIR_ERROR_BAD_FILE}};
    }
    std::int64_t place = static_cast<std::int32_t>(call[WEIR_CALL_ARGUMENT + 1]);
    if (from == kFromHere) {
        place += static_cast<std::int64_t>(file->place);
    } else if (from == kFromEnd) {
        place += static_cast<std::int64_t>(file->content->size());
    }
    if (from > kFromEnd || place < 0 || place > INT32_MAX) {
        return {.error = WEIR_ERROR_BAD_ARGUMENT};
    }
    file->place = place;
    return {.result = static_cast<std::int32_t>(place)};
}

void HostFiles::end_by_fault(hw::NodeId node, const Words& call) {
    constexpr std::uint32_t kWordBytes = 4;
    const std::string asked = text_at(node, call[WEIR_CALL_ARGUMENT]);
    std::uint32_t value_at = call[WEIR_CALL_ARGUMENT + 1];
    std::string text;
    for (std::size_t i = 0; i < asked.size(); ++i) {
        const char kind = asked[i] == '%' && i + 1 < asked.size() ? asked[i + 1] : '\0';
        if (kind != 'd' && kind != 's') {
            text += asked[i];
            continue;
        }
        const std::uint32_t value = word_at(bytes_at(node, value_at, kWordBytes).data());
        value_at += kWordBytes;
        text += kind == 'd' ? fmt::format("{}", static_cast<std::int32_t>(value))
                            : text_at(node, value);
        ++i;
    }
    throw nodes::ProgramFault(surroundings_.fault ? surroundings_.fault(node, text) : text);
}

std::string HostFiles::text_at(hw::NodeId node, std::uint32_t address) {
    std::string text;
    while (text.size() < WEIR_MOST_FAULT_BYTES) {
        const auto byte = bytes_at(node, address + static_cast<std::uint32_t>(text.size()), 1)[0];
        if (byte == 0) {
            break;
        }
        text += byte < ' ' || byte > '~' ? '?' : static_cast<char>(byte);
    }
    return text;
}

HostFiles::OpenFile* HostFiles::find(hw::NodeId node, std::uint32_t number) {
    auto& open = files_of(node).open;
    const auto found = open.find(static_cast<std::int32_t>(number));
    return found == open.end() ? nullptr : &found->second;
}

std::pair<HostFiles::Content, std::uint32_t> HostFiles::host_file(hw::NodeId node,
                                                                  const std::string& name) {
    if (const auto known = read_.find(name); known != read_.end()) {
        return {known->second, 0};
    }
    const FoundFile found(root_ / name);
    const std::optional<fs::path> real_path = found.real_path();
    if (real_path && !setup::is_inside(*real_path, root_)) {
        fail_outside(node, name);
    }
    std::error_code unknown;
    if (fs::is_directory(found.path(), unknown)) {
        return {nullptr, WEIR_ERROR_FOLDER};
    }
    std::ifstream file;
    if (fs::is_regular_file(found.path(), unknown)) {
        file.open(found.path(), std::ios::binary);
    }
    if (!file.is_open()) {
        return {nullptr, WEIR_ERROR_NO_FILE};
    }
    std::string text = hw::text_of(file, hw::kHostFileLimits);
    if (text.size() > hw::kHostFileLimits.bytes) {
        return {nullptr, WEIR_ERROR_TOO_LARGE};
    }
    return {read_.emplace(name, std::make_shared<std::string>(std::move(text))).first->second, 0};
}

void HostFiles::refuse_outside(hw::NodeId node, const std::string& name) const {
    const fs::path path = fs::path(name).lexically_normal();
    bool is_inside = path.is_relative() && name.find('\0') == std::string::npos &&
                     (path.empty() || *path.begin() != "..");
    if (is_inside) {
        std::error_code unknown;
        static_cast<void>(fs::weakly_canonical(root_ / path, unknown));  // refuses circular links
        is_inside = !unknown && setup::is_inside(root_ / path, root_);
    }
    if (!is_inside) {
        fail_outside(node, name);
    }
}

void HostFiles::fail_outside(hw::NodeId node, const std::string& name) const {
    throw firmware::InputFault(
        "workload.files",
        fmt::format(R"(the program of node {} opens "{}", which is outside the folder "{}")",
                    node.index(), name, access_.folder.string()),
        "names of files in that folder, or another folder by --files");
}

std::vector<std::uint8_t> HostFiles::bytes_at(hw::NodeId node, std::uint32_t address,
                                              std::uint32_t count) {
    std::vector<std::uint8_t> bytes(count);
    if (count != 0) {
        check(node, address, count, false);
        memory_.read_memory(node, address, bytes);
    }
    return bytes;
}

void HostFiles::check(hw::NodeId node, std::uint32_t address, std::size_t bytes,
                      bool is_store) const {
    if (surroundings_.check) {
        surroundings_.check(node, address, bytes, is_store);
    }
}

void HostFiles::write(const fs::path& folder) const {
    const char* const kind = access_.processes_per_node == 1 ? "node" : "rank";
    for (std::size_t process = 0; process < processes_.size(); ++process) {
        for (const auto& [name, content] : processes_[process].written) {
            const fs::path path = folder / "files" / fmt::format("{}-{}", kind, process) / name;
            std::error_code refused;  // ignored, because writing the file then fails with a message
            fs::create_directories(path.parent_path(), refused);
            records::write_run_file(path, *content);
        }
    }
}

}  // namespace weir::experiments::kinds
