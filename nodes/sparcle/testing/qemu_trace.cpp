#include "nodes/sparcle/testing/qemu_trace.h"

#include <fcntl.h>
#include <sys/prctl.h>
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

// Upper bound of a state's size in the log; most have about 900.
constexpr std::uint64_t kBytesOfState = 1000;
constexpr unsigned kMostSeconds = 200;

void write_file(const std::filesystem::path& path, std::span<const std::uint8_t> bytes) {
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
}

/// Reads the next hexadecimal number, and removes it from `text`.
std::uint64_t number(std::string_view& text) {
    while (!text.empty() && text.front() == ' ') {
        text.remove_prefix(1);
    }
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
    if (error != std::errc()) {
        throw std::runtime_error("no number in qemu's log: " + std::string(text));
    }
    text.remove_prefix(end - text.data());
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

QemuTrace::QemuTrace(const BigEndianMemory& image, std::uint32_t boot, std::uint64_t most_states) {
    write_file(folder_.path() / "memory", image.bytes());
    // qemu starts in PROM, at 0.
    BigEndianMemory prom(0, 16);
    prom.set_word(0, sethi(g(1), boot));
    prom.set_word(4,
                  operation_immediate(kJmplOp3, 0, g(1), static_cast<std::int32_t>(boot & 0x3ff)));
    prom.set_word(8, kNop);
    write_file(folder_.path() / "prom", prom.bytes());
    const pid_t process = fork();
    if (process == 0) {
        start(static_cast<std::uint32_t>(image.bytes().size()), most_states);
    }
    waitpid(process, nullptr, 0);
    log_ = std::fopen((folder_.path() / "states").c_str(), "r");
    if (log_ == nullptr) {
        throw std::runtime_error("qemu-system-sparc noted nothing: " + said());
    }
}

// Runs in qemu's process.
void QemuTrace::start(std::uint32_t bytes, std::uint64_t most_states) const {
    const std::string memory_option =
        "memory-backend-file,id=ram,share=on,size=" + std::to_string(bytes) +
        ",mem-path=" + (folder_.path() / "memory").string();
    const std::string megabytes = std::to_string(bytes >> 20) + "M";
    const std::string prom_file = (folder_.path() / "prom").string();
    const std::string states_file = (folder_.path() / "states").string();
    const std::string said_file = (folder_.path() / "said").string();
    // A fault of the emulated program aborts qemu: no core dump. A program that does not end is
    // stopped by the size limit of its log, or by the alarm if its processor has halted.
    const rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
    const rlimit largest{most_states * kBytesOfState, most_states * kBytesOfState};
    setrlimit(RLIMIT_FSIZE, &largest);
    alarm(kMostSeconds);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int said = open(said_file.c_str(), O_CREAT | O_WRONLY, 0600);
    dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
    dup2(said, STDOUT_FILENO);
    dup2(said, STDERR_FILENO);
    execlp("qemu-system-sparc", "qemu-system-sparc", "-M", "leon3_generic,memory-backend=ram",
           "-object", memory_option.c_str(), "-m", megabytes.c_str(), "-bios", prom_file.c_str(),
           "-nodefaults", "-nographic", "-singlestep", "-d", "cpu,fpu,nochain", "-D",
           states_file.c_str(), nullptr);
    std::perror("qemu-system-sparc");
    _exit(127);
}

QemuTrace::~QemuTrace() { std::fclose(log_); }

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
        }
    }
    return false;
}

std::string QemuTrace::text_of(const char* name) const {
    std::ifstream file(folder_.path() / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace weir::nodes::sparcle::testing
