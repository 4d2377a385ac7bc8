#include "firmware/kernels/goal/goal_schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <utility>

#include "firmware/kernel.h"
#include "hw/input_limits.h"
#include "hw/text_cursor.h"

namespace weir::firmware {

namespace {

constexpr std::int64_t kMostScheduleRanks = 16'384;
constexpr std::int64_t kMostBytes = std::int64_t{1} << 30;
constexpr std::int64_t kMostCycles = 1'000'000'000'000'000;
constexpr std::int64_t kMostTag = 0xffff'fffe;

constexpr const char* kStatements =
    "num_ranks, rank, send, recv, calc, a label, requires, irequires, }";

struct Token {
    enum class Kind : std::uint8_t { kWord, kNumber, kSign, kLineEnd, kEnd };
    Kind kind = Kind::kEnd;
    std::string_view text;
    int line = 1;
    int column = 1;
};

class Tokens {
  public:
    Tokens(std::string_view text, const std::string& source)
        : text_(text), source_(source), cursor_(text) {
        next();
    }

    [[nodiscard]] const Token& head() const { return head_; }

    void next() {
        skip_blanks();
        head_ = {Token::Kind::kEnd, {}, cursor_.line(), cursor_.column()};
        if (cursor_.is_at_end()) {
            return;
        }
        const char first = text_[cursor_.at()];
        std::size_t length = 1;
        if (first == '\n') {
            head_.kind = Token::Kind::kLineEnd;
        } else if (is_digit(first)) {
            head_.kind = Token::Kind::kNumber;
            length = length_of([](char letter) { return is_digit(letter); });
        } else if (is_letter(first)) {
            head_.kind = Token::Kind::kWord;
            length = length_of(
                [](char letter) { return is_letter(letter) || is_digit(letter) || letter == '_'; });
        } else {
            head_.kind = Token::Kind::kSign;
            if (text_.substr(cursor_.at(), 2) == "-1") {
                length = 2;
            }
        }
        head_.text = text_.substr(cursor_.at(), length);
        cursor_.advance(length);
    }

    [[noreturn]] void refuse(const Token& token, const std::string& found,
                             const std::string& accepted) const {
        throw InputFault(fmt::format("{}:{}:{}", source_, token.line, token.column), found,
                         accepted);
    }
    [[noreturn]] void refuse_head(const std::string& accepted) const {
        refuse(head_, described(head_), accepted);
    }

    static std::string described(const Token& token) {
        return token.kind == Token::Kind::kEnd       ? "the end of the file"
               : token.kind == Token::Kind::kLineEnd ? "the end of the line"
                                                     : "\"" + hw::shortened(token.text, 80) + "\"";
    }

  private:
    static bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }
    static bool is_letter(char letter) {
        return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
    }

    template <class Belongs>
    [[nodiscard]] std::size_t length_of(Belongs belongs) const {
        std::size_t end = cursor_.at();
        while (end < text_.size() && belongs(text_[end])) {
            ++end;
        }
        return end - cursor_.at();
    }

    void skip_blanks() {
        while (!cursor_.is_at_end()) {
            const std::string_view begin = text_.substr(cursor_.at(), 2);
            if (begin == "//") {
                cursor_.advance(std::min(text_.find('\n', cursor_.at()), text_.size()) -
                                cursor_.at());
            } else if (begin == "/*") {
                const std::size_t end = text_.find("*/", cursor_.at() + 2);
                if (end == std::string_view::npos) {
                    refuse({Token::Kind::kSign, begin, cursor_.line(), cursor_.column()},
                           "a comment without an end", "*/");
                }
                cursor_.advance(end + 2 - cursor_.at());
            } else if (begin[0] == ' ' || begin[0] == '\t' || begin[0] == '\r') {
                cursor_.advance(1);
            } else {
                return;
            }
        }
    }

    std::string_view text_;
    const std::string& source_;
    hw::TextCursor cursor_;
    Token head_;
};

class Parser {
  public:
    Parser(std::string_view text, const std::string& source) : tokens_(text, source) {}

    GoalSchedule schedule() {
        skip_lines();
        if (!takes_word("num_ranks")) {
            tokens_.refuse_head("num_ranks and the number of ranks");
        }
        schedule_.resize(number("ranks", 1, kMostScheduleRanks));
        is_given_.resize(schedule_.size());
        for (skip_lines(); tokens_.head().kind != Token::Kind::kEnd; skip_lines()) {
            read_rank();
        }
        return std::move(schedule_);
    }

  private:
    void skip_lines() {
        while (tokens_.head().kind == Token::Kind::kLineEnd) {
            tokens_.next();
        }
    }
    bool takes(Token::Kind kind, std::string_view text) {
        if (tokens_.head().kind != kind || tokens_.head().text != text) {
            return false;
        }
        tokens_.next();
        return true;
    }
    bool takes_word(std::string_view word) { return takes(Token::Kind::kWord, word); }
    bool takes_sign(std::string_view sign) { return takes(Token::Kind::kSign, sign); }

    void require_word(std::string_view word) {
        if (!takes_word(word)) {
            tokens_.refuse_head(std::string(word));
        }
    }

    std::int64_t number(const char* what, std::int64_t least, std::int64_t most) {
        const Token token = tokens_.head();
        std::int64_t value = 0;
        if (token.kind == Token::Kind::kNumber) {
            const auto [end, error] =
                std::from_chars(token.text.data(), token.text.data() + token.text.size(), value);
            if (error == std::errc() && value >= least && value <= most) {
                tokens_.next();
                return value;
            }
        }
        tokens_.refuse(token, fmt::format("{}: {}", what, Tokens::described(token)),
                       fmt::format("a whole number from {} to {}", least, most));
    }

    void read_rank() {
        require_word("rank");
        const Token place = tokens_.head();
        const std::int64_t rank =
            number("rank", 0, static_cast<std::int64_t>(schedule_.size()) - 1);
        if (is_given_[rank]) {
            tokens_.refuse(place, fmt::format("rank {} a second time", rank), "each rank once");
        }
        is_given_[rank] = true;
        if (!takes_sign("{")) {
            tokens_.refuse_head("{");
        }
        operations_ = &schedule_[rank];
        labels_.clear();
        for (skip_lines(); !takes_sign("}"); skip_lines()) {
            read_statement();
        }
        refuse_circle(place);
    }

    void read_statement() {
        const Token first = tokens_.head();
        if (first.kind != Token::Kind::kWord) {
            tokens_.refuse_head(kStatements);
        }
        if (first.text == "send" || first.text == "recv" || first.text == "calc") {
            read_operation();
        } else {
            tokens_.next();
            if (takes_sign(":")) {
                if (!labels_.try_emplace(first.text, operations_->size()).second) {
                    tokens_.refuse(first, fmt::format("label {} a second time", first.text),
                                   "each label once in a rank");
                }
                read_operation();
            } else if (takes_word("requires")) {
                require(first, &GoalOperation::after_end);
            } else if (takes_word("irequires")) {
                require(first, &GoalOperation::after_start);
            } else {
                tokens_.refuse(first, Tokens::described(first), kStatements);
            }
        }
        if (tokens_.head().kind != Token::Kind::kLineEnd) {
            tokens_.refuse_head("the end of the line");
        }
    }

    void read_operation() {
        GoalOperation operation;
        operation.line = tokens_.head().line;
        if (takes_word("calc")) {
            operation.amount = number("cycles", 0, kMostCycles);
        } else if (takes_word("send")) {
            operation.kind = GoalOperation::Kind::kSend;
            read_message(operation, "to");
        } else if (takes_word("recv")) {
            operation.kind = GoalOperation::Kind::kReceive;
            read_message(operation, "from");
        } else {
            tokens_.refuse_head("send, recv, calc");
        }
        if (takes_word("cpu")) {
            number("cpu", 0, 0);
        }
        if (operation.kind != GoalOperation::Kind::kCalculate && takes_word("nic")) {
            number("nic", 0, 0);
        }
        operations_->push_back(std::move(operation));
    }

    void read_message(GoalOperation& operation, std::string_view preposition) {
        operation.amount = number("bytes", 0, kMostBytes);
        require_word("b");
        require_word(preposition);
        const bool is_any = operation.kind == GoalOperation::Kind::kReceive && takes_sign("-1");
        operation.peer = is_any
                             ? GoalOperation::kAny
                             : number("rank", 0, static_cast<std::int64_t>(schedule_.size()) - 1);
        if (takes_word("tag")) {
            const bool is_any_tag =
                operation.kind == GoalOperation::Kind::kReceive && takes_sign("-1");
            operation.tag = is_any_tag ? GoalOperation::kAny : number("tag", 0, kMostTag);
        }
    }

    std::size_t labelled(const Token& label) {
        const auto found = labels_.find(label.text);
        if (label.kind != Token::Kind::kWord || found == labels_.end()) {
            tokens_.refuse(label, "no label " + Tokens::described(label) + " above this line",
                           "a label of this rank");
        }
        return found->second;
    }

    void require(const Token& label, std::vector<std::size_t> GoalOperation::*after) {
        const std::size_t later = labelled(label);
        const std::size_t earlier = labelled(tokens_.head());
        tokens_.next();
        ((*operations_)[earlier].*after).push_back(later);
        ++(*operations_)[later].conditions;
    }

    // Removes operations without open conditions until none is left.
    void refuse_circle(const Token& place) const {
        std::vector<std::size_t> open(operations_->size());
        std::vector<std::size_t> free;
        for (std::size_t i = 0; i < open.size(); ++i) {
            open[i] = (*operations_)[i].conditions;
            if (open[i] == 0) {
                free.push_back(i);
            }
        }
        std::size_t count = 0;
        for (; !free.empty(); ++count) {
            const GoalOperation& done = (*operations_)[free.back()];
            free.pop_back();
            for (const auto* list : {&done.after_start, &done.after_end}) {
                for (const std::size_t next : *list) {
                    if (--open[next] == 0) {
                        free.push_back(next);
                    }
                }
            }
        }
        if (count < open.size()) {
            const auto stuck = std::find_if(open.begin(), open.end(),
                                            [](std::size_t conditions) { return conditions > 0; });
            tokens_.refuse(place,
                           fmt::format("the requirements of this rank's operation in line {} are "
                                       "circular",
                                       (*operations_)[stuck - open.begin()].line),
                           "operations that can be ordered");
        }
    }

    Tokens tokens_;
    GoalSchedule schedule_;
    std::vector<bool> is_given_;
    std::vector<GoalOperation>* operations_ = nullptr;  ///< operations of the current rank
    std::map<std::string_view, std::size_t> labels_;
};

}  // namespace

GoalSchedule parse_goal(std::string_view text, const std::string& source) {
    if (const auto fault = hw::limit_fault(text, hw::kGoalLimits)) {
        throw InputFault(source, fault->found, fault->accepted);
    }
    return Parser(text, source).schedule();
}

GoalSchedule read_goal(const std::string& path) {
    std::error_code ignored;
    std::ifstream file(path, std::ios::binary);
    if (!file || std::filesystem::is_directory(path, ignored)) {
        throw InputFault(path, "this file can't be read", "a GOAL schedule");
    }
    hw::skip_byte_order_mark(file);
    return parse_goal(hw::text_of(file, hw::kGoalLimits), path);
}

GoalSchedule goal_ring(std::int32_t ranks) {
    GoalSchedule schedule(ranks);
    for (std::int32_t rank = 0; rank < ranks; ++rank) {
        schedule[rank] = {
            {GoalOperation::Kind::kSend, 8, (rank + 1) % ranks},
            {GoalOperation::Kind::kReceive, 8, (rank + ranks - 1) % ranks},
        };
    }
    return schedule;
}

}  // namespace weir::firmware
