#include "firmware/sparcle/thread_waits.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "firmware/sparcle/threads/thread_state.h"
#include "hw/text_streams.h"

namespace weir::firmware {

namespace {

constexpr std::string_view kNewest = "weir_all_threads";
constexpr std::size_t kMostLines = 16;

struct WaitKind {
    const char* call;
    const char* object;
};
constexpr std::array<WaitKind, WEIR_WAIT_KINDS> kKinds{{{"", ""},
                                                        {"pthread_mutex_lock", "mutex"},
                                                        {"pthread_cond_wait", "condition"},
                                                        {"pthread_barrier_wait", "barrier"},
                                                        {"sem_wait", "semaphore"},
                                                        {"pthread_rwlock_rdlock", "lock"},
                                                        {"pthread_rwlock_wrlock", "lock"},
                                                        {"pthread_spin_lock", "spin lock"},
                                                        {"pthread_join", "thread"}}};

std::string thread_text(std::uint32_t number) {
    return number == 0 ? "thread 0 (main)" : "thread " + std::to_string(number);
}

}  // namespace

bool ThreadWaits::are_known(const ElfImage& image) { return image.find_symbol(kNewest) != nullptr; }

ThreadWaits::ThreadWaits(ImageMemory& memory) : image_(memory.image()) {
    const auto word = [&](std::uint32_t address) {
        return memory.read_words(hw::NodeId(0), address, 1).front();
    };
    // A program whose memory is overwritten may have a circular list.
    constexpr std::size_t kMostThreads = 65'536;
    for (std::uint32_t at = word(image_.address_of(kNewest));
         at >= ElfImage::kSharedBegin && threads_.size() < kMostThreads;) {
        const auto words = memory.read_words(hw::NodeId(0), at, WEIR_THREAD_WORDS);
        Thread thread{.address = at,
                      .number = words[WEIR_THREAD_NUMBER],
                      .node = static_cast<std::int32_t>(words[WEIR_THREAD_NODE]),
                      .context = words[WEIR_THREAD_CONTEXT],
                      .start = words[WEIR_THREAD_START],
                      .wait = words[WEIR_THREAD_WAIT],
                      .object = words[WEIR_THREAD_OBJECT],
                      .caller = words[WEIR_THREAD_CALLER]};
        if (thread.wait == WEIR_WAIT_MUTEX && thread.object >= ElfImage::kSharedBegin) {
            const std::uint32_t entry = word(thread.object + WEIR_MUTEX_HOLDER * kWordBytes);
            thread.holder =
                entry >= ElfImage::kSharedBegin ? word(entry + WEIR_WAITER_THREAD * kWordBytes) : 0;
        }
        if (words[WEIR_THREAD_STATE] == WEIR_THREAD_RUNS) {
            threads_.push_back(thread);
        }
        at = words[WEIR_THREAD_OLDER];
    }
    std::reverse(threads_.begin(), threads_.end());
}

const ThreadWaits::Thread* ThreadWaits::find(std::uint32_t address) const {
    const auto found = std::find_if(threads_.begin(), threads_.end(), [&](const Thread& thread) {
        return thread.address == address;
    });
    return found == threads_.end() ? nullptr : &*found;
}

std::string ThreadWaits::object_text(std::uint32_t address) const {
    const auto variable = std::find_if(
        image_.symbols().begin(), image_.symbols().end(), [&](const ElfImage::Symbol& symbol) {
            return !symbol.is_function && symbol.bytes != 0 && address >= symbol.address &&
                   address - symbol.address < symbol.bytes;
        });
    if (variable == image_.symbols().end()) {
        return hw::hexadecimal(address);
    }
    const std::uint32_t offset = address - variable->address;
    return variable->name + (offset == 0 ? "" : "+" + hw::hexadecimal(offset));
}

std::string ThreadWaits::circle() const {
    for (const Thread& first : threads_) {
        std::string text = thread_text(first.number);
        const Thread* next = find(first.holder);
        for (std::size_t i = 0; next != nullptr && i < threads_.size(); ++i) {
            text += " waits for " + thread_text(next->number);
            if (next == &first) {
                return text;
            }
            text += ", which";
            next = find(next->holder);
        }
    }
    return {};
}

std::string ThreadWaits::summary() const {
    const bool all_wait = !threads_.empty() &&
                          std::all_of(threads_.begin(), threads_.end(), [](const Thread& thread) {
                              return thread.wait != WEIR_WAIT_NONE && thread.wait < WEIR_WAIT_KINDS;
                          });
    if (!all_wait) {
        return {};
    }
    const std::string mutexes = circle();
    return "deadlock of the program's threads: " +
           (mutexes.empty() ? "each waits for another" : mutexes);
}

std::string ThreadWaits::wait_text(const Thread& thread, const Place& place) const {
    if (thread.wait == WEIR_WAIT_NONE || thread.wait >= WEIR_WAIT_KINDS) {
        return "runs";
    }
    const WaitKind& kind = kKinds[thread.wait];
    std::string text = "waits in " + std::string(kind.call) + ", called in " +
                       place(thread.caller) + ", for " + kind.object + " ";
    if (thread.wait == WEIR_WAIT_JOIN) {
        const Thread* const joined = find(thread.object);
        return text + (joined == nullptr ? "that has ended" : std::to_string(joined->number));
    }
    text += object_text(thread.object);
    if (thread.wait == WEIR_WAIT_MUTEX) {
        const Thread* const holder = find(thread.holder);
        text += holder == nullptr ? ", which a thread that has ended holds"
                : holder->address == thread.address
                    ? ", which it holds itself"
                    : ", which " + thread_text(holder->number) + " holds";
    }
    return text;
}

std::string ThreadWaits::lines(const Place& place) const {
    std::string text;
    for (std::size_t i = 0; i < std::min(threads_.size(), kMostLines); ++i) {
        const Thread& thread = threads_[i];
        text += "\n  " + thread_text(thread.number) + " on node " + std::to_string(thread.node);
        if (thread.context != 0) {
            text += ", context " + std::to_string(thread.context);
        }
        text += ": " + wait_text(thread, place);
    }
    if (threads_.size() > kMostLines) {
        text += "\n  and " + std::to_string(threads_.size() - kMostLines) + " more threads";
    }
    return text;
}

}  // namespace weir::firmware
