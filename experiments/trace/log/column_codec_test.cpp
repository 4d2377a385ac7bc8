#include "experiments/trace/log/column_codec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "experiments/trace/rows/table_columns.h"
#include "experiments/trace/rows/trace_schema.h"

namespace weir::experiments::trace {
namespace {

using Values = std::vector<std::int64_t>;

std::string written(const Values& values) {
    std::string bytes;
    append_column(bytes, values);
    return bytes;
}

Values read_back(const std::string& bytes, std::size_t count) {
    Values values(count);
    ByteReader in(bytes);
    read_column(in, values);
    EXPECT_TRUE(in.at_end());
    return values;
}

// A byte for the form and eight for the least value, then the bytes of each value.
std::size_t bytes_each(const Values& values) {
    return (written(values).size() - 9) / values.size();
}

TEST(ColumnCodecTest, WhatIsWrittenIsRead) {
    const std::int64_t message = 3 * kMessageIdsPerSource + 17;
    for (const Values& values : {
             Values{5},
             Values{5, 5, 5},
             Values{kAbsent, kAbsent},
             Values{kAbsent, 5, kAbsent},
             Values{0, 254},
             Values{0, 255},
             Values{0, 254, kAbsent},
             Values{-3, 70'000, kAbsent},
             Values{0, (std::int64_t{1} << 32) - 2},
             Values{0, (std::int64_t{1} << 32) - 1},
             Values{1, std::int64_t{1} << 32, kAbsent},
             Values{7, message, kAbsent, message + 1},
             Values{-1, message},
             Values{INT64_MAX, INT64_MIN + 1, 0, kAbsent},
             Values{INT64_MAX, 0},
         }) {
        EXPECT_EQ(read_back(written(values), values.size()), values);
    }
}

TEST(ColumnCodecTest, ValuesTakeAsManyBytesAsTheirRangeNeeds) {
    EXPECT_EQ(bytes_each({7, 7, 7}), 0U);
    EXPECT_EQ(bytes_each({1'000'000, 1'000'254}), 1U);
    EXPECT_EQ(bytes_each({1'000'000, 1'000'255}), 2U);
    EXPECT_EQ(bytes_each({0, 65'534}), 2U);
    EXPECT_EQ(bytes_each({0, 65'535}), 4U);
    EXPECT_EQ(bytes_each({-1, std::int64_t{1} << 40}), 8U);
}

TEST(ColumnCodecTest, MessagesOfManySourcesAreShort) {
    Values messages;
    for (int source = 0; source < 100; ++source) {
        messages.push_back(source * kMessageIdsPerSource + 500);
    }
    EXPECT_LT(written(messages).size(), 2 * messages.size());
}

TEST(ColumnCodecTest, RandomColumnsOfEveryWidth) {
    std::mt19937_64 random(1);
    for (int trial = 0; trial < 300; ++trial) {
        Values values(1 + random() % 50);
        const auto shift = random() % 64;
        for (std::int64_t& value : values) {
            value = random() % 7 == 0 ? kAbsent : static_cast<std::int64_t>(random() >> shift);
        }
        ASSERT_EQ(read_back(written(values), values.size()), values);
    }
}

TEST(ColumnCodecTest, BytesThatAreNoColumnAreRefused) {
    const auto is_refused = [](const std::string& bytes, std::size_t count) {
        Values values(count);
        ByteReader in(bytes);
        try {
            read_column(in, values);
        } catch (const DamagedBytes&) {
            return true;
        }
        return false;
    };
    const std::string good = written({1, 2, 300});
    for (std::size_t length = 0; length < good.size(); ++length) {
        EXPECT_TRUE(is_refused(good.substr(0, length), 3));
    }
    EXPECT_FALSE(is_refused(good, 3));
    EXPECT_TRUE(is_refused(good, 4));
    EXPECT_TRUE(is_refused("\x03" + good.substr(1), 3));
    // Sources and numbers that do not belong together, and columns inside columns.
    const std::string messages = written({0, kMessageIdsPerSource});
    EXPECT_FALSE(is_refused(messages, 2));
    std::string negative = "\x10";
    append_column(negative, Values{-1, 0});
    append_column(negative, Values{0, 0});
    EXPECT_TRUE(is_refused(negative, 2));
    std::string half = "\x10";
    append_column(half, Values{kAbsent, 0});
    append_column(half, Values{0, 0});
    EXPECT_TRUE(is_refused(half, 2));
    EXPECT_TRUE(is_refused("\x10" + messages, 2));
}

}  // namespace
}  // namespace weir::experiments::trace
