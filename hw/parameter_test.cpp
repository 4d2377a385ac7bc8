#include "hw/parameter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "hw/testing/names.h"

namespace weir::hw {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
using weir::testing::Names;

using ::testing::ElementsAre;

enum class Colour : std::uint8_t { kRed, kGreen };

struct PartParameters : ParameterGroup {
    PartParameters() : ParameterGroup("part", "A part") {}

    Parameter<Cycles> delay_cycles{*this, "delay_cycles", 3, {1, 10}, "A delay", "a paper"};
    Parameter<std::int64_t> count{*this, "count", -7, {}, "A count"};
    Parameter<double> ratio{*this, "ratio", 0.5, {0.0, 2.5}, "A ratio"};
    Parameter<bool> enabled{*this, "enabled", true, {}, "Whether it works"};
    Parameter<std::string> label{*this, "label", "none", {}, "What it is called"};
    Parameter<FilePath> file{*this, "file", "", {}, "Its file"};
    Parameter<Words> words{*this, "words", "Its words"};
    Parameter<std::vector<std::int64_t>> extents{*this, "extents", {8, 4}, {1, 64}, "Its extents"};
    Choice<Colour> colour{*this,
                          "colour",
                          Colour::kRed,
                          {{Colour::kRed, "red"}, {Colour::kGreen, "green"}},
                          "Its colour"};
};

class ParameterTest : public ::testing::Test {
  public:
    // The value is refused, and the parameter keeps its old one.
    static void expect_refused(ParameterBase& parameter, const ParameterValue& value) {
        const ParameterValue before = parameter.value_as_variant();
        EXPECT_FALSE(parameter.set(value)) << parameter.name();
        EXPECT_EQ(parameter.value_as_variant(), before) << parameter.name();
    }
    PartParameters part;
};

TEST_F(ParameterTest, HoldsItsDefaultUntilItIsSet) {
    EXPECT_EQ(part.delay_cycles.value(), Cycles(3));
    EXPECT_EQ(part.count.value(), -7);
    EXPECT_EQ(part.ratio.value(), 0.5);
    EXPECT_TRUE(part.enabled.value());
    EXPECT_EQ(part.label.value(), "none");
    EXPECT_THAT(part.extents.value(), ElementsAre(8, 4));
    EXPECT_EQ(part.colour.value(), Colour::kRed);
}

TEST_F(ParameterTest, RemembersItsDefaultAfterItIsSet) {
    ASSERT_TRUE(part.delay_cycles.set(std::int64_t{9}));
    EXPECT_EQ(part.delay_cycles.value(), Cycles(9));
    EXPECT_EQ(part.delay_cycles.value_as_variant(), ParameterValue(std::int64_t{9}));
    EXPECT_EQ(part.delay_cycles.default_as_variant(), ParameterValue(std::int64_t{3}));
}

TEST_F(ParameterTest, AcceptsBothEndsOfItsRangeAndNothingBeyond) {
    EXPECT_TRUE(part.delay_cycles.set(std::int64_t{1}));
    EXPECT_TRUE(part.delay_cycles.set(std::int64_t{10}));
    expect_refused(part.delay_cycles, std::int64_t{0});
    expect_refused(part.delay_cycles, std::int64_t{11});
    EXPECT_TRUE(part.ratio.set(0.0));
    EXPECT_TRUE(part.ratio.set(2.5));
    expect_refused(part.ratio, -0.001);
    expect_refused(part.ratio, 2.501);
    expect_refused(part.ratio, std::numeric_limits<double>::quiet_NaN());
    expect_refused(part.ratio, std::numeric_limits<double>::infinity());
}

TEST_F(ParameterTest, WithoutARangeAcceptsEveryValueOfItsType) {
    EXPECT_TRUE(part.count.set(std::numeric_limits<std::int64_t>::min()));
    EXPECT_TRUE(part.count.set(std::numeric_limits<std::int64_t>::max()));
}

TEST_F(ParameterTest, RefusesValuesOfAnotherType) {
    expect_refused(part.delay_cycles, 3.0);
    expect_refused(part.delay_cycles, std::string("3"));
    expect_refused(part.delay_cycles, true);
    expect_refused(part.ratio, std::string("0.5"));
    expect_refused(part.ratio, true);
    expect_refused(part.enabled, std::int64_t{1});
    expect_refused(part.label, std::int64_t{1});
    expect_refused(part.extents, std::int64_t{8});
    expect_refused(part.colour, std::int64_t{1});
}

TEST_F(ParameterTest, AWholeNumberIsANumber) {
    EXPECT_TRUE(part.ratio.set(std::int64_t{2}));
    EXPECT_EQ(part.ratio.value(), 2.0);
    expect_refused(part.ratio, std::int64_t{3});
}

TEST_F(ParameterTest, ChecksEveryEntryOfAListAndRefusesAnEmptyOne) {
    EXPECT_TRUE(part.extents.set(std::vector<std::int64_t>{1, 64, 2}));
    EXPECT_THAT(part.extents.value(), ElementsAre(1, 64, 2));
    expect_refused(part.extents, std::vector<std::int64_t>{8, 65});
    expect_refused(part.extents, std::vector<std::int64_t>{0, 8});
    expect_refused(part.extents, std::vector<std::int64_t>{});
}

TEST_F(ParameterTest, AChoiceTakesTheNamesOfItsOptions) {
    EXPECT_TRUE(part.colour.set(std::string("green")));
    EXPECT_EQ(part.colour.value(), Colour::kGreen);
    EXPECT_EQ(part.colour.value_as_variant(), ParameterValue(std::string("green")));
    EXPECT_EQ(part.colour.default_as_variant(), ParameterValue(std::string("red")));
    expect_refused(part.colour, std::string("blue"));
    expect_refused(part.colour, std::string("Green"));
}

TEST_F(ParameterTest, WordsAreATextOrNumbers) {
    EXPECT_TRUE(part.words.value().empty());
    EXPECT_FALSE(part.words.is_given());
    EXPECT_TRUE(part.words.set(std::string(" -n 5 'two words' a\"b c\"'d' '' ")));
    EXPECT_EQ(part.words.value(), (std::vector<std::string>{"-n", "5", "two words", "ab cd", ""}));
    EXPECT_TRUE(part.words.is_given());
    EXPECT_TRUE(part.words.set(std::vector<std::int64_t>{-1, 20}));
    EXPECT_EQ(part.words.value(), (std::vector<std::string>{"-1", "20"}));
    EXPECT_TRUE(part.words.set(std::int64_t{9}));
    EXPECT_EQ(part.words.value(), (std::vector<std::string>{"9"}));
    EXPECT_TRUE(part.words.set(std::vector<std::int64_t>{-1, 20}));
    EXPECT_FALSE(part.words.set(std::string("an 'open quote")));
    EXPECT_FALSE(part.words.set(std::string("zero\0 inside", 11)));
    EXPECT_FALSE(part.words.set(2.5));
    EXPECT_EQ(part.words.value(), (std::vector<std::string>{"-1", "20"}));
    EXPECT_THAT(part.words.accepted(), Names("string", "words", "list", "numbers"));
}

TEST_F(ParameterTest, AFilesPathIsAStringAndSaysSo) {
    EXPECT_TRUE(part.file.is_file_path());
    EXPECT_FALSE(part.label.is_file_path());
    EXPECT_TRUE(part.file.set(std::string("a/b.mtx")));
    EXPECT_EQ(part.file.value(), "a/b.mtx");
    expect_refused(part.file, std::int64_t{1});
}

TEST_F(ParameterTest, SaysWhatItAccepts) {
    EXPECT_THAT(part.delay_cycles.accepted(), Names("whole", "1", "10"));
    EXPECT_THAT(part.count.accepted(), AllOf(Names("whole"), Not(ContainsRegex("[0-9]"))));
    EXPECT_THAT(part.ratio.accepted(), AllOf(Names("0", "2.5"), Not(HasSubstr("whole"))));
    EXPECT_THAT(part.enabled.accepted(), Names("true", "false"));
    EXPECT_EQ(part.label.accepted(), "a string");
    EXPECT_EQ(part.file.accepted(), "a file's path");
    EXPECT_THAT(part.extents.accepted(), Names("list", "whole", "1", "64"));
    EXPECT_THAT(part.colour.accepted(), Names("\"red\"", "\"green\""));
    PartParameters other;
    const Parameter<std::int64_t> bounded_below{
        other, "bounded_below", 1, {1, std::numeric_limits<std::int64_t>::max()}, "Open above"};
    EXPECT_THAT(bounded_below.accepted(), Names("whole", "least", "1"));
    const Parameter<double> bounded_above{
        other, "bounded_above", 1.0, {std::numeric_limits<double>::lowest(), 2.0}, "Open below"};
    EXPECT_THAT(bounded_above.accepted(), Names("most", "2"));
}

TEST_F(ParameterTest, CarriesItsSentenceAndItsSource) {
    EXPECT_EQ(part.delay_cycles.sentence(), "A delay");
    EXPECT_EQ(part.delay_cycles.source(), "a paper");
    EXPECT_EQ(part.count.source(), "");
}

TEST_F(ParameterTest, AGroupListsItsParametersAsDeclaredAndFindsThemByName) {
    std::vector<std::string> names;
    for (const ParameterBase* parameter : part.parameters()) {
        names.push_back(parameter->name());
    }
    EXPECT_THAT(names, ElementsAre("delay_cycles", "count", "ratio", "enabled", "label", "file",
                                   "words", "extents", "colour"));
    EXPECT_EQ(part.find("ratio"), &part.ratio);
    EXPECT_EQ(part.find("Ratio"), nullptr);
    EXPECT_EQ(part.table(), "part");
    EXPECT_EQ(part.check(), std::nullopt);
}

}  // namespace
}  // namespace weir::hw
