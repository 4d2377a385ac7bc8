#include "experiments/trace/exports/export_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "experiments/trace/testing/exported_file.h"
#include "experiments/trace/testing/hand_made_trace.h"

namespace weir::experiments::trace {
namespace {

using testing::StartsWith;

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
    EXPECT_EQ(error_of([&] { const ExportFile out(file("no") / "a", "-o a", true); }),
              "-o a: the file can't be written: No such file or directory");
    const auto fill = [](std::size_t bytes) {
        ExportFile out("/dev/full", "-o a", false);
        out.write(std::string(bytes, 'w'));
        out.close();
    };
    EXPECT_EQ(error_of([&] { fill(1'000'000); }),
              "-o a: the file can't be written: No space left on device");
    EXPECT_EQ(error_of([&] { fill(1); }),
              "-o a: the file can't be written: No space left on device");
}

}  // namespace
}  // namespace weir::experiments::trace
