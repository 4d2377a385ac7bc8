#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace weir::nodes::testing {

/// A litmus test: short programs that access words, 0 at first, and have outcomes that sequential
/// consistency forbids. Names as in Alglave, Maranget and Tautschnig, TOPLAS 2014.
struct Litmus {
    struct Access {
        bool is_store = false;
        std::size_t place = 0;    ///< index of the word
        std::uint32_t value = 0;  ///< value to store
    };
    using Program = std::vector<Access>;

    const char* name = "";
    std::vector<Program> programs;

    [[nodiscard]] std::size_t places() const {
        std::size_t count = 0;
        for (const Program& program : programs) {
            for (const Access& access : program) {
                count = std::max(count, access.place + 1);
            }
        }
        return count;
    }
};

/// Outcome: the words that each program loaded, in program order, and the final words.
struct LitmusOutcome {
    std::vector<std::vector<std::uint32_t>> loaded;
    std::vector<std::uint32_t> left;

    explicit LitmusOutcome(const Litmus& litmus)
        : loaded(litmus.programs.size()), left(litmus.places()) {}
    /// Text of an outcome, such as "0 1 | 1; 2 1".
    [[nodiscard]] std::string text() const {
        std::string all;
        for (const auto& words : loaded) {
            all += all.empty() ? "" : "| ";
            for (const std::uint32_t word : words) {
                all += std::to_string(word) + " ";
            }
        }
        all += ";";
        for (const std::uint32_t word : left) {
            all += " " + std::to_string(word);
        }
        return all;
    }
};

/// Outcomes of all sequential interleavings of the accesses.
class SequentialOutcomes {
  public:
    explicit SequentialOutcomes(const Litmus& litmus)
        : litmus_(litmus), outcome_(litmus), next_(litmus.programs.size()) {
        go_on();
    }
    [[nodiscard]] const std::set<std::string>& all() const { return all_; }

  private:
    void go_on() {
        bool has_ended = true;
        for (std::size_t i = 0; i < litmus_.programs.size(); ++i) {
            const Litmus::Program& program = litmus_.programs[i];
            if (next_[i] == program.size()) {
                continue;
            }
            has_ended = false;
            const Litmus::Access& access = program[next_[i]];
            std::uint32_t& word = outcome_.left[access.place];
            const std::uint32_t before = word;
            next_[i] += 1;
            if (access.is_store) {
                word = access.value;
                go_on();
                word = before;
            } else {
                outcome_.loaded[i].push_back(word);
                go_on();
                outcome_.loaded[i].pop_back();
            }
            next_[i] -= 1;
        }
        if (has_ended) {
            all_.insert(outcome_.text());
        }
    }

    const Litmus& litmus_;
    LitmusOutcome outcome_;
    std::vector<std::size_t> next_;
    std::set<std::string> all_;
};

inline const std::vector<Litmus>& litmus_tests() {
    constexpr std::size_t kX = 0;
    constexpr std::size_t kY = 1;
    const auto store = [](std::size_t place, std::uint32_t value) {
        return Litmus::Access{true, place, value};
    };
    const auto load = [](std::size_t place) { return Litmus::Access{false, place, 0}; };
    static const std::vector<Litmus> all{
        {"SB", {{store(kX, 1), load(kY)}, {store(kY, 1), load(kX)}}},
        {"MP", {{store(kX, 1), store(kY, 1)}, {load(kY), load(kX)}}},
        {"LB", {{load(kX), store(kY, 1)}, {load(kY), store(kX, 1)}}},
        {"IRIW", {{store(kX, 1)}, {store(kY, 1)}, {load(kX), load(kY)}, {load(kY), load(kX)}}},
        {"2+2W", {{store(kX, 1), store(kY, 2)}, {store(kY, 1), store(kX, 2)}}},
        {"R", {{store(kX, 1), store(kY, 1)}, {store(kY, 2), load(kX)}}},
        {"S", {{store(kX, 2), store(kY, 1)}, {load(kY), store(kX, 1)}}},
        {"WRC", {{store(kX, 1)}, {load(kX), store(kY, 1)}, {load(kY), load(kX)}}},
        {"CoRR", {{store(kX, 1)}, {load(kX), load(kX)}}},
        {"CoWW", {{store(kX, 1), store(kX, 2)}, {load(kX), load(kX)}}}};
    return all;
}

}  // namespace weir::nodes::testing
