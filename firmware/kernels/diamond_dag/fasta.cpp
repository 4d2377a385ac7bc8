#include "firmware/kernels/diamond_dag/fasta.h"

#include <filesystem>
#include <fstream>
#include <string_view>

#include "firmware/kernel.h"
#include "hw/input_limits.h"
#include "hw/random_stream.h"

namespace weir::firmware {

namespace {

// Reads line by line, so that every fault can name its line.
class FastaReader {
  public:
    explicit FastaReader(const std::string& path) : path_(path), file_(path) {
        std::error_code ignored;
        if (!file_ || std::filesystem::is_directory(path, ignored)) {
            throw InputFault(path, "this file can't be read", "a FASTA file with one DNA sequence");
        }
        hw::skip_byte_order_mark(file_);
    }

    std::string read() {
        read_header();
        std::string sequence;
        while (next_filled_line()) {
            if (line_.front() == '>') {
                fail("found a second record, \"" + line_ + "\"", "one record");
            }
            for (std::size_t i = 0; i < line_.size(); ++i) {
                sequence.push_back(base(i));
            }
        }
        if (sequence.empty()) {
            fail("found the end of the file", "letters A, C, G, T, N after the header");
        }
        return sequence;
    }

  private:
    [[noreturn]] void fail(const std::string& found, const std::string& accepted = {}) const {
        throw InputFault(path_ + ":" + std::to_string(line_number_), found, accepted);
    }

    // Trailing blanks, and the carriage return of other systems, do not belong to a line.
    bool next_filled_line() {
        do {
            ++line_number_;
            if (!hw::next_line(file_, line_, hw::kSequenceLimits)) {
                return false;
            }
            if (const auto fault = hw::line_fault(line_, hw::kSequenceLimits)) {
                fail(fault->found, fault->accepted);
            }
            line_.erase(line_.find_last_not_of(" \t\r") + 1);
        } while (line_.empty());
        return true;
    }

    void read_header() {
        const std::string accepted = "a header line that begins with '>'";
        if (!next_filled_line()) {
            fail("found the end of the file", accepted);
        }
        if (line_.front() != '>') {
            constexpr std::size_t kShown = 40;
            fail("found \"" + line_.substr(0, kShown) + (line_.size() > kShown ? "..." : "") + "\"",
                 accepted);
        }
    }

    [[nodiscard]] char base(std::size_t column) const {
        constexpr std::string_view kBases = "ACGTNacgtn";
        constexpr std::string_view kCapitals = "ACGTNACGTN";
        const std::size_t place = kBases.find(line_[column]);
        if (place == std::string_view::npos) {
            fail("found " + description(line_[column]) + " in column " + std::to_string(column + 1),
                 "A, C, G, T, N in either case");
        }
        return kCapitals[place];
    }

    static std::string description(char letter) {
        const auto code = static_cast<unsigned char>(letter);
        const bool is_printable = code > ' ' && code <= '~';
        return is_printable ? std::string("'") + letter + "'" : "the byte " + std::to_string(code);
    }

    std::string path_;
    std::ifstream file_;
    std::string line_;
    std::int64_t line_number_ = 0;
};

}  // namespace

std::string read_fasta(const std::string& path) { return FastaReader(path).read(); }

std::string random_sequence(std::int64_t letters, std::uint64_t seed, const std::string& name) {
    constexpr std::string_view kBases = "ACGT";
    hw::RandomStream stream(seed, hw::NodeId(0), name);
    std::string sequence;
    for (std::int64_t i = 0; i < letters; ++i) {
        sequence.push_back(kBases[stream.below(kBases.size())]);
    }
    return sequence;
}

}  // namespace weir::firmware
