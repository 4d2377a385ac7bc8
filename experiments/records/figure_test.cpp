#include "experiments/records/figure.h"

#include <gtest/gtest.h>

namespace weir::experiments::records {
namespace {

TEST(FigureTest, DataAsCsvQuotesWhatHasToBeAndKeepsEveryBit) {
    DataTable data;
    data.columns = {"point", "value, cycles"};
    data.rows = {{std::string("a \"b\", c"), 0.1 + 0.2}, {std::string("plain"), {}}};
    EXPECT_EQ(csv_text(data),
              "point,\"value, cycles\"\n\"a \"\"b\"\", c\",0.30000000000000004\nplain,\n");
}

}  // namespace
}  // namespace weir::experiments::records
