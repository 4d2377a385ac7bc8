#include "experiments/setup/files/toml_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "experiments/setup/testing/setup_fixture.h"
#include "hw/testing/names.h"

namespace weir::experiments::setup {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using ::weir::testing::Names;

std::string syntax_fault(const std::string& text) {
    return fault_of([&] { (void)parse_toml(text, "a.toml"); });
}

std::string description_of(const std::string& value) {
    return described(parse_toml("x = " + value, "a.toml").as_table()->entries.front());
}

TEST(TomlTree, KeepsTheOrderOfTheText) {
    const TomlEntry tree = parse_toml("z = 1\na = 2\n[m]\nb = 3\n", "a.toml");
    const auto& entries = tree.as_table()->entries;
    ASSERT_EQ(entries.size(), 3);
    EXPECT_EQ(entries[0].key, "z");
    EXPECT_EQ(entries[1].key, "a");
    EXPECT_EQ(entries[2].key, "m");
}

TEST(TomlTree, PlacesKeysAndValues) {
    const TomlEntry tree = parse_toml("title = 'x'\n[network]\nhop.cycles  =  [1, 22]\n", "a.toml");
    const TomlEntry& network = *tree.as_table()->find("network");
    EXPECT_EQ(network.key_place, (Place{"a.toml", 2, 2}));
    const TomlEntry& cycles = *network.as_table()->find("hop")->as_table()->find("cycles");
    EXPECT_EQ(cycles.key_place, (Place{"a.toml", 3, 5}));
    EXPECT_EQ(cycles.place, (Place{"a.toml", 3, 16}));
    EXPECT_EQ(cycles.as_list()->items[1].place, (Place{"a.toml", 3, 20}));
}

TEST(TomlTree, CountsColumnsInCharacters) {
    const TomlEntry tree = parse_toml("x = { 'µµ' = 1, y = 2 }", "a.toml");
    EXPECT_EQ(tree.as_table()->find("x")->as_table()->find("y")->place.column, 21);
}

TEST(TomlTree, SyntaxFaultHasItsPosition) {
    EXPECT_THAT(syntax_fault("a = 1\nb = [1, 2\nc = 3\n"),
                Names("a.toml:3:1", "TOML", "']'", "'c'"));
    EXPECT_THAT(syntax_fault("a = 1\na = 2\n"),
                Names("a.toml:2:5", "TOML", "\"a\"", "[table]", "once"));
    EXPECT_THAT(syntax_fault("[a]\nb = 1\n[a]\nb = 2\n"),
                AllOf(StartsWith("a.toml:3:1: "), Names("\"a\"", "[table]", "once")));
    EXPECT_THAT(syntax_fault("a.b = 1\n[a]\nc = 2\n"), Names("\"a\"", "[table]", "once"));
}

TEST(TomlTree, AListOfTablesStandsAtItsKeyAndItsTablesAtTheirBrackets) {
    const TomlEntry tree = parse_toml("[[a]]\nb = 1\n[[a]]\nb = 2\n", "a.toml");
    const TomlEntry& list = *tree.as_table()->find("a");
    EXPECT_EQ(list.place, (Place{"a.toml", 1, 3}));
    EXPECT_EQ(list.as_list()->items[0].place, (Place{"a.toml", 1, 1}));
    EXPECT_EQ(list.as_list()->items[1].place, (Place{"a.toml", 3, 1}));
}

TEST(TomlTree, NumbersThatDoNotFitAreRefusedAndNotCut) {
    for (const char* number :
         {"1e400", "99999999999999999999", "-99999999999999999999", "0xffffffffffffffff"}) {
        EXPECT_THAT(syntax_fault(std::string("a = ") + number + "\n"), StartsWith("a.toml:1:"))
            << number;
    }
    EXPECT_THAT(syntax_fault("# µ\na = [1.0, 1e-400]\n"),
                AllOf(StartsWith("a.toml:2:11: "), HasSubstr("1e-400")));
    EXPECT_THAT(syntax_fault("\xEF\xBB\xBFx = -0.00001e-320\n"), StartsWith("a.toml:1:5: "));
    for (const char* zero : {"0.0", "-0.0", "0e5", "0.000e-400", "0.0_0"}) {
        EXPECT_EQ(syntax_fault(std::string("a = ") + zero + "\n"), "none") << zero;
    }
    EXPECT_EQ(syntax_fault("a = 5e-324\n"), "none");
}

TEST(TomlTree, TextsWithControlCharactersAreRefused) {
    for (const char* escape : {"\\u0000", "\\u001B", "\\u007F"}) {
        EXPECT_THAT(syntax_fault(std::string("a = ['x', \"") + escape + "\"]\n"),
                    AllOf(StartsWith("a.toml:1:11: "), HasSubstr("control")))
            << escape;
    }
    EXPECT_EQ(syntax_fault("a = \"tab\\t, line\\n, \\u00E9\"\n"), "none");
}

TEST(TomlTree, SyntaxFaultIsOneLine) {
    EXPECT_THAT(syntax_fault("a = tru\n"), Names("a.toml:1:8", "TOML", "'true'", "'tru\\n'"));
}

// toml++ recurses once per level.
TEST(TomlTree, LevelsAndKeysHaveLimits) {
    EXPECT_THAT(syntax_fault("a = " + std::string(51, '[') + std::string(51, ']')),
                Names("a.toml:", "50 levels"));
    std::string key = "a";
    for (int i = 0; i < 50; ++i) {
        key += ".a";
    }
    EXPECT_THAT(syntax_fault("[b]\n" + key + " = 1\n"), Names("a.toml:2:1", "key", "parts", "50"));
    // The most parts and the most levels together are accepted.
    key = key.substr(0, 2 * 50 - 1);
    std::string text;
    for (int i = 0; i < 50; ++i) {
        text += (i == 0 ? key : "{" + key) + " = ";
    }
    EXPECT_EQ(syntax_fault(text + "1" + std::string(49, '}')), "none");
}

TEST(TomlTree, DescribesValueAndType) {
    EXPECT_THAT(description_of("true"), Names("boolean", "true"));
    EXPECT_THAT(description_of("12"), Names("whole", "12"));
    EXPECT_THAT(description_of("2.0"), AllOf(Names("number", "2.0"), Not(HasSubstr("whole"))));
    EXPECT_THAT(description_of("'a\"b'"), Names("string", "\"a\\\"b\""));
    EXPECT_THAT(description_of("[]"), Names("empty", "list"));
    EXPECT_THAT(description_of("[1, 'a', [true], {b = 2, c = 3}, {}]"),
                Names("list", "[1, \"a\", [true], { b = 2, c = 3 }, {}]"));
    EXPECT_THAT(description_of("[2001-01-14]"), ContainsRegex("list \\[a date\\]"));
    EXPECT_THAT(description_of("{}"), HasSubstr("table"));
    EXPECT_THAT(description_of("2001-01-14"), AllOf(HasSubstr("date"), Not(HasSubstr("time"))));
    EXPECT_THAT(description_of("12:00:00"), AllOf(HasSubstr("time"), Not(HasSubstr("date"))));
    EXPECT_THAT(description_of("2001-01-14T12:00:00Z"), Names("date", "time"));
}

TEST(TomlTree, OnlyListsOfWholeNumbersAreParameterValues) {
    const auto value_of = [](const std::string& text) {
        return parse_toml_value(text, Place{})->as_parameter_value();
    };
    EXPECT_EQ(value_of("[4, 8]"), hw::ParameterValue(std::vector<std::int64_t>{4, 8}));
    EXPECT_EQ(value_of("[4, 8.0]"), std::nullopt);
    EXPECT_EQ(value_of("['a']"), std::nullopt);
    EXPECT_EQ(value_of("{}"), std::nullopt);
    EXPECT_EQ(value_of("2001-01-14"), std::nullopt);
}

TEST(TomlTree, ValuesReadBackAsWritten) {
    const std::vector<hw::ParameterValue> values = {
        true,
        std::numeric_limits<std::int64_t>::min(),
        0.1,
        2.0,
        -0.0,
        1e300,
        std::numeric_limits<double>::denorm_min(),
        std::numeric_limits<double>::infinity(),
        std::string("quote \" backslash \\ tab \t line \n µ"),
        std::vector<std::int64_t>{},
        std::vector<std::int64_t>{1, -2, 3}};
    for (const hw::ParameterValue& value : values) {
        const std::optional<TomlEntry> back = parse_toml_value(toml_text(value), Place{});
        ASSERT_TRUE(back) << toml_text(value);
        EXPECT_EQ(back->as_parameter_value(), value) << toml_text(value);
    }
}

TEST(TomlTree, ValueIsOneValue) {
    EXPECT_FALSE(parse_toml_value("1\nb = 2", Place{}));
    EXPECT_FALSE(parse_toml_value("", Place{}));
    EXPECT_FALSE(parse_toml_value("remap", Place{}));
}

TEST(TomlTree, EverythingInAValueIsAtItsPlace) {
    const Place place{"--set x"};
    const std::optional<TomlEntry> list = parse_toml_value("[{ a = 1 }]", place);
    ASSERT_TRUE(list);
    const TomlEntry& table = list->as_list()->items.front();
    EXPECT_EQ(table.place, place);
    EXPECT_EQ(table.as_table()->entries.front().key_place, place);
    EXPECT_EQ(table.as_table()->entries.front().place, place);
}

TEST(TomlTree, KeyIsSplitAtItsDots) {
    using Keys = std::vector<std::string>;
    EXPECT_EQ(parse_toml_key("a"), Keys{"a"});
    EXPECT_EQ(parse_toml_key("a . \"b.c\".d"), (Keys{"a", "b.c", "d"}));
    EXPECT_FALSE(parse_toml_key(""));
    EXPECT_FALSE(parse_toml_key("a..b"));
    EXPECT_FALSE(parse_toml_key("a b"));
    EXPECT_FALSE(parse_toml_key("[a]\nb"));
}

}  // namespace
}  // namespace weir::experiments::setup
