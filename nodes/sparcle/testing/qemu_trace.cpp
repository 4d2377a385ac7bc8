#include "nodes/sparcle/testing/qemu_trace.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <charconv>
#include <csignal>
#include <fstream>
#include <stdexcept>

#include "nodes/sparcle/testing/assembler.h"

namespace weir::nodes::sparcle::testing {

namespace {

void write_file(const std::filesystem::path& path, std::span<const std::uint8_t> bytes) {
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
}

/// The next hexadecimal number of `text`, which is shortened.
std::uint64_t number(std::string_view& text) {
    while (!text.empty() && text.front() == ' ') {
        text.remove_prefix(1);
    }
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
    if (error != std::errc()) {
        throw std::runtime_error("no number in qemu's log: " + std::string(text));
    }
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return value;
}

std::uint32_t number_after(std::string_view line, std::string_view name) {
    const std::size_t at = line.find(name);
    if (at == std::string_view::npos) {
        throw std::runtime_error("no " + std::string(name) +
                                 " in qemu's log: " + std::string(line));
    }
    line.remove_prefix(at + name.size());
    return static_cast<std::uint32_t>(number(line));
}

}  // namespace

QemuTrace::QemuTrace(const BigEndianMemory& image) {
    std::string name = (std::filesystem::temp_directory_path() / "sparcle-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
        throw std::runtime_error("no temporary folder");
    }
    folder_ = name;
    write_file(folder_ / "memory", image.bytes());
    // qemu starts in PROM, at 0.
    BigEndianMemory prom(0, 16);
    prom.set_word(0, sethi(g(1), RandomProgram::kEntry));
    prom.set_word(4, operation_immediate(kJmplOp3, 0, g(1), 0));
    prom.set_word(8, kNop);
    write_file(folder_ / "prom", prom.bytes());
    const std::string bytes = std::to_string(image.bytes().size());
    const std::string memory_option = "memory-backend-file,id=ram,share=on,size=" + bytes +
                                      ",mem-path=" + (folder_ / "memory").string();
    const std::string megabytes = std::to_string(image.bytes().size() >> 20) + "M";
    const std::string prom_file = (folder_ / "prom").string();
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) {
        throw std::runtime_error("no pipe");
    }
    process_ = fork();
    if (process_ == 0) {
        // A fault of the emulated program is an abort there: no core dump.
        const rlimit none{0, 0};
        setrlimit(RLIMIT_CORE, &none);
        dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
        dup2(ends[1], STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        execlp("qemu-system-sparc", "qemu-system-sparc", "-M", "leon3_generic,memory-backend=ram",
               "-object", memory_option.c_str(), "-m", megabytes.c_str(), "-bios",
               prom_file.c_str(), "-nodefaults", "-nographic", "-singlestep", "-d",
               "cpu,fpu,nochain", nullptr);
        std::perror("qemu-system-sparc");
        _exit(127);
    }
    close(ends[1]);
    log_ = fdopen(ends[0], "r");
}

QemuTrace::~QemuTrace() {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
    std::fclose(log_);
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
}

bool QemuTrace::read_line() {
    if (std::fgets(buffer_.data(), buffer_.size(), log_) == nullptr) {
        return false;
    }
    line_ = buffer_.data();
    return true;
}

bool QemuTrace::next(LoggedState& state) {
    while (read_line()) {
        if (line_.starts_with("pc: ")) {
            state.pc = number_after(line_, "pc: ");
            state.npc = number_after(line_, "npc: ");
        } else if (line_.starts_with('%')) {
            const bool is_float = line_[1] == 'f';
            std::string_view rest = line_.substr(line_.find(':') + 1);
            if (is_float) {
                const auto first = static_cast<unsigned>((line_[2] - '0') * 10 + line_[3] - '0');
                for (unsigned k = first; k < first + 8; k += 2) {
                    const std::uint64_t pair = number(rest);
                    state.floats[k] = static_cast<std::uint32_t>(pair >> 32);
                    state.floats[k + 1] = static_cast<std::uint32_t>(pair);
                }
                continue;
            }
            constexpr std::string_view kGroups = "goli";
            const auto first = static_cast<unsigned>(kGroups.find(line_[1])) * 8;
            for (unsigned k = first; k < first + 8; ++k) {
                state.registers[k] = static_cast<std::uint32_t>(number(rest));
            }
        } else if (line_.starts_with("psr: ")) {
            state.psr = number_after(line_, "psr: ");
            state.wim = number_after(line_, "wim: ");
        } else if (line_.starts_with("fsr: ")) {
            state.fsr = number_after(line_, "fsr: ");
            state.y = number_after(line_, "y: ");
            return true;
        } else if (line_ != "\n") {
            said_ += line_;
        }
    }
    return false;
}

std::vector<std::uint8_t> QemuTrace::memory() const {
    std::ifstream file(folder_ / "memory", std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace weir::nodes::sparcle::testing
