#include "experiments/trace/exports/export_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "experiments/trace/testing/exported_file.h"
#include "experiments/trace/testing/hand_made_trace.h"
#include "hw/testing/names.h"

namespace weir::experiments::trace {
namespace {

using testing::StartsWith;
using weir::testing::Names;

class ExportFileTest : public TraceTest {
  protected:
    void write(const std::string& name, const std::string& text, bool compressed) const {
        ExportFile out(file(name), name, compressed);
        out.write(text);
        out.close();
    }
    [[nodiscard]] std::string bytes_of(const std::string& name) const {
        std::ostringstream bytes;
        bytes << std::ifstream(file(name), std::ios::binary).rdbuf();
        return bytes.str();
    }
};

TEST_F(ExportFileTest, WritesTheTextAsItIsOrCompressed) {
    const std::string text(10'000, 'w');
    write("plain", text, false);
    EXPECT_EQ(bytes_of("plain"), text);
    write("small", text, true);
    EXPECT_LT(bytes_of("small").size(), 200);
    EXPECT_EQ(text_of_export(file("small")), text);
}

TEST_F(ExportFileTest, CompressedBytesTellNeitherTimeNorName) {
    write("one", "the same", true);
    write("other", "the same", true);
    EXPECT_EQ(bytes_of("one"), bytes_of("other"));
    EXPECT_THAT(bytes_of("one"), StartsWith(std::string("\x1f\x8b\x08\0\0\0\0\0", 8)));
}

TEST_F(ExportFileTest, AFileThatCanNotBeWrittenIsAnErrorByTheNameTheUserKnows) {
    EXPECT_THAT(error_of([&] { const ExportFile out(file("no") / "a", "-o a", true); }),
                Names("-o a", std::strerror(ENOENT)));
    const auto fill = [](std::size_t bytes) {
        ExportFile out("/dev/full", "-o a", false);
        out.write(std::string(bytes, 'w'));
        out.close();
    };
    EXPECT_THAT(error_of([&] { fill(1'000'000); }), Names("-o a", std::strerror(ENOSPC)));
    EXPECT_THAT(error_of([&] { fill(1); }), Names("-o a", std::strerror(ENOSPC)));
}

}  // namespace
}  // namespace weir::experiments::trace
