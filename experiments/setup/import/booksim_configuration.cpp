#include "experiments/setup/import/booksim_configuration.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cctype>
#include <charconv>
#include <utility>

#include "hw/input_limits.h"
#include "hw/text_cursor.h"

namespace weir::experiments::setup {

namespace {

constexpr const char* kSetting = "a setting such as num_vcs = 8;";

constexpr std::string_view kReports = "output of BookSim; see Weir's options --out and --json";
constexpr std::string_view kRequests =
    "requests and replies have no counterpart in open-loop traffic";
constexpr std::string_view kBuffers = "each virtual channel of Weir has a buffer of its own";
constexpr std::string_view kSpeculation = "only with BookSim's speculative = 1";
constexpr std::string_view kPower = "Weir has no power model; `weir price` counts gates";
constexpr std::string_view kFixed = "no counterpart: BookSim's default is Weir's only behaviour";
constexpr std::string_view kThresholds =
    "Weir measures a fixed time; run.relative_precision gives a target";
constexpr std::string_view kClasses = "Weir has one class of packets";
constexpr std::string_view kLegacy = "use the table [faults] of Weir";
constexpr std::string_view kConcentration =
    "BookSim derives channel lengths from it; see the note on hop_cycles";

using Number = BooksimKey::Number;

enum class TokenKind : std::uint8_t { kWord, kWhole, kReal, kSign, kEnd };

struct Token {
    TokenKind kind = TokenKind::kEnd;
    std::string text;
    Place place;
};

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }
bool is_letter(char letter) { return std::isalpha(static_cast<unsigned char>(letter)) != 0; }
bool starts_word(char letter) {
    return is_letter(letter) || letter == '_' || letter == '-' || letter == '/' || letter == '.';
}
bool continues_word(char letter) {
    return starts_word(letter) || is_digit(letter) ||
           std::string_view("+({,)}").find(letter) != std::string_view::npos;
}
bool is_in_list(char letter) {
    return is_letter(letter) || is_digit(letter) ||
           std::string_view("_-.({,)}").find(letter) != std::string_view::npos;
}

std::size_t digits_at(std::string_view text, std::size_t at) {
    std::size_t end = at;
    while (end < text.size() && is_digit(text[end])) {
        ++end;
    }
    return end - at;
}

// The scanner takes the longest of several matches, and the first of equally long ones.
class Scanner {
  public:
    Scanner(std::string_view text, const std::string& source)
        : text_(text), source_(source), cursor_(text) {}

    Token next() {
        skip_blanks();
        Token token{TokenKind::kEnd, {}, place()};
        if (cursor_.is_at_end()) {
            return token;
        }
        std::size_t longest = 0;
        const auto offer = [&](TokenKind kind, std::size_t length) {
            if (length > longest) {
                longest = length;
                token.kind = kind;
            }
        };
        offer(TokenKind::kWord, list_length());
        offer(TokenKind::kWhole, whole_length());
        offer(TokenKind::kReal, real_length());
        offer(TokenKind::kWord, word_length());
        if (longest == 0) {
            token.kind = TokenKind::kSign;
            longest = 1;
            while (cursor_.at() + longest < text_.size() &&
                   hw::TextCursor::continues_character(text_[cursor_.at() + longest])) {
                ++longest;  // the rest of a UTF-8 character
            }
        }
        token.text = text_.substr(cursor_.at(), longest);
        cursor_.advance(longest);
        return token;
    }

  private:
    [[nodiscard]] Place place() const { return {source_, cursor_.line(), cursor_.column()}; }

    // A comment is taken before a word that begins with //, and is never shorter.
    void skip_blanks() {
        while (!cursor_.is_at_end()) {
            if (text_.substr(cursor_.at(), 2) == "//") {
                cursor_.advance(std::min(text_.find('\n', cursor_.at()), text_.size()) -
                                cursor_.at());
            } else if (std::string_view(" \t\r\n").find(text_[cursor_.at()]) !=
                       std::string_view::npos) {
                cursor_.advance(1);
            } else {
                return;
            }
        }
    }

    // "{" and "}" with one or more letters of a list between them, the longest such text.
    [[nodiscard]] std::size_t list_length() const {
        if (text_[cursor_.at()] != '{') {
            return 0;
        }
        std::size_t end = cursor_.at() + 1;
        std::size_t length = 0;
        for (; end < text_.size() && is_in_list(text_[end]); ++end) {
            if (text_[end] == '}' && end > cursor_.at() + 1) {
                length = end + 1 - cursor_.at();
            }
        }
        return length;
    }

    [[nodiscard]] std::size_t sign_length() const { return text_[cursor_.at()] == '-' ? 1 : 0; }

    [[nodiscard]] std::size_t whole_length() const {
        const std::size_t digits = digits_at(text_, cursor_.at() + sign_length());
        return digits == 0 ? 0 : sign_length() + digits;
    }

    // Digits, a point and digits; or either with an exponent.
    [[nodiscard]] std::size_t real_length() const {
        const std::size_t first = cursor_.at() + sign_length();
        std::size_t end = first + digits_at(text_, first);
        bool has_digits = end > first;
        if (end < text_.size() && text_[end] == '.') {
            const std::size_t decimals = digits_at(text_, end + 1);
            if (decimals > 0) {
                end += 1 + decimals;
                has_digits = true;
            }
        }
        if (!has_digits) {
            return 0;
        }
        if (end < text_.size() && (text_[end] == 'e' || text_[end] == 'E')) {
            const bool has_sign =
                end + 1 < text_.size() && (text_[end + 1] == '+' || text_[end + 1] == '-');
            const std::size_t power = end + (has_sign ? 2 : 1);
            const std::size_t digits = digits_at(text_, power);
            end = digits == 0 ? end : power + digits;
        }
        return end - cursor_.at();
    }

    [[nodiscard]] std::size_t word_length() const {
        if (!starts_word(text_[cursor_.at()])) {
            return 0;
        }
        std::size_t end = cursor_.at() + 1;
        while (end < text_.size() && continues_word(text_[end])) {
            ++end;
        }
        return end - cursor_.at();
    }

    std::string_view text_;
    const std::string& source_;
    hw::TextCursor cursor_;
};

std::string described(const Token& token) {
    return token.kind == TokenKind::kEnd ? "the end of the file"
                                         : "\"" + hw::shortened(token.text, 80) + "\"";
}

const BooksimKey* find_key(std::string_view name) {
    const std::vector<BooksimKey>& keys = booksim_keys();
    const auto found = std::find_if(keys.begin(), keys.end(),
                                    [name](const BooksimKey& key) { return key.name == name; });
    return found == keys.end() ? nullptr : &*found;
}

const BooksimKey& known_key(std::string_view name) {
    const BooksimKey* key = find_key(name);
    assert(key != nullptr);
    return *key;
}

std::string accepted_by(const BooksimKey& key) {
    std::string accepted = key.number == Number::kWhole  ? "a whole number"
                           : key.number == Number::kReal ? "a number with a point, such as 1.0"
                                                         : "";
    if (key.has_text) {
        accepted += accepted.empty() ? "a word, or a list such as {a,b}" : ", a word or a list";
    }
    return accepted;
}

template <class T>
T number_of(std::string_view text) {
    T number{};
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

}  // namespace

const std::vector<BooksimKey>& booksim_keys() {
    static const std::vector<BooksimKey> all_keys{
        {"channel_file", Number::kNone, true, "", "BookSim reads it only for its power model"},
        {"subnets", Number::kWhole, false, "1"},
        {"topology", Number::kNone, true, "torus"},
        {"k", Number::kWhole, false, "8"},
        {"n", Number::kWhole, false, "2"},
        {"c", Number::kWhole, false, "1"},
        {"routing_function", Number::kNone, true, "none"},
        {"use_noc_latency", Number::kWhole, false, "1"},
        {"x", Number::kWhole, false, "8", kConcentration},
        {"y", Number::kWhole, false, "8", kConcentration},
        {"xr", Number::kWhole, false, "1", kConcentration},
        {"yr", Number::kWhole, false, "1", kConcentration},
        {"link_failures", Number::kWhole, false, "0", kLegacy},
        {"fail_seed", Number::kWhole, true, "0", kLegacy},
        {"in_ports", Number::kWhole, false, "5", "the topology gives the number of ports"},
        {"out_ports", Number::kWhole, false, "5", "the topology gives the number of ports"},
        {"router", Number::kNone, true, "iq"},
        {"output_delay", Number::kWhole, false, "0", "BookSim's input-queued router ignores it"},
        {"credit_delay", Number::kWhole, false, "0"},
        {"internal_speedup", Number::kReal, false, "1.0",
         "no counterpart: Weir's switch sends one flit per input and output in a cycle"},
        {"output_buffer_size", Number::kWhole, false, "-1", kFixed},
        {"noq", Number::kWhole, false, "0", kFixed},
        {"speculative", Number::kWhole, false, "0"},
        {"spec_check_elig", Number::kWhole, false, "1", kSpeculation},
        {"spec_check_cred", Number::kWhole, false, "1", kSpeculation},
        {"spec_mask_by_reqs", Number::kWhole, false, "0", kSpeculation},
        {"spec_sw_allocator", Number::kNone, true, "prio", kSpeculation},
        {"num_vcs", Number::kWhole, false, "16"},
        {"vc_buf_size", Number::kWhole, false, "8"},
        {"buf_size", Number::kWhole, false, "-1"},
        {"buffer_policy", Number::kNone, true, "private"},
        {"private_bufs", Number::kWhole, false, "-1", kBuffers},
        {"private_buf_size", Number::kWhole, true, "1", kBuffers},
        {"private_buf_start_vc", Number::kWhole, true, "-1", kBuffers},
        {"private_buf_end_vc", Number::kWhole, true, "-1", kBuffers},
        {"max_held_slots", Number::kWhole, false, "-1", kBuffers},
        {"feedback_aging_scale", Number::kWhole, false, "1", kBuffers},
        {"feedback_offset", Number::kWhole, false, "0", kBuffers},
        {"wait_for_tail_credit", Number::kWhole, false, "0"},
        {"vc_busy_when_full", Number::kWhole, false, "0", kFixed},
        {"vc_prioritize_empty", Number::kWhole, false, "0", kFixed},
        {"vc_priority_donation", Number::kWhole, false, "0", kFixed},
        {"vc_shuffle_requests", Number::kWhole, false, "0", kFixed},
        {"hold_switch_for_packet", Number::kWhole, false, "0",
         "no counterpart: Weir's switch is allocated anew for each flit"},
        {"input_speedup", Number::kWhole, false, "1",
         "no counterpart: an input of Weir's switch sends one flit per cycle"},
        {"output_speedup", Number::kWhole, false, "1",
         "no counterpart: an output of Weir's switch takes one flit per cycle"},
        {"routing_delay", Number::kWhole, false, "1"},
        {"vc_alloc_delay", Number::kWhole, false, "1"},
        {"sw_alloc_delay", Number::kWhole, false, "1"},
        {"st_prepare_delay", Number::kWhole, false, "0"},
        {"st_final_delay", Number::kWhole, false, "1"},
        {"vct", Number::kWhole, false, "0", "only BookSim's event router reads it"},
        {"vc_allocator", Number::kNone, true, "islip"},
        {"sw_allocator", Number::kNone, true, "islip"},
        {"arb_type", Number::kNone, true, "round_robin"},
        {"alloc_iters", Number::kWhole, false, "1",
         "no counterpart: Weir's allocators have one iteration"},
        {"classes", Number::kWhole, false, "1"},
        {"traffic", Number::kNone, true, "uniform"},
        {"class_priority", Number::kWhole, true, "0", kClasses},
        {"perm_seed", Number::kWhole, true, "0", "only for the pattern randperm"},
        {"injection_rate", Number::kReal, true, "0.1"},
        {"injection_rate_uses_flits", Number::kWhole, false, "0"},
        {"packet_size", Number::kWhole, true, "1"},
        {"packet_size_rate", Number::kWhole, true, "1", "Weir has one length of packets"},
        {"injection_process", Number::kNone, true, "bernoulli"},
        {"burst_alpha", Number::kReal, false, "0.5"},
        {"burst_beta", Number::kReal, false, "0.5"},
        {"burst_r1", Number::kReal, false, "-1.0"},
        {"priority", Number::kNone, true, "none"},
        {"batch_size", Number::kWhole, false, "1000", "only with BookSim's sim_type = batch"},
        {"batch_count", Number::kWhole, false, "1", "only with BookSim's sim_type = batch"},
        {"max_outstanding_requests", Number::kWhole, false, "0",
         "only with BookSim's sim_type = batch"},
        {"use_read_write", Number::kWhole, true, "0"},
        {"write_fraction", Number::kReal, true, "0.5", kRequests},
        {"read_request_begin_vc", Number::kWhole, false, "0", kRequests},
        {"read_request_end_vc", Number::kWhole, false, "5", kRequests},
        {"write_request_begin_vc", Number::kWhole, false, "2", kRequests},
        {"write_request_end_vc", Number::kWhole, false, "7", kRequests},
        {"read_reply_begin_vc", Number::kWhole, false, "8", kRequests},
        {"read_reply_end_vc", Number::kWhole, false, "13", kRequests},
        {"write_reply_begin_vc", Number::kWhole, false, "10", kRequests},
        {"write_reply_end_vc", Number::kWhole, false, "15", kRequests},
        {"read_request_subnet", Number::kWhole, false, "0", kRequests},
        {"read_reply_subnet", Number::kWhole, false, "0", kRequests},
        {"write_request_subnet", Number::kWhole, false, "0", kRequests},
        {"write_reply_subnet", Number::kWhole, false, "0", kRequests},
        {"read_request_size", Number::kWhole, true, "1", kRequests},
        {"write_request_size", Number::kWhole, true, "1", kRequests},
        {"read_reply_size", Number::kWhole, true, "1", kRequests},
        {"write_reply_size", Number::kWhole, true, "1", kRequests},
        {"sim_type", Number::kNone, true, "latency"},
        {"warmup_periods", Number::kWhole, false, "3"},
        {"sample_period", Number::kWhole, false, "1000"},
        {"max_samples", Number::kWhole, false, "10"},
        {"measure_stats", Number::kWhole, true, "1", kReports},
        {"pair_stats", Number::kWhole, false, "0", kReports},
        {"latency_thres", Number::kReal, true, "500.0",
         "Weir calls a network saturated if packets are missing after traffic.drain_cycles"},
        {"warmup_thres", Number::kReal, true, "0.05", kThresholds},
        {"acc_warmup_thres", Number::kReal, true, "0.05", kThresholds},
        {"stopping_thres", Number::kReal, true, "0.05", kThresholds},
        {"acc_stopping_thres", Number::kReal, true, "0.05", kThresholds},
        {"sim_count", Number::kWhole, false, "1"},
        {"include_queuing", Number::kWhole, false, "1",
         "Weir's latency always includes the time in the source's queue"},
        {"seed", Number::kWhole, true, "0"},
        {"print_activity", Number::kWhole, false, "0", kReports},
        {"print_csv_results", Number::kWhole, false, "0", kReports},
        {"deadlock_warn_timeout", Number::kWhole, false, "256",
         "Weir proves the routing free of deadlock before the run"},
        {"viewer_trace", Number::kWhole, false, "0", kReports},
        {"watch_file", Number::kNone, true, "", kReports},
        {"watch_flits", Number::kNone, true, "", kReports},
        {"watch_packets", Number::kNone, true, "", kReports},
        {"watch_transactions", Number::kNone, true, "", kReports},
        {"watch_out", Number::kNone, true, "", kReports},
        {"stats_out", Number::kNone, true, "", kReports},
        {"sent_packets_out", Number::kNone, true, "", kReports},
        {"sim_power", Number::kWhole, false, "0", kPower},
        {"power_output_file", Number::kNone, true, "pwr_tmp", kPower},
        {"tech_file", Number::kNone, true, "", kPower},
        {"channel_width", Number::kWhole, false, "128", kPower},
        {"channel_sweep", Number::kWhole, false, "0", kPower},
        {"network_file", Number::kNone, true, ""},
    };
    return all_keys;
}

BooksimConfiguration::BooksimConfiguration(std::string_view text, const std::string& source)
    : source_(source) {
    if (const auto fault = hw::limit_fault(text, hw::kBooksimLimits)) {
        throw UserFault({source}, *fault);
    }
    if (text.substr(0, 3) == "\xef\xbb\xbf") {
        text.remove_prefix(3);
    }
    Scanner scanner(text, source_);
    for (Token token = scanner.next(); token.kind != TokenKind::kEnd; token = scanner.next()) {
        if (token.kind != TokenKind::kWord) {
            throw UserFault(token.place, described(token), kSetting);
        }
        const BooksimKey* key = find_key(token.text);
        if (key == nullptr) {
            std::vector<std::string> names;
            for (const BooksimKey& each : booksim_keys()) {
                names.emplace_back(each.name);
            }
            throw UserFault(token.place, "BookSim has no key " + described(token),
                            "a key of BookSim 2", nearest_name(token.text, names));
        }
        if (const Token sign = scanner.next(); sign.text != "=") {
            throw UserFault(sign.place,
                            fmt::format("{} behind {}", described(sign), described(token)),
                            "an equals sign");
        }
        const Token value = scanner.next();
        const bool is_text = value.kind == TokenKind::kWord;
        const bool is_fitting =
            is_text ? key->has_text
                    : (value.kind == TokenKind::kWhole && key->number == Number::kWhole) ||
                          (value.kind == TokenKind::kReal && key->number == Number::kReal);
        if (!is_fitting) {
            throw UserFault(value.place, fmt::format("{} is {}", key->name, described(value)),
                            accepted_by(*key));
        }
        Value read{0, 0.0, value.text, value.place};
        if (value.kind == TokenKind::kWhole) {
            std::int32_t whole = 0;  // BookSim's type
            const char* end = value.text.data() + value.text.size();
            if (std::from_chars(value.text.data(), end, whole).ec != std::errc()) {
                throw UserFault(value.place, fmt::format("{} is {}", key->name, described(value)),
                                "a whole number of 32 bits");
            }
            read.whole = whole;
        } else if (value.kind == TokenKind::kReal) {
            const char* end = value.text.data() + value.text.size();
            if (std::from_chars(value.text.data(), end, read.real).ec != std::errc()) {
                throw UserFault(value.place, fmt::format("{} is {}", key->name, described(value)),
                                "a number that fits a double");
            }
        }
        if (const Token sign = scanner.next(); sign.text != ";") {
            throw UserFault(sign.place,
                            fmt::format("{} behind {}", described(sign), described(value)),
                            "a semicolon");
        }
        if (std::find(order_.begin(), order_.end(), key->name) == order_.end()) {
            order_.emplace_back(key->name);
        }
        (is_text ? texts_ : numbers_)[std::string(key->name)] = std::move(read);
    }
    if (order_.empty()) {
        throw UserFault({source}, "has no settings", kSetting);
    }
}

std::int64_t BooksimConfiguration::whole(std::string_view key) const {
    const auto set = numbers_.find(key);
    return set == numbers_.end() ? number_of<std::int64_t>(known_key(key).default_value)
                                 : set->second.whole;
}

double BooksimConfiguration::real(std::string_view key) const {
    const auto set = numbers_.find(key);
    return set == numbers_.end() ? number_of<double>(known_key(key).default_value)
                                 : set->second.real;
}

std::string BooksimConfiguration::text(std::string_view key) const {
    const auto set = texts_.find(key);
    if (set != texts_.end()) {
        return set->second.text;
    }
    const BooksimKey& known = known_key(key);
    return known.number == Number::kNone ? std::string(known.default_value) : std::string();
}

std::string BooksimConfiguration::written(std::string_view key) const {
    const auto text = texts_.find(key);
    if (text != texts_.end()) {
        return fmt::format("{} = {}", key, text->second.text);
    }
    const auto number = numbers_.find(key);
    return fmt::format(
        "{} = {}", key,
        number != numbers_.end() ? number->second.text : std::string(known_key(key).default_value));
}

std::optional<Place> BooksimConfiguration::place_of(std::string_view key) const {
    const auto text = texts_.find(key);
    if (text != texts_.end()) {
        return text->second.place;
    }
    const auto number = numbers_.find(key);
    return number != numbers_.end() ? std::optional(number->second.place) : std::nullopt;
}

Place BooksimConfiguration::place(std::string_view key) const {
    return place_of(key).value_or(Place{source_});
}

std::vector<std::string> booksim_list(std::string_view text) {
    if (text.empty()) {
        return {};
    }
    if (text.front() != '{') {
        return {std::string(text)};
    }
    std::vector<std::string> items;
    std::size_t start = 1;
    int open = 0;
    for (std::size_t at = 1; at < text.size(); ++at) {
        if (text[at] == '{') {
            ++open;
        } else if (text[at] == '}' && open > 0) {
            --open;
        } else if ((text[at] == ',' || text[at] == '}') && open == 0) {
            if (at > start) {
                items.emplace_back(text.substr(start, at - start));
            }
            start = at + 1;
        }
    }
    return items;
}

}  // namespace weir::experiments::setup
