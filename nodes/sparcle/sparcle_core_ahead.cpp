#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <type_traits>

#include "memory/coherence/address_map.h"
#include "nodes/sparcle/memory_words.h"
#include "nodes/sparcle/sparcle_core.h"

// Execution of many instructions at a time, and ahead of the machine's time.
namespace weir::nodes::sparcle {

// Plain execution: many instructions that need only the unit and hits.

bool SparcleCore::may_execute_plainly() const {
    return has_plain_hits_ && observer_ == nullptr && !lingers_ &&
           checks_.initialisation() == nullptr && (level_ == 0 || !unit_.may_interrupt(level_));
}

// True if accesses to shared memory may be plain hits; accesses that begin_shared_access() would
// refuse go to the bus.
bool SparcleCore::may_share_plainly() const {
    return shared_ != nullptr && unit_.may_interrupt(SPARCLE_LEVEL_COHERENCE) &&
           (!handled_ || is_disposed_of_);
}

SparcleCore::Executed SparcleCore::execute_plainly(hw::Cycles until, StoresAhead* stores) {
    shared_until_ = may_share_plainly() ? until : hw::Cycles(0);
    shared_hits_ = {};
    return caches_ != nullptr ? execute_plainly(caches_->plain_instructions(),
                                                caches_->plain_data(), until, stores)
                              : execute_plainly(memory_->plain_instructions(),
                                                memory_->plain_data(), until, stores);
}

namespace {

// Finds loops that only wait: every iteration returns the unit to the same state, until another
// part changes the memory that the loop reads.
class WaitingLoop {
  public:
    enum class Arrival : std::uint8_t { kPasses, kAtMark, kInSameState };

    // Notes that an instruction may have changed more than IntegerUnit::LoopState.
    void end() { head_ = kNone; }

    // To be called before each run of consecutive instructions. Returns kAtMark if the state was
    // noted, and kInSameState if it is the state noted last.
    Arrival arrive(const IntegerUnit& unit, std::uint64_t loaded) {
        const bool is_backward = unit.pc() <= last_pc_;
        last_pc_ = unit.pc();
        if (!is_backward) [[likely]] {
            return Arrival::kPasses;
        }
        return begin_iteration(unit, loaded);
    }

  private:
    static constexpr std::uint32_t kNone = 1;  // no instruction has this address

    // Compares states only in iterations 2, 4, 8, ..., since most loops do not wait.
    [[gnu::noinline]] Arrival begin_iteration(const IntegerUnit& unit, std::uint64_t loaded) {
        if (unit.pc() != head_ || unit.npc() != head_ + 4 || unit.next_is_annulled()) {
            head_ = unit.pc();
            iterations_ = 0;
            return Arrival::kPasses;
        }
        if (!std::has_single_bit(++iterations_)) {
            return Arrival::kPasses;
        }
        const IntegerUnit::LoopState state = unit.loop_state();
        const bool is_same = iterations_ > 1 && loaded == loaded_ && state == state_;
        state_ = state;
        loaded_ = loaded;
        return is_same ? Arrival::kInSameState : Arrival::kAtMark;
    }

    std::uint32_t last_pc_ = 0;
    std::uint32_t head_ = kNone;
    std::uint32_t iterations_ = 0;
    IntegerUnit::LoopState state_;
    std::uint64_t loaded_ = 0;
};

// Counts of an execution up to the begin of an iteration.
struct IterationCounts {
    hw::Cycles time{0};
    std::int64_t instructions = 0;
    std::int64_t annulled = 0;
    std::int64_t loads = 0;
    std::int64_t shared_loads = 0;
    std::int64_t interlock_cycles = 0;

    // Repeats what was executed since `mark` as often as it begins and ends before `until`.
    void repeat_since(const IterationCounts& mark, hw::Cycles until) {
        const hw::Cycles duration = time - mark.time;
        if (duration <= hw::Cycles(0)) {
            return;
        }
        const std::int64_t times = ((until - time).count() - 1) / duration.count();
        time += times * duration;
        instructions += times * (instructions - mark.instructions);
        annulled += times * (annulled - mark.annulled);
        loads += times * (loads - mark.loads);
        shared_loads += times * (shared_loads - mark.shared_loads);
        interlock_cycles += times * (interlock_cycles - mark.interlock_cycles);
    }
};

}  // namespace

// Executes up to the first instruction that is issued at `until` or later, or is not plain. The
// stopping instruction has no effect.
template <class Hits>
SparcleCore::Executed SparcleCore::execute_plainly(const Hits& fetches, const Hits& data,
                                                   hw::Cycles until, StoresAhead* stores) {
    constexpr std::uint32_t kGroupBytes = Hits::kFetchedBytes;
    auto& instructions = DecodedInstructions<kGroupBytes>::of_this_thread();
    const std::uint32_t watched = watched_pc_;
    const hw::Cycles integer = cycles_of(InstructionClass::kInteger);
    // Register operations of a group that begin before this cycle are all issued before `until`.
    const hw::Cycles together_before = until - kGroupBytes / 4 * integer;
    hw::Cycles time = time_;
    hw::Cycles last_store(-1);
    std::uint64_t loaded = loaded_;
    std::int64_t executed = 0;
    std::int64_t annulled = 0;
    std::int64_t loads = 0;
    std::int64_t stored = 0;
    std::int64_t waits = 0;
    WaitingLoop loop;
    IterationCounts mark;
    bool is_plain = true;
    while (is_plain && time < until) {
        const WaitingLoop::Arrival arrival = loop.arrive(unit_, loaded);
        if (arrival != WaitingLoop::Arrival::kPasses) [[unlikely]] {
            IterationCounts counts{.time = time,
                                   .instructions = executed,
                                   .annulled = annulled,
                                   .loads = loads,
                                   .shared_loads = shared_hits_.loads,
                                   .interlock_cycles = waits};
            if (arrival == WaitingLoop::Arrival::kInSameState) {
                counts.repeat_since(mark, until);
            }
            mark = counts;
            time = counts.time;
            executed = counts.instructions;
            annulled = counts.annulled;
            loads = counts.loads;
            shared_hits_.loads = counts.shared_loads;
            waits = counts.interlock_cycles;
        }
        const std::uint32_t pc = unit_.pc();
        const std::uint32_t group_address = pc - pc % kGroupBytes;
        const std::uint8_t* const fetched = fetches.hit(group_address, false, time).bytes;
        if (fetched == nullptr || checks_.is_null_call(unit_)) {
            break;
        }
        const DecodedGroup<kGroupBytes>& group = instructions.group(pc, fetched);
        const DecodedInstruction* next = group.at(pc);
        const DecodedInstruction* end = group.end();
        if (watched - group_address < kGroupBytes) [[unlikely]] {
            if (pc == watched) {
                break;
            }
            end = pc < watched ? group.at(watched) : end;
        }
        if (unit_.next_is_annulled()) {
            unit_.execute(*next);
            time += cycles_of(InstructionClass::kAnnulled);
            loaded = 0;
            ++annulled;
            ++executed;
            continue;
        }
        // Executes consecutive instructions of the group; the instruction after a branch is
        // executed alone.
        const DecodedInstruction* const first = next;
        if (unit_.npc() != pc + 4) {
            end = next + 1;
        }
        do {
            hw::Cycles begin = time;
            if ((next->reads & loaded) != 0) [[unlikely]] {
                begin += load_use_;
                waits += load_use_.count();
            }
            if (std::uint32_t operations = next->register_operations; operations > 0) [[likely]] {
                if (next + operations > end || begin >= together_before) {
                    operations = 1;
                }
                unit_.operate(next, operations);
                next += operations;
                time = begin + operations * integer;
                loaded = 0;
                continue;
            }
            const hw::Cycles its_cycles = execute_alone(*next, data, begin, stores);
            if (its_cycles == kNotPlain) {
                waits -= (begin - time).count();
                is_plain = false;
                break;
            }
            if (!next->may_wait()) {
                loop.end();
            }
            loaded = 0;
            if (next->is_plain_store()) {
                last_store = time;
                ++stored;
                end = next + 1;  // the store may have changed the group
            } else if (next->is_plain_access()) {
                loaded = next->loads();
                ++loads;
            } else if (unit_.next_is_annulled()) {
                end = next + 1;
            } else if (unit_.npc() != unit_.pc() + 4) {
                end = std::min(end, next + 2);
            }
            time = begin + its_cycles;
            ++next;
        } while (next < end && time < until);
        executed += next - first;
    }
    time_ = time;
    loaded_ = loaded;
    return {.instructions = executed,
            .annulled = annulled,
            .interlock_cycles = waits,
            .hits = {.fetches = executed,
                     .loads = loads - shared_hits_.loads,
                     .stores = stored - shared_hits_.stores},
            .shared_hits = shared_hits_,
            .last_store = last_store};
}

// Executes an instruction that is no register operation. Returns its cycles, or kNotPlain without
// any effect.
template <class Hits>
[[gnu::always_inline]] inline hw::Cycles SparcleCore::execute_alone(
    const DecodedInstruction& decoded, const Hits& data, hw::Cycles at, StoresAhead* stores) {
    const hw::Cycles cycles = cycles_of(decoded.instruction_class);
    if (decoded.is_plain_access()) {
        return access_plainly(data, decoded, at, stores) ? cycles : kNotPlain;
    }
    if (decoded.is_transfer()) {
        return unit_.transfer(decoded) == StepEnd::kDone ? cycles : kNotPlain;
    }
    if (decoded.operation == Operation::kFloatOperation) {
        return unit_.float_operation(decoded) == StepEnd::kDone ? cycles : kNotPlain;
    }
    if (decoded.operation == Operation::kTimedCore || checks_.overflows_stack(decoded, unit_) ||
        unit_.execute(decoded) != StepEnd::kDone) {
        return kNotPlain;
    }
    return cycles_of(unit_.last_class());
}

template <class Hits>
bool SparcleCore::access_plainly(const Hits& data, const DecodedInstruction& decoded, hw::Cycles at,
                                 StoresAhead* stores) {
    const unsigned rd = decoded.rd;
    const std::uint32_t address = unit_.address_of(decoded);
    const auto load_word = [this, rd](std::uint32_t word) { unit_.load_word(rd, word); };
    const auto load_signed = [this, rd]<class Number>(Number number) {
        const auto with_sign = static_cast<std::make_signed_t<Number>>(number);
        unit_.load_word(rd, static_cast<std::uint32_t>(std::int32_t{with_sign}));
    };
    switch (decoded.operation) {
        case Operation::kLoadWord:
            return load_plainly<std::uint32_t>(data, address, at, load_word);
        case Operation::kLoadUnsignedByte:
            return load_plainly<std::uint8_t>(data, address, at, load_word);
        case Operation::kLoadUnsignedHalfword:
            return load_plainly<std::uint16_t>(data, address, at, load_word);
        case Operation::kLoadSignedByte:
            return load_plainly<std::uint8_t>(data, address, at, load_signed);
        case Operation::kLoadSignedHalfword:
            return load_plainly<std::uint16_t>(data, address, at, load_signed);
        case Operation::kLoadDouble:
            return load_plainly<std::uint64_t>(
                data, address, at, [&](std::uint64_t number) { unit_.load_double(rd, number); });
        case Operation::kLoadFloat:
            return unit_.may_use_floats() &&
                   load_plainly<std::uint32_t>(data, address, at, [&](std::uint32_t number) {
                       unit_.load_float(rd, number);
                   });
        case Operation::kLoadFloatDouble:
            return unit_.may_use_floats() &&
                   load_plainly<std::uint64_t>(data, address, at, [&](std::uint64_t number) {
                       unit_.load_float_double(rd, number);
                   });
        case Operation::kStoreWord:
            return store_plainly(data, address, unit_.reg(rd), at, stores);
        case Operation::kStoreByte:
            return store_plainly(data, address, static_cast<std::uint8_t>(unit_.reg(rd)), at,
                                 stores);
        case Operation::kStoreHalfword:
            return store_plainly(data, address, static_cast<std::uint16_t>(unit_.reg(rd)), at,
                                 stores);
        case Operation::kStoreDouble:
            return store_plainly(data, address, unit_.double_of(rd), at, stores);
        case Operation::kStoreFloat:
            return unit_.may_use_floats() && store_plainly(data, address, unit_.f(rd), at, stores);
        case Operation::kStoreFloatDouble:
            return unit_.may_use_floats() &&
                   store_plainly(data, address, unit_.float_double_of(rd), at, stores);
        default:
            return false;
    }
}

// Looks up a plain hit in shared memory.
template <class Hits>
memory::PlainHit SparcleCore::shared_hit(const Hits& data, std::uint32_t address, bool is_store,
                                         hw::Cycles at) {
    memory::PlainHit place;
    if constexpr (requires { data.shared_hit(address, is_store); }) {
        if (at < shared_until_ && address >= memory::kSharedBase) {
            place = data.shared_hit(address, is_store);
        }
    }
    if (place.bytes != nullptr) {
        (is_store ? shared_hits_.stores : shared_hits_.loads) += 1;
    }
    return place;
}

template <class Number, class Hits, class Put>
bool SparcleCore::load_plainly(const Hits& data, std::uint32_t address, hw::Cycles at,
                               const Put& put) {
    if (address % sizeof(Number) != 0 || address < checks_.loads_from()) {
        return false;
    }
    memory::PlainHit place = data.hit(address, false, at);
    if (place.bytes == nullptr) {
        place = shared_hit(data, address, false, at);
    }
    if (place.bytes == nullptr) {
        return false;
    }
    put(static_cast<Number>(number_of(place.bytes, sizeof(Number))));
    return true;
}

template <class Number, class Hits>
bool SparcleCore::store_plainly(const Hits& data, std::uint32_t address, Number number,
                                hw::Cycles at, StoresAhead* stores) {
    if (address % sizeof(Number) != 0 || address < checks_.stores_from() ||
        (stores != nullptr && stores->count == StoresAhead::kMost)) {
        return false;
    }
    memory::PlainHit place = data.hit(address, true, at);
    if (place.bytes == nullptr) {
        place = shared_hit(data, address, true, at);
    }
    if (place.bytes == nullptr) {
        return false;
    }
    if (stores != nullptr) {
        stores->list[stores->count++] = {.place = place,
                                         .before = number_of(place.bytes, sizeof(Number)),
                                         .bytes = sizeof(Number),
                                         .was_dirty = place.dirty != nullptr && *place.dirty};
    }
    put_number(number, place.bytes, sizeof(Number));
    if (place.dirty != nullptr) {
        *place.dirty = true;
    }
    unit_.stored();
    return true;
}

// Adds the counts to the statistics if `times` is 1; takes them back if it is -1.
void SparcleCore::count(const Executed& executed, std::int64_t times) {
    execution_.instructions += times * executed.instructions;
    execution_.annulled += times * executed.annulled;
    execution_.interlock_cycles += times * executed.interlock_cycles;
    if (caches_ != nullptr) {
        caches_->count_plain_hits(executed.hits * times);
    }
    if (shared_ != nullptr) {
        shared_->count_plain_hits(executed.shared_hits * times);
    }
    if (times > 0) {
        last_store_ = std::max(last_store_, executed.last_store);
    }
}

// Runs ahead beyond settled_. An interrupt may be raised before the machine's time reaches the
// core's: its line wakes the core in that cycle, and the core rolls back. The only other external
// events are packets that take lines of shared memory (before_line_goes). The work ahead changes
// only the unit, counts, and bytes that belong to the core while no DMA engine works.

// Executes the instructions that are issued before settled_, or a single one that is not plain.
void SparcleCore::execute_settled(hw::Cycles now) {
    if (!std::exchange(stops_at_access_, false) && may_execute_plainly()) {
        if (has_shared_memory() && lines_are_settled_) {
            go_beyond(now);  // only this cycle is settled: one execution includes those beyond it
            if (is_ahead_ && time_ <= now) {
                end_ahead();
            }
            stops_at_access_ = stops_at_access_ && is_ahead_;
            given_up_ = is_ahead_ ? hw::Cycles(0) : given_up_;
        } else {
            given_up_ = hw::Cycles(0);
            count(execute_plainly(std::min(settled_, handler_limit_), nullptr), 1);
        }
    }
    if (!is_ahead_ && time_ < settled_) {
        issue();
    }
}

void SparcleCore::go_beyond(hw::Cycles now) {
    const hw::Cycles until =
        std::min({now + next_ahead_, domain().alone_until() + hw::Cycles(1), handler_limit_});
    if (!lines_are_settled_ || time_ >= until || !may_execute_plainly()) {
        return;
    }
    if (!ahead_) {
        ahead_ = std::make_unique<Ahead>(Ahead{.unit = unit_});
    }
    ahead_->unit = unit_;
    ahead_->time = time_;
    ahead_->loaded = loaded_;
    ahead_->stores.count = 0;
    ahead_->executed = execute_plainly(until, &ahead_->stores);
    is_ahead_ = ahead_->executed.instructions > 0;
    stops_at_access_ = time_ < until;
    next_ahead_ = std::min(2 * next_ahead_, kFarthestAhead);
    const hw::Cycles last_store = last_store_;
    count(ahead_->executed, 1);
    last_store_ = last_store;
}

// True if the core still has to wait for the machine's time to reach its own.
bool SparcleCore::stays_ahead(hw::Cycles now) {
    const std::uint8_t level = raised_level(now);
    const bool is_interrupted = level != 0 && unit_.may_interrupt(level);
    if (time_ > now && !is_interrupted) {
        return true;
    }
    if (time_ > now) {
        is_ahead_ = false;
        roll_back(now);
    } else {
        end_ahead();
    }
    return false;
}

// The machine's time has reached the core's.
void SparcleCore::end_ahead() {
    is_ahead_ = false;
    last_store_ = std::max(last_store_, ahead_->executed.last_store);
}

// Rolls back to the first instruction that is issued at `now` or later.
void SparcleCore::roll_back(hw::Cycles now) {
    if (time_ > now + hw::Cycles(1)) {
        forget_wake_up(time_);
    }
    for (std::size_t i = ahead_->stores.count; i > 0; --i) {
        const StoreAhead& store = ahead_->stores.list[i - 1];
        put_number(store.before, store.place.bytes, store.bytes);
        if (store.place.dirty != nullptr) {
            *store.place.dirty = store.was_dirty;
        }
    }
    count(ahead_->executed, -1);
    unit_ = ahead_->unit;
    time_ = ahead_->time;
    loaded_ = ahead_->loaded;
    next_ahead_ = kShortestAhead;
    stops_at_access_ = false;
    count(execute_plainly(now, nullptr), 1);
    if (time_ < now) {
        issue();  // an access to shared memory that waited until now for the load before it
    }
    sc_assert(time_ >= now);
}

// A packet takes a line of shared memory at the end of this cycle. Instructions executed ahead may
// have used the line, and are executed again after it is gone.
void SparcleCore::before_line_goes(hw::Cycles now) {
    const hw::Cycles next = now + hw::Cycles(1);
    if (!is_ahead_ || time_ <= next) {
        return;
    }
    is_ahead_ = false;
    roll_back(next);
    wake_at(time_);
}

void SparcleCore::note_progress_ahead() {
    if (is_ahead_) {
        domain().note_progress(ahead_->executed.last_store);
    }
}

}  // namespace weir::nodes::sparcle
