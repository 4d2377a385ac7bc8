#include "experiments/records/csv_input.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "experiments/setup/user_fault.h"

namespace weir::experiments::records {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class CsvInputTest : public ::testing::Test {
  protected:
    CsvInputTest()
        : path_(std::filesystem::temp_directory_path() /
                ("weir-csv-" + std::to_string(getpid()) + ".csv")) {}
    ~CsvInputTest() override { std::filesystem::remove(path_); }

    [[nodiscard]] CsvInput read(const std::string& rows) const {
        std::ofstream(path_, std::ios::binary) << "name,load,count\n" << rows;
        return {path_, "name,load,count"};
    }
    /// Message for a table with the one given row, when all its columns are read in order.
    [[nodiscard]] std::string refusal_of(const std::string& row) const {
        try {
            const CsvInput table = read(row);
            static_cast<void>(table.text(0, 0));
            static_cast<void>(table.number(0, 1));
            static_cast<void>(table.whole_number(0, 2, 0, 9));
        } catch (const setup::UserFault& fault) {
            return fault.what();
        }
        return "";
    }

    std::filesystem::path path_;
};

TEST_F(CsvInputTest, FieldsAreReadAsTheyWereWritten) {
    const CsvInput table = read("\"(0,0) +x\",0.25,7\n\"a \"\"b\"\"\",1e3,0\n");
    ASSERT_EQ(table.rows(), 2U);
    EXPECT_EQ(table.text(0, 0), "(0,0) +x");
    EXPECT_EQ(table.number(0, 1), 0.25);
    EXPECT_EQ(table.whole_number(0, 2), 7);
    EXPECT_EQ(table.text(1, 0), "a \"b\"");
    EXPECT_EQ(table.number(1, 1), 1000.0);
}

TEST_F(CsvInputTest, ColumnsOfATableFromElsewhereAreFoundByName) {
    static_cast<void>(read("a,1,2\r\n"));
    const CsvInput table(path_, std::vector<std::string>{"count", "name"});
    ASSERT_EQ(table.rows(), 1U);
    EXPECT_EQ(table.whole_number(0, 0), 2);
    EXPECT_EQ(table.one_of(0, 1, std::vector<std::string>{"a", "b"}), "a");
    EXPECT_THROW(static_cast<void>(table.one_of(0, 1, std::vector<std::string>{"b"})),
                 setup::UserFault);
    EXPECT_THROW(CsvInput(path_, std::vector<std::string>{"size"}), setup::UserFault);
    EXPECT_THROW(CsvInput("/no/such.csv", std::vector<std::string>{"name"}), setup::UserFault);
}

TEST_F(CsvInputTest, AnotherTableHasNoRows) {
    static_cast<void>(read("a,1,2\n"));
    EXPECT_EQ(CsvInput(path_, "name,load").rows(), 0U);
    EXPECT_EQ(CsvInput("/no/such.csv", "name,load,count").rows(), 0U);
}

TEST_F(CsvInputTest, WhatIsNoNumberIsRefusedWithLineAndColumn) {
    EXPECT_EQ(refusal_of("a,0.5,3\n"), "");
    for (const char* load :
         {"inf", "-inf", "nan", "1e999", "-0.5", "", "0.5 ", "0x1", "1e19", "many"}) {
        EXPECT_THAT(refusal_of(std::string("a,") + load + ",3\n"),
                    AllOf(HasSubstr(path_.string() + ":2: column load"), HasSubstr(load),
                          HasSubstr("accepted: a number from 0")))
            << load;
    }
    for (const char* count : {"-1", "10", "3.5", "99999999999999999999", "", "x"}) {
        EXPECT_THAT(refusal_of(std::string("a,0,") + count + "\n"),
                    AllOf(HasSubstr(":2: column count"), HasSubstr("from 0 to 9")))
            << count;
    }
    EXPECT_EQ(read("\xfe,0,3\n").text(0, 0), "\\xfe");
    EXPECT_THAT(refusal_of("a,0\n"), AllOf(HasSubstr(":2: the row has 2 fields"), HasSubstr("3")));
}

}  // namespace
}  // namespace weir::experiments::records
