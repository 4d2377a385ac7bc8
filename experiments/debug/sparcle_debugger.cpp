#include "experiments/debug/sparcle_debugger.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "firmware/sparcle/elf_image.h"
#include "memory/coherence/address_map.h"
#include "nodes/machine.h"
#include "nodes/sparcle/architecture.h"

namespace weir::experiments::debug {

using nodes::sparcle::ExecutedInstruction;
using nodes::sparcle::MemoryRequest;
using nodes::sparcle::SparcleCore;

namespace {

// Number of executed instructions between two checks for the debugger's Ctrl-C.
constexpr unsigned kInstructionsALook = 4096;

bool is_touched(const StopPoint& point, const MemoryRequest& access) {
    if (access.asi == SPARCLE_ASI_PREFETCH || access.asi == SPARCLE_ASI_PREFETCH_TO_WRITE) {
        return false;  // moves no data
    }
    const bool is_load = access.kind != MemoryRequest::Kind::kStore;
    const bool is_store = access.kind != MemoryRequest::Kind::kLoad;
    const bool suits = point.kind == StopPoint::Kind::kAccess ||
                       (point.kind == StopPoint::Kind::kWrite ? is_store : is_load);
    return suits && access.address < std::uint64_t{point.address} + point.bytes &&
           point.address < std::uint64_t{access.address} + access.bytes;
}

// Locals and ins of a frame, which a spilled window stores on its stack.
constexpr unsigned kFirstLocal = 16;
constexpr std::uint32_t kWordBytes = 4;
constexpr std::uint32_t kSavedBytes = 16 * kWordBytes;

unsigned shift_of_byte(std::uint32_t offset) { return 8 * (kWordBytes - 1 - offset % kWordBytes); }

struct SavedWindow {
    unsigned window = 0;
    std::uint32_t address = 0;  // stack address that the window spills to
};

// Callers' windows that have not been spilled, youngest first: from the one above the current
// window up to the one that WIM marks. If WIM marks none, windows are contexts: the window above
// that of a context's traps is its thread's.
std::vector<SavedWindow> windows_not_in_memory(const nodes::sparcle::IntegerUnit& unit) {
    constexpr unsigned kWindows = nodes::sparcle::RegisterWindows::kWindows;
    std::vector<SavedWindow> saved;
    if (unit.wim() == 0) {
        if (unit.psr() % SPARCLE_WINDOWS_PER_CONTEXT == 0) {
            const unsigned thread = (unit.psr() + 1) % kWindows;
            saved.push_back({thread, unit.window_reg(thread, kStackPointer)});
        }
        return saved;
    }
    for (unsigned above = 1; above < kWindows; ++above) {
        const unsigned window = (unit.psr() + above) % kWindows;
        if ((unit.wim() >> window & 1) != 0) {
            break;
        }
        saved.push_back({window, unit.window_reg(window, kStackPointer)});
    }
    return saved;
}

}  // namespace

int SparcleDebugger::node_count() const { return machine_->node_count(); }

SparcleCore& SparcleDebugger::core(int node) const {
    return machine_->node(hw::NodeId(node)).sparcle_core();
}

void SparcleDebugger::attach(nodes::Machine& machine, const firmware::ElfImage& image) {
    machine_ = &machine;
    image_ = &image;
    for (int node = 0; node < node_count(); ++node) {
        core(node).set_observer(this);
    }
    if (!goal_) {
        stop({.node = choice_.node, .why = Stop::Why::kBegin});
    } else if (goal_->cycle == 0) {
        const int node = goal_->node;
        goal_.reset();
        stop({.node = node, .why = Stop::Why::kBreakpoint});
    }
}

void SparcleDebugger::go_on(const Rerun& rerun) {
    session_.go_on(rerun.points);
    goal_ = Goal{.node = rerun.node, .cycle = rerun.cycle, .is_end = rerun.is_end};
}

void SparcleDebugger::set_reconnect(const std::function<bool()>& reconnect) {
    session_.set_reconnect([this, reconnect] {
        breakpoints_.clear();
        watchpoints_.clear();
        return reconnect();
    });
}

bool SparcleDebugger::proceed() {
    if (phase_ == Phase::kLooking && session_.interrupted()) {
        goal_.reset();
        stop({.node = let_go_.empty() ? stopped_ : let_go_.front(), .why = Stop::Why::kInterrupt});
    }
    return phase_ == Phase::kLooking || phase_ == Phase::kDetached;
}

void SparcleDebugger::faulted() {
    if (phase_ != Phase::kLooking) {
        return;
    }
    int node = 0;
    while (node + 1 < node_count() && !core(node).fault()) {
        ++node;
    }
    goal_.reset();
    stop({.node = node, .why = Stop::Why::kFault});
}

void SparcleDebugger::ended() {
    if (phase_ == Phase::kLooking && goal_) {
        run_again(goal_->node, goal_->last_issue, true);
    }
    machine_ = nullptr;
}

void SparcleDebugger::report_end(const std::string& text, int status) {
    if (phase_ == Phase::kLooking) {
        session_.print(text);
        session_.exited(status);
    }
}

void SparcleDebugger::stop(const Stop& stop) {
    stopped_ = stop.node;
    Resume resume = session_.stopped(stop);
    while (resume.how == Resume::How::kGoTo && stop.why != Stop::Why::kFault &&
           resume.go_to == cycle(stopped_)) {
        resume = session_.stopped(stop);  // the node is in that cycle already
    }
    stepping_ = resume.step;
    let_go_ = resume.nodes;
    switch (resume.how) {
        case Resume::How::kGo:
            break;
        case Resume::How::kDetach:
            phase_ = Phase::kDetached;
            break;
        case Resume::How::kKill:
            phase_ = Phase::kKilled;
            machine_->domain().stop();
            break;
        case Resume::How::kGoTo:
            go_to(resume.go_to, stop);
            break;
    }
}

// Runs on if the cycle lies ahead; otherwise requests a run from the start.
void SparcleDebugger::go_to(std::int64_t there, const Stop& from) {
    const int node = from.node;
    if (from.why == Stop::Why::kFault || there < cycle(node)) {
        run_again(node, there, false);
        machine_->domain().stop();
    } else {
        goal_ = Goal{.node = node, .cycle = there, .last_issue = cycle(node)};
    }
}

void SparcleDebugger::run_again(int node, std::int64_t cycle, bool is_end) {
    phase_ = Phase::kRerunning;
    rerun_ = Rerun{.node = node, .cycle = cycle, .is_end = is_end, .points = watchpoints_};
    for (const std::uint32_t address : breakpoints_) {
        rerun_->points.push_back({.kind = StopPoint::Kind::kBreakpoint, .address = address});
    }
}

void SparcleDebugger::executed(const SparcleCore& core, const ExecutedInstruction& instruction) {
    if (phase_ != Phase::kLooking) {
        return;
    }
    if (const auto reason = stop_behind(core, instruction)) {
        goal_.reset();
        stop(*reason);
    } else if (++executed_ % kInstructionsALook == 0 && session_.interrupted()) {
        goal_.reset();
        stop({.node = let_go_.empty() ? core.node().index() : let_go_.front(),
              .why = Stop::Why::kInterrupt});
    } else if (goal_ && goal_->node == core.node().index()) {
        goal_->last_issue = core.next_issue().count();
    }
}

std::optional<Stop> SparcleDebugger::stop_behind(const SparcleCore& core,
                                                 const ExecutedInstruction& instruction) const {
    const int node = core.node().index();
    if (goal_) {
        if (node != goal_->node || core.next_issue().count() < goal_->cycle) {
            return std::nullopt;
        }
        return Stop{.node = node, .why = goal_->is_end ? Stop::Why::kEnd : Stop::Why::kBreakpoint};
    }
    if (stepping_ == node) {
        return Stop{.node = node, .why = Stop::Why::kStep};
    }
    // If the debugger has resumed single nodes, only these stop; otherwise --node decides.
    if (let_go_.empty() ? choice_.is_alone && node != choice_.node
                        : std::find(let_go_.begin(), let_go_.end(), node) == let_go_.end()) {
        return std::nullopt;
    }
    const bool has_access =
        !instruction.is_trap && !instruction.is_annulled && core.last_access().has_value();
    if (has_access && !watchpoints_.empty()) {
        const MemoryRequest& access = *core.last_access();
        for (const StopPoint& point : watchpoints_) {
            if (is_touched(point, access)) {
                return Stop{.node = node,
                            .why = Stop::Why::kWatchpoint,
                            .kind = point.kind,
                            .address = std::max(point.address, access.address)};
            }
        }
    }
    if (!core.unit().next_is_annulled() && breakpoints_.contains(core.unit().pc())) {
        return Stop{.node = node, .why = Stop::Why::kBreakpoint};
    }
    return std::nullopt;
}

std::string SparcleDebugger::state_of(int node) const {
    const std::string place = image_->place(core(node).unit().pc()).text();
    return core(node).thread_done() ? "its program has ended" : place;
}

std::int64_t SparcleDebugger::cycle(int node) const { return core(node).next_issue().count(); }

std::uint32_t SparcleDebugger::read_register(int node, unsigned number) const {
    const nodes::sparcle::IntegerUnit& unit = core(node).unit();
    switch (number) {
        case kY:
            return unit.y();
        case kPsr:
            return unit.psr();
        case kWim:
            return unit.wim();
        case kTbr:
            return unit.tbr();
        case kPc:
            return unit.pc();
        case kNpc:
            return unit.npc();
        case kFsr:
            return unit.fsr();
        case kCsr:
            return 0;
        default:
            return number < kFloatRegisters ? unit.reg(number) : unit.f(number - kFloatRegisters);
    }
}

bool SparcleDebugger::write_register(int node, unsigned number, std::uint32_t value) {
    nodes::sparcle::IntegerUnit& unit = core(node).unit();
    switch (number) {
        case kY:
            unit.set_y(value);
            return true;
        case kPsr:
            unit.set_psr(value);
            return true;
        case kWim:
            unit.set_wim(value);
            return true;
        case kTbr:
            unit.set_tbr(value);
            return true;
        case kPc:
        case kNpc:
            if (read_register(node, number) == value) {
                return true;
            }
            if (node != stopped_ || value % 4 != 0) {
                return false;
            }
            unit.set_pc(number == kPc ? value : unit.pc(), number == kPc ? unit.npc() : value);
            return true;
        case kFsr:
            unit.set_fsr(value);
            return true;
        case kCsr:
            return value == 0;
        default:
            if (number < kFloatRegisters) {
                unit.set_reg(number, value);
            } else {
                unit.set_f(number - kFloatRegisters, value);
            }
            return true;
    }
}

std::size_t SparcleDebugger::read_memory(int node, std::uint32_t address,
                                         std::span<std::uint8_t> bytes) {
    std::size_t read = bytes.size();
    if (is_shared(address)) {
        read = read_shared_memory(address, bytes);
    } else if (!core(node).read_memory(address, bytes)) {
        // Reads up to the first byte that does not exist.
        read = 0;
        while (read < bytes.size() &&
               core(node).read_memory(address + static_cast<std::uint32_t>(read),
                                      bytes.subspan(read, 1))) {
            ++read;
        }
    }
    for (const int holder : nodes_with_stack(node, address)) {
        const nodes::sparcle::IntegerUnit& unit = core(holder).unit();
        for (const SavedWindow& saved : windows_not_in_memory(unit)) {
            for (std::size_t i = 0; i < read; ++i) {
                const std::uint32_t offset =
                    address + static_cast<std::uint32_t>(i) - saved.address;
                if (offset < kSavedBytes) {
                    const std::uint32_t word =
                        unit.window_reg(saved.window, kFirstLocal + offset / kWordBytes);
                    bytes[i] = static_cast<std::uint8_t>(word >> shift_of_byte(offset));
                }
            }
        }
    }
    return read;
}

bool SparcleDebugger::is_shared(std::uint32_t address) const {
    return machine_->shape().shared_bytes > hw::Bytes(0) && address >= memory::kSharedBase;
}

std::size_t SparcleDebugger::read_shared_memory(std::uint32_t address,
                                                std::span<std::uint8_t> bytes) {
    const auto shared = static_cast<std::uint64_t>(machine_->shape().shared_bytes.count()) *
                        static_cast<std::uint64_t>(node_count());
    const std::uint64_t offset = address - memory::kSharedBase;
    const std::size_t read =
        std::min<std::uint64_t>(bytes.size(), shared - std::min(shared, offset));
    if (read > 0) {
        machine_->read_memory(hw::NodeId(0), address, bytes.first(read));
    }
    return read;
}

std::vector<int> SparcleDebugger::nodes_with_stack(int node, std::uint32_t address) const {
    if (!is_shared(address)) {
        return {node};
    }
    std::vector<int> all(node_count());
    std::iota(all.begin(), all.end(), 0);
    return all;
}

std::string SparcleDebugger::refusal(std::uint32_t address, std::size_t bytes) const {
    for (const firmware::ElfImage::Segment& segment : image_->segments()) {
        const std::uint64_t end = std::uint64_t{segment.address} + segment.memory_bytes;
        if (segment.executable && !segment.writable && address < end &&
            segment.address < std::uint64_t{address} + bytes) {
            return fmt::format(
                "the program's instructions and constants, from 0x{:08x} to 0x{:08x}, cannot be "
                "written; accepted: variables, heap and stack",
                segment.address, end);
        }
    }
    return {};
}

std::string SparcleDebugger::write_memory(int node, std::uint32_t address,
                                          std::span<const std::uint8_t> bytes) {
    if (std::string why = refusal(address, bytes.size()); !why.empty()) {
        return why;
    }
    std::vector<std::uint8_t> before(bytes.size());
    if (read_memory(node, address, before) != bytes.size()) {
        return "there is no such memory";
    }
    try {
        machine_->write_memory(hw::NodeId(node), address, bytes);
    } catch (const nodes::ProgramFault& fault) {
        return fault.what();
    }
    for (const int holder : nodes_with_stack(node, address)) {
        nodes::sparcle::IntegerUnit& unit = core(holder).unit();
        for (const SavedWindow& saved : windows_not_in_memory(unit)) {
            for (std::size_t i = 0; i < bytes.size(); ++i) {
                const std::uint32_t offset =
                    address + static_cast<std::uint32_t>(i) - saved.address;
                if (offset < kSavedBytes) {
                    const unsigned number = kFirstLocal + offset / kWordBytes;
                    const unsigned shift = shift_of_byte(offset);
                    const std::uint32_t others =
                        unit.window_reg(saved.window, number) & ~(0xffU << shift);
                    unit.set_window_reg(saved.window, number,
                                        others | std::uint32_t{bytes[i]} << shift);
                }
            }
        }
    }
    return {};
}

void SparcleDebugger::insert(const StopPoint& point) {
    if (point.kind <= StopPoint::Kind::kHardwareBreakpoint) {
        breakpoints_.insert(point.address);
        return;
    }
    if (std::find(watchpoints_.begin(), watchpoints_.end(), point) == watchpoints_.end()) {
        watchpoints_.push_back(point);
    }
}

void SparcleDebugger::remove(const StopPoint& point) {
    if (point.kind <= StopPoint::Kind::kHardwareBreakpoint) {
        breakpoints_.erase(point.address);
        return;
    }
    watchpoints_.erase(std::remove(watchpoints_.begin(), watchpoints_.end(), point),
                       watchpoints_.end());
}

std::string SparcleDebugger::monitor(const std::string& line) {
    if (line == "cycle") {
        return fmt::format("{}\n", cycle(stopped_));
    }
    if (line == "waits") {
        return machine_->explain_waits() + "\n";
    }
    return "monitor cycle: cycle of the stopped node's next instruction.\n"
           "monitor goto CYCLE: run to an earlier or later cycle.\n"
           "monitor refused: reason why the last write to memory was refused.\n"
           "monitor waits: waiting parts and reasons.\n";
}

}  // namespace weir::experiments::debug
