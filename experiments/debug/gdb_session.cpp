#include "experiments/debug/gdb_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <system_error>
#include <vector>

#include "experiments/debug/hexadecimal.h"

namespace weir::experiments::debug {

namespace {

constexpr const char* kOk = "OK";
constexpr const char* kUnknown = "";
constexpr const char* kBadPacket = "E01";  // the packet is malformed
constexpr const char* kRefused = "E02";
constexpr const char* kBadAddress = "E0e";  // EFAULT
constexpr int kAnyThread = 0;
constexpr int kAllThreads = -1;
// Largest content of a packet in bytes: 256 packets carry a megabyte of memory in binary.
constexpr std::size_t kPacketBytes = 0x4000;
constexpr std::size_t kWordDigits = 8;

constexpr int kSignalInterrupt = 2;
constexpr int kSignalIllegal = 4;
constexpr int kSignalTrap = 5;

constexpr const char* kTargetDescription =
    "<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM \"gdb-target.dtd\">"
    "<target version=\"1.0\"><architecture>sparc</architecture></target>";

bool starts_with(std::string_view text, std::string_view start) {
    return text.substr(0, start.size()) == start;
}

// Splits at the first `separator`, which is left out. Without a separator, all of `text` is the
// first part.
std::pair<std::string_view, std::string_view> cut(std::string_view text, char separator) {
    const auto at = text.find(separator);
    if (at == std::string_view::npos) {
        return {text, {}};
    }
    return {text.substr(0, at), text.substr(at + 1)};
}

// Address range, written as "address,length".
struct Range {
    std::uint32_t address = 0;
    std::size_t bytes = 0;

    // Addresses have 32 bits.
    [[nodiscard]] std::size_t bytes_to_end() const { return (std::size_t{1} << 32) - address; }
};

std::optional<Range> range_of(std::string_view text) {
    const auto [first, second] = cut(text, ',');
    const auto address = number_from_hex(first);
    const auto bytes = number_from_hex(second);
    if (!address || !bytes || *address > UINT32_MAX) {
        return std::nullopt;
    }
    return Range{static_cast<std::uint32_t>(*address), static_cast<std::size_t>(*bytes)};
}

const char* watch_name(StopPoint::Kind kind) {
    switch (kind) {
        case StopPoint::Kind::kRead:
            return "rwatch";
        case StopPoint::Kind::kAccess:
            return "awatch";
        default:
            return "watch";
    }
}

}  // namespace

Resume GdbSession::stopped(const Stop& stop) {
    stop_ = stop;
    selected_ = stop.node;
    resume_ = {};
    if (asked_) {
        const auto text = answer(*std::exchange(asked_, std::nullopt));
        if (!text) {
            return resume_;
        }
        connection_.send(*text);
    } else if (std::exchange(goes_to_cycle_, false)) {
        connection_.send(hex_of(arrival()));
    } else if (is_told_of_stops_) {
        connection_.send(stop_reply());
    }
    is_told_of_stops_ = true;
    do {
        while (const auto packet = connection_.receive()) {
            if (looks_at_step(*packet)) {
                owes_step_ = false;
                asked_ = packet;
                return {.how = Resume::How::kGo, .step = stop_.node, .nodes = {stop_.node}};
            }
            const auto text = answer(*packet);
            if (!text) {
                return resume_;
            }
            connection_.send(*text);
            if (*packet == "QStartNoAckMode") {
                connection_.stop_acknowledging();
            }
        }
        selected_ = stop_.node;
        breakpoints_.clear();
        owes_step_ = false;
    } while (reconnect_ && reconnect_());
    return {.how = Resume::How::kKill};
}

void GdbSession::go_on(const std::vector<StopPoint>& points) {
    for (const StopPoint& point : points) {
        insert(point);
    }
    is_told_of_stops_ = true;
    goes_to_cycle_ = true;
}

void GdbSession::insert(const StopPoint& point) {
    if (point.kind <= StopPoint::Kind::kHardwareBreakpoint) {
        breakpoints_.insert(point.address);
    }
    target_.insert(point);
}

// Text that "monitor goto" prints when its cycle is reached.
std::string GdbSession::arrival() const {
    const char* why = "";
    if (stop_.why == Stop::Why::kFault) {
        why = ", where the program has a fault";
    } else if (stop_.why == Stop::Why::kEnd) {
        why = ", after which it executes nothing";
    } else if (stop_.why == Stop::Why::kInterrupt) {
        why = ", interrupted";
    }
    return fmt::format("cycle {}: node {}: {}{}\n", target_.cycle(stop_.node), stop_.node,
                       target_.state_of(stop_.node), why);
}

// Answer to a `monitor` command; nullopt if the machine has to run first, and the answer follows
// later.
std::optional<std::string> GdbSession::ask_monitor(const std::string& line) {
    constexpr std::string_view kGoTo = "goto";
    if (line == "refused") {
        return hex_of(refused_.empty() ? "no write was refused\n" : refused_ + "\n");
    }
    if (!starts_with(line, kGoTo)) {
        const std::string text = target_.monitor(line);
        return text.empty() ? kUnknown : hex_of(text);
    }
    const std::size_t begin = line.find_first_not_of(' ', kGoTo.size());
    std::int64_t cycle = -1;
    if (begin != std::string::npos) {
        const char* const end = line.data() + line.size();
        const auto read = std::from_chars(line.data() + begin, end, cycle);
        if (read.ec != std::errc() || read.ptr != end) {
            cycle = -1;
        }
    }
    if (cycle < 0) {
        return hex_of("monitor goto CYCLE: accepted is a whole number from 0 on\n");
    }
    owes_step_ = false;
    goes_to_cycle_ = true;
    resume_ = {.how = Resume::How::kGoTo, .go_to = cycle};
    return std::nullopt;
}

void GdbSession::print(std::string_view text) { connection_.send("O" + hex_of(text)); }

void GdbSession::exited(int status) {
    connection_.send("W" + hex_of_byte(static_cast<std::uint8_t>(status)));
}

std::optional<std::string> GdbSession::answer(const std::string& packet) {
    if (packet.empty()) {
        return kUnknown;
    }
    const std::string_view arguments = std::string_view(packet).substr(1);
    switch (packet.front()) {
        case '?':
            return stop_reply();
        case 'c':
            return go_from(arguments, std::nullopt);
        case 's':
            return go_from(arguments, selected_);
        case 'C':  // signals are ignored: nodes have none; an address may follow
            return go_from(cut(arguments, ';').second, std::nullopt);
        case 'S':
            return go_from(cut(arguments, ';').second, selected_);
        case 'D':
            connection_.send(kOk);
            return go(Resume::How::kDetach);
        case 'k':
            return go(Resume::How::kKill);
        case 'H':
            return select_thread(arguments);
        case 'T':
            return thread_of(arguments).value_or(kAnyThread) > kAnyThread ? kOk : kBadPacket;
        case 'g':
            return read_registers();
        case 'G':
            return write_registers(arguments);
        case 'p': {
            const auto number = number_from_hex(arguments);
            return number && *number < kRegisters ? hex_of_word(target_.read_register(
                                                        selected_, static_cast<unsigned>(*number)))
                                                  : kBadPacket;
        }
        case 'P': {
            const auto [name, digits] = cut(arguments, '=');
            const auto number = number_from_hex(name);
            const auto value = number_from_hex(digits);
            if (!number || *number >= kRegisters || !value || digits.size() != kWordDigits) {
                return kBadPacket;
            }
            return target_.write_register(selected_, static_cast<unsigned>(*number),
                                          static_cast<std::uint32_t>(*value))
                       ? kOk
                       : kRefused;
        }
        case 'm':
            return read_memory(arguments);
        case 'M':
            return write_memory(arguments, false);
        case 'X':
            return write_memory(arguments, true);
        case 'Z':
        case 'z':
            return stop_point(packet);
        case 'q':
        case 'Q':
            if (starts_with(packet, "qRcmd,")) {
                const auto line = bytes_from_hex(std::string_view(packet).substr(6));
                return line ? ask_monitor({line->begin(), line->end()}) : kBadPacket;
            }
            return query(packet);
        case 'v':
            if (packet == "vCont?") {
                return "vCont;c;C;s;S";
            }
            if (starts_with(packet, "vCont;")) {
                return resume_threads(std::string_view(packet).substr(6));
            }
            if (starts_with(packet, "vKill;")) {
                connection_.send(kOk);
                return go(Resume::How::kKill);
            }
            return kUnknown;
        default:
            return kUnknown;
    }
}

std::string GdbSession::query(const std::string& packet) {
    const auto [name, arguments] = cut(packet, ':');
    if (name == "qSupported") {
        return fmt::format("PacketSize={:x};QStartNoAckMode+;qXfer:features:read+;vContSupported+",
                           kPacketBytes);
    }
    if (packet == "QStartNoAckMode") {
        return kOk;
    }
    if (packet == "qAttached" || starts_with(packet, "qAttached:")) {
        return "0";  // the program was started for the debugger: gdb kills it when it quits
    }
    if (packet == "qC") {
        return fmt::format("QC{:x}", selected_ + 1);
    }
    if (packet == "qfThreadInfo") {
        std::string all;
        for (int node = 0; node < target_.node_count(); ++node) {
            all += fmt::format("{}{:x}", node == 0 ? 'm' : ',', node + 1);
        }
        return all;
    }
    if (packet == "qsThreadInfo") {
        return "l";
    }
    const auto [extra, thread] = cut(packet, ',');
    if (extra == "qThreadExtraInfo") {
        const int number = thread_of(thread).value_or(kAnyThread);
        return number > kAnyThread
                   ? hex_of(fmt::format("node {}, {}", number - 1, target_.state_of(number - 1)))
                   : kBadPacket;
    }
    if (name == "qXfer") {
        return transfer(arguments);
    }
    return kUnknown;
}

// Answers a qXfer packet, whose arguments are "features:read:target.xml:offset,length".
std::string GdbSession::transfer(std::string_view arguments) {
    constexpr std::string_view kFile = "features:read:target.xml:";
    if (!starts_with(arguments, kFile)) {
        return starts_with(arguments, "features:read:") ? "E00" : kUnknown;
    }
    const auto range = range_of(arguments.substr(kFile.size()));
    if (!range) {
        return kBadPacket;
    }
    const std::string_view file = kTargetDescription;
    const std::string_view rest = file.substr(std::min<std::size_t>(range->address, file.size()));
    return (range->bytes < rest.size() ? "m" : "l") + std::string(rest.substr(0, range->bytes));
}

std::string GdbSession::select_thread(std::string_view arguments) {
    const auto thread = arguments.empty() ? std::nullopt : thread_of(arguments.substr(1));
    if (!thread) {
        return kBadPacket;
    }
    if (arguments.front() == 'c' && *thread <= kAnyThread) {
        return kOk;  // resuming always resumes all nodes
    }
    if (*thread > kAnyThread) {
        selected_ = *thread - 1;
    }
    return kOk;
}

// Answers a vCont packet, whose actions are "action[:thread];...". gdb steps a SPARC by
// breakpoints, so a step may also arrive as "continue" for one thread.
std::optional<std::string> GdbSession::resume_threads(std::string_view actions) {
    std::optional<int> step;
    std::vector<int> nodes;
    bool all = false;
    while (!actions.empty()) {
        const auto [action, rest] = cut(actions, ';');
        actions = rest;
        const auto [what, name] = cut(action, ':');
        const auto thread = name.empty() ? std::optional(kAllThreads) : thread_of(name);
        if (what.empty() || !thread ||
            std::string_view("cCsS").find(what[0]) == std::string::npos) {
            return kBadPacket;
        }
        const int node = *thread > kAnyThread ? *thread - 1 : selected_;
        if ((what[0] == 's' || what[0] == 'S') && !step) {
            step = node;
        }
        all = all || *thread == kAllThreads;
        nodes.push_back(node);
    }
    return go(Resume::How::kGo, step, all ? std::vector<int>{} : nodes);
}

std::optional<std::string> GdbSession::go(Resume::How how, std::optional<int> step,
                                          std::vector<int> nodes) {
    if (how == Resume::How::kGo && stop_.why == Stop::Why::kFault) {
        return "E.the program cannot continue after its fault; only inspect or kill it";
    }
    if (how == Resume::How::kGo && !step && is_step_over(nodes)) {
        owes_step_ = true;
        return stepped_over_reply();
    }
    owes_step_ = false;
    resume_ = {how, step, std::move(nodes)};
    return std::nullopt;
}

std::optional<std::string> GdbSession::go_from(std::string_view address, std::optional<int> step) {
    if (!address.empty()) {
        const auto pc = number_from_hex(address);
        if (!pc || *pc > UINT32_MAX) {
            return kBadPacket;
        }
        if (!target_.write_register(selected_, kPc, static_cast<std::uint32_t>(*pc)) ||
            !target_.write_register(selected_, kNpc, static_cast<std::uint32_t>(*pc) + 4)) {
            return kRefused;
        }
    }
    return go(Resume::How::kGo, step);
}

std::string GdbSession::read_registers() {
    std::string digits;
    for (unsigned number = 0; number < kRegisters; ++number) {
        digits += hex_of_word(target_.read_register(selected_, number));
    }
    return digits;
}

std::string GdbSession::write_registers(std::string_view digits) {
    if (digits.size() != kRegisters * kWordDigits) {
        return kBadPacket;
    }
    std::vector<std::uint32_t> values;
    for (unsigned number = 0; number < kRegisters; ++number) {
        const auto value = number_from_hex(digits.substr(number * kWordDigits, kWordDigits));
        if (!value) {
            return kBadPacket;
        }
        values.push_back(static_cast<std::uint32_t>(*value));
    }
    // PSR first: its CWP field selects the window of the other registers.
    bool is_done = target_.write_register(selected_, kPsr, values[kPsr]);
    for (unsigned number = 0; number < kRegisters; ++number) {
        if (number != kPsr && !target_.write_register(selected_, number, values[number])) {
            is_done = false;
        }
    }
    return is_done ? kOk : kRefused;
}

std::string GdbSession::read_memory(std::string_view arguments) {
    const auto range = range_of(arguments);
    if (!range) {
        return kBadPacket;
    }
    std::vector<std::uint8_t> bytes(
        std::min({range->bytes, range->bytes_to_end(), kPacketBytes / 2}));
    const std::size_t read = target_.read_memory(selected_, range->address, bytes);
    if (read == 0 && !bytes.empty()) {
        return kBadAddress;
    }
    return hex_of(std::span<const std::uint8_t>(bytes).first(read));
}

// Writes memory by a packet of the form "address,length:data".
std::string GdbSession::write_memory(std::string_view packet, bool is_binary) {
    const auto [where, data] = cut(packet, ':');
    const auto range = range_of(where);
    const auto bytes = is_binary
                           ? std::optional(std::vector<std::uint8_t>(data.begin(), data.end()))
                           : bytes_from_hex(data);
    if (!range || !bytes || bytes->size() != range->bytes) {
        return kBadPacket;
    }
    const std::string why = bytes->empty() ? ""
                            : bytes->size() > range->bytes_to_end()
                                ? "there is no such memory"
                                : target_.write_memory(selected_, range->address, *bytes);
    if (why.empty()) {
        return kOk;
    }
    refused_ = fmt::format("the write of {} bytes to 0x{:08x} was refused: {}", bytes->size(),
                           range->address, why);
    if (on_refusal_) {
        on_refusal_(refused_);
    }
    return kBadAddress;
}

// Inserts or removes a breakpoint or watchpoint by a packet such as "Z2,address,bytes". Conditions
// after a ';' are ignored; qSupported does not offer them, so gdb sends none.
std::string GdbSession::stop_point(std::string_view packet) {
    const auto [kind, where] = cut(packet.substr(1), ',');
    const auto range = range_of(cut(where, ';').first);
    const auto number = number_from_hex(kind);
    if (!number || !range || range->bytes > range->bytes_to_end()) {
        return kBadPacket;
    }
    if (*number > static_cast<std::uint64_t>(StopPoint::Kind::kAccess)) {
        return kUnknown;
    }
    const StopPoint point{static_cast<StopPoint::Kind>(*number), range->address,
                          static_cast<std::uint32_t>(range->bytes)};
    if (packet.front() == 'Z') {
        insert(point);
    } else {
        if (point.kind <= StopPoint::Kind::kHardwareBreakpoint) {
            breakpoints_.erase(point.address);
        }
        target_.remove(point);
    }
    return kOk;
}

std::string GdbSession::stop_reply() const {
    int signal = kSignalTrap;
    if (stop_.why == Stop::Why::kInterrupt) {
        signal = kSignalInterrupt;
    } else if (stop_.why == Stop::Why::kFault) {
        signal = kSignalIllegal;
    }
    std::string text = fmt::format("T{:02x}thread:{:x};", signal, stop_.node + 1);
    if (stop_.why == Stop::Why::kWatchpoint) {
        text += fmt::format("{}:{:x};", watch_name(stop_.kind), stop_.address);
    }
    for (const unsigned number : {kStackPointer, kFramePointer, kPc, kNpc}) {
        text +=
            fmt::format("{:x}:{};", number, hex_of_word(target_.read_register(stop_.node, number)));
    }
    return text;
}

bool GdbSession::is_step_over(const std::vector<int>& nodes) const {
    return !owes_step_ && nodes.size() == 1 && nodes.front() == stop_.node &&
           stop_.why == Stop::Why::kBreakpoint && breakpoints_.size() == 1 &&
           *breakpoints_.begin() == target_.read_register(stop_.node, kNpc);
}

std::string GdbSession::stepped_over_reply() const {
    const std::uint32_t next = target_.read_register(stop_.node, kNpc);
    return fmt::format("T{:02x}thread:{:x};{:x}:{};{:x}:{};", kSignalTrap, stop_.node + 1, kPc,
                       hex_of_word(next), kNpc, hex_of_word(next + 4));
}

bool GdbSession::looks_at_step(std::string_view packet) const {
    return owes_step_ && selected_ == stop_.node && !packet.empty() &&
           (std::string_view("gGpPMX?s").find(packet.front()) != std::string_view::npos ||
            starts_with(packet, "vCont;s"));
}

std::optional<int> GdbSession::thread_of(std::string_view text) const {
    if (text == "-1") {
        return kAllThreads;
    }
    const auto number = number_from_hex(text);
    if (!number || *number > static_cast<std::uint64_t>(target_.node_count())) {
        return std::nullopt;
    }
    return static_cast<int>(*number);
}

}  // namespace weir::experiments::debug
