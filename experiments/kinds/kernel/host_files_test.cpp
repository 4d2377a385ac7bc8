// Tests of each call in firmware/sparcle/host_call.h, on a hand-made memory.
#include "experiments/kinds/kernel/host_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <utility>

#include "experiments/setup/files/temporary_folder.h"
#include "hw/testing/names.h"
#include "nodes/programming/plain_memory.h"
#include "nodes/programming/processor.h"

namespace weir::experiments::kinds {
namespace {

using ::testing::HasSubstr;
using weir::testing::Names;

constexpr std::uint32_t kCallWords = 0x100;
constexpr std::uint32_t kText = 0x200;
constexpr std::uint32_t kToRead = 0;
constexpr std::uint32_t kToWrite = 1 | WEIR_OPEN_CREATE | WEIR_OPEN_EMPTY;

class HostFilesTest : public ::testing::Test {
  protected:
    struct Answer {
        std::int32_t result;
        std::uint32_t error;
        std::uint32_t cycles;
        bool operator==(const Answer&) const = default;
    };

    HostFilesTest() {
        write_file("in.txt", "one\ntwo\n");
        use({.folder = folder_.path(), .call_cycles = 100, .cycles_per_byte = 1.5});
    }

    void use(firmware::CompiledKernel::HostAccess access) {
        files_.emplace(
            memory_, 2, std::move(access),
            HostFiles::Surroundings{
                .console = [this](hw::NodeId, char character) { console_ += character; },
                .place = [](hw::NodeId, std::uint32_t) { return std::string("malloc"); }});
    }

    void write_file(const std::string& name, const std::string& text) const {
        std::ofstream(folder_.path() / name) << text;
    }
    void put(const std::string& text, int node = 0) {
        memory_.write_memory(hw::NodeId(node), kText,
                             {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
    }
    std::string text(std::size_t count) {
        std::vector<std::uint8_t> bytes(count);
        memory_.read_memory(hw::NodeId(0), kText, bytes);
        return {bytes.begin(), bytes.end()};
    }
    Answer call(std::array<std::uint32_t, 4> words, int node = 0) {
        std::vector<std::uint8_t> bytes;
        for (const std::uint32_t word : words) {
            for (int shift = 24; shift >= 0; shift -= 8) {
                bytes.push_back(static_cast<std::uint8_t>(word >> shift));
            }
        }
        memory_.write_memory(hw::NodeId(node), kCallWords, bytes);
        files_->call(hw::NodeId(node), kCallWords);
        std::array<std::uint8_t, 12> answer{};
        memory_.read_memory(hw::NodeId(node), kCallWords + 16, answer);
        std::array<std::uint32_t, 3> found{};
        for (std::size_t i = 0; i < answer.size(); ++i) {
            found[i / 4] = found[i / 4] << 8 | answer[i];
        }
        return {static_cast<std::int32_t>(found[0]), found[1], found[2]};
    }
    Answer open(const std::string& name, std::uint32_t flags, int node = 0) {
        put(name, node);
        return call({WEIR_CALL_OPEN, kText, static_cast<std::uint32_t>(name.size()), flags}, node);
    }
    Answer write(std::int32_t file, const std::string& text, int node = 0) {
        put(text, node);
        return call({WEIR_CALL_WRITE, static_cast<std::uint32_t>(file), kText,
                     static_cast<std::uint32_t>(text.size())},
                    node);
    }
    Answer read(std::int32_t file, std::uint32_t bytes) {
        return call({WEIR_CALL_READ, static_cast<std::uint32_t>(file), kText, bytes});
    }
    [[nodiscard]] std::string written(const std::string& name) const {
        files_->write(folder_.path() / "run");
        std::ifstream file(folder_.path() / "run" / "files" / name);
        return {std::istreambuf_iterator<char>(file), {}};
    }

    setup::TemporaryFolder folder_{"weir-host-files"};
    nodes::PlainMemory memory_{2, hw::Bytes(0x1000)};
    std::string console_;
    std::optional<HostFiles> files_;
};

TEST_F(HostFilesTest, AFileIsReadPieceByPiece) {
    EXPECT_EQ(open("in.txt", kToRead), (Answer{3, 0, 100}));
    EXPECT_EQ(read(3, 5), (Answer{5, 0, 108}));  // 5 bytes take 7.5 cycles, rounded up
    EXPECT_EQ(text(5), "one\nt");
    EXPECT_EQ(read(3, 100), (Answer{3, 0, 105}));
    EXPECT_EQ(read(3, 100), (Answer{0, 0, 100}));
    EXPECT_EQ(call({WEIR_CALL_SEEK, 3, static_cast<std::uint32_t>(-4), 2}), (Answer{4, 0, 100}));
    EXPECT_EQ(read(3, 100).result, 4);
    EXPECT_EQ(call({WEIR_CALL_SIZE, 3}).result, 8);
    EXPECT_EQ(write(3, "x").error, WEIR_ERROR_BAD_FILE);
    EXPECT_EQ(call({WEIR_CALL_CLOSE, 3}).error, 0U);
    EXPECT_EQ(call({WEIR_CALL_CLOSE, 3}).error, WEIR_ERROR_BAD_FILE);
}

TEST_F(HostFilesTest, WhatANodeWritesIsItsOwn) {
    EXPECT_EQ(open("out/of.txt", kToWrite), (Answer{3, 0, 100}));
    EXPECT_EQ(write(3, "0123456789"), (Answer{10, 0, 115}));
    EXPECT_EQ(call({WEIR_CALL_SEEK, 3, 12, 0}).result, 12);
    EXPECT_EQ(write(3, "ab").result, 2);
    EXPECT_EQ(open("out/of.txt", kToRead).result, 4);
    EXPECT_EQ(read(4, 100).result, 14);
    EXPECT_EQ(text(14), std::string("0123456789\0\0ab", 14));
    EXPECT_EQ(open("out/of.txt", kToRead, 1).error, WEIR_ERROR_NO_FILE);
    EXPECT_EQ(open("in.txt", 1 | WEIR_OPEN_APPEND, 1).result, 3);
    EXPECT_EQ(write(3, "three\n", 1).result, 6);
    EXPECT_EQ(written("node-0/out/of.txt"), std::string("0123456789\0\0ab", 14));
    EXPECT_EQ(written("node-1/in.txt"), "one\ntwo\nthree\n");
    EXPECT_EQ(open("in.txt", kToRead).result, 5);
    EXPECT_EQ(read(5, 100).result, 8);
}

TEST_F(HostFilesTest, AFileIsTheSameForWhoeverOpensItLater) {
    EXPECT_EQ(open("in.txt", kToRead).result, 3);
    write_file("in.txt", "changed");
    EXPECT_EQ(open("in.txt", kToRead, 1).result, 3);
    EXPECT_EQ(call({WEIR_CALL_SIZE, 3}, 1).result, 8);
}

TEST_F(HostFilesTest, TheConsoleIsTwoFilesAndTheInputIsEmpty) {
    EXPECT_EQ(write(WEIR_FILE_CONSOLE, "out"), (Answer{3, 0, 105}));
    EXPECT_EQ(write(WEIR_FILE_ERRORS, "err").result, 3);
    EXPECT_EQ(console_, "outerr");
    EXPECT_EQ(read(WEIR_FILE_INPUT, 10), (Answer{0, 0, 100}));
    EXPECT_EQ(call({WEIR_CALL_SEEK, 1, 0, 0}).error, WEIR_ERROR_NO_PLACE);
}

TEST_F(HostFilesTest, InputIsReadByEachNodeFromItsBeginning) {
    use({.folder = folder_.path(), .input = folder_.path() / "in.txt"});
    EXPECT_EQ(read(WEIR_FILE_INPUT, 4).result, 4);
    EXPECT_EQ(text(4), "one\n");
    EXPECT_EQ(call({WEIR_CALL_READ, WEIR_FILE_INPUT, kText, 100}, 1).result, 8);
    EXPECT_EQ(read(WEIR_FILE_INPUT, 100).result, 4);
    EXPECT_EQ(read(WEIR_FILE_INPUT, 100).result, 0);
    EXPECT_EQ(call({WEIR_CALL_SIZE, WEIR_FILE_INPUT}).result, 8);
    EXPECT_EQ(call({WEIR_CALL_SEEK, WEIR_FILE_INPUT, 4, 0}).result, 4);
    EXPECT_EQ(read(WEIR_FILE_INPUT, 100).result, 4);
    EXPECT_EQ(open("in.txt", kToRead).result, 3);
}

TEST_F(HostFilesTest, NodesOfOneProcessHaveTheSameFiles) {
    use({.folder = folder_.path(), .input = folder_.path() / "in.txt", .is_one_process = true});
    EXPECT_EQ(read(WEIR_FILE_INPUT, 4).result, 4);
    EXPECT_EQ(call({WEIR_CALL_READ, WEIR_FILE_INPUT, kText, 100}, 1).result, 4);
    EXPECT_EQ(open("out.txt", kToWrite).result, 3);
    EXPECT_EQ(write(3, "from 0, ").result, 8);
    EXPECT_EQ(write(3, "from 1", 1).result, 6);
    EXPECT_EQ(open("out.txt", kToRead, 1).result, 4);
    EXPECT_EQ(read(4, 100).result, 14);
    EXPECT_EQ(written("node-0/out.txt"), "from 0, from 1");
    EXPECT_FALSE(std::filesystem::exists(folder_.path() / "run" / "files" / "node-1"));
}

TEST_F(HostFilesTest, DevicesAreOpenedByTheirNames) {
    EXPECT_EQ(open("/dev/stdin", kToRead).result, WEIR_FILE_INPUT);
    EXPECT_EQ(open("/dev/stdout", kToWrite).result, WEIR_FILE_CONSOLE);
    EXPECT_EQ(open("/dev/stderr", kToWrite).result, WEIR_FILE_ERRORS);
    EXPECT_EQ(open("/dev/null", 2).result, 3);
    EXPECT_EQ(write(3, "lost").result, 4);
    EXPECT_EQ(call({WEIR_CALL_SEEK, 3, 0, 0}).result, 0);
    EXPECT_EQ(read(3, 10).result, 0);
    EXPECT_EQ(written("node-0/dev/null"), "");
}

TEST_F(HostFilesTest, AProgramRemovesTheFilesThatItHasMade) {
    const auto remove = [this](const std::string& name) {
        put(name);
        return call({WEIR_CALL_REMOVE, kText, static_cast<std::uint32_t>(name.size())}).error;
    };
    EXPECT_EQ(open("out.txt", kToWrite).result, 3);
    EXPECT_EQ(remove("out.txt"), 0U);
    EXPECT_EQ(remove("out.txt"), WEIR_ERROR_NO_FILE);
    EXPECT_EQ(write(3, "still open").result, 10);
    EXPECT_EQ(open("out.txt", kToRead).error, WEIR_ERROR_NO_FILE);
    EXPECT_EQ(remove("in.txt"), WEIR_ERROR_READ_ONLY);
    EXPECT_EQ(open("in.txt", 1).result, 4);
    EXPECT_EQ(remove("in.txt"), WEIR_ERROR_READ_ONLY);
    EXPECT_THROW(remove("../in.txt"), firmware::InputFault);
    files_->write(folder_.path() / "run");
    EXPECT_FALSE(std::filesystem::exists(folder_.path() / "run" / "files/node-0/out.txt"));
}

TEST_F(HostFilesTest, WhatIsNotThereIsAnError) {
    EXPECT_EQ(open("none.txt", kToRead), (Answer{-1, WEIR_ERROR_NO_FILE, 100}));
    EXPECT_EQ(open("none.txt", 1).error, WEIR_ERROR_NO_FILE);
    EXPECT_EQ(open("in.txt", kToWrite | WEIR_OPEN_NEW).error, WEIR_ERROR_THERE);
    EXPECT_EQ(open(".", kToRead).error, WEIR_ERROR_FOLDER);
    EXPECT_EQ(open("", kToRead).error, WEIR_ERROR_NO_FILE);
    EXPECT_EQ(open("in.txt", WEIR_OPEN_ACCESS).error, WEIR_ERROR_BAD_ARGUMENT);
    EXPECT_EQ(open(std::string(WEIR_MOST_NAME_BYTES + 1, 'a'), kToRead).error,
              WEIR_ERROR_NAME_TOO_LONG);
    EXPECT_EQ(call({99, 0, 0, 0}).error, WEIR_ERROR_BAD_ARGUMENT);
    EXPECT_EQ(read(7, 1).error, WEIR_ERROR_BAD_FILE);
    EXPECT_EQ(open("a", kToWrite).result, 3);
    EXPECT_EQ(open("a/b", kToWrite).error, WEIR_ERROR_NO_FILE);
    for (int file = 4; file < WEIR_FIRST_FILE + WEIR_MOST_FILES; ++file) {
        EXPECT_EQ(open("in.txt", kToRead).result, file);
    }
    EXPECT_EQ(open("in.txt", kToRead).error, WEIR_ERROR_TOO_MANY);
}

TEST_F(HostFilesTest, WhatNoHandlerMayCallEndsTheRun) {
    try {
        static_cast<void>(call({WEIR_CALL_REFUSE, 0x1234}));
        FAIL();
    } catch (const nodes::ProgramFault& fault) {
        EXPECT_THAT(fault.what(), Names("malloc", "handler"));
    }
}

TEST_F(HostFilesTest, AFaultOfTheProgramHasItsValuesInTheText) {
    constexpr std::uint32_t kName = 0x300;
    const auto put_at = [this](std::uint32_t address, const std::vector<std::uint8_t>& bytes) {
        memory_.write_memory(hw::NodeId(1), address, bytes);
    };
    const auto fault = [&](const std::string& text, const std::vector<std::uint8_t>& values) {
        put(text + '\0', 1);
        put_at(0x400, values);
        put_at(kName, {'m', 'a', 'i', 'n', '\n', 0});
        try {
            static_cast<void>(call({WEIR_CALL_FAULT, kText, 0x400}, 1));
        } catch (const nodes::ProgramFault& told) {
            return std::string(told.what());
        }
        return std::string();
    };
    EXPECT_EQ(fault("rank %d, tag %d in %s: 5 %", {0, 0, 0, 12, 255, 255, 255, 254, 0, 0, 3, 0}),
              "rank 12, tag -2 in main?: 5 %");
    EXPECT_EQ(fault("", {}), "");
    // A text without an end is cut at the longest length. For a text outside memory another fault
    // is reported.
    put_at(0x800, std::vector<std::uint8_t>(0x800, 'x'));
    EXPECT_EQ(fault("%s", {0, 0, 8, 0}), std::string(WEIR_MOST_FAULT_BYTES, 'x'));
    EXPECT_THAT(fault("%s", {0, 0, 0x20, 0}), Names("outside", "memory"));
}

TEST_F(HostFilesTest, AFileOutsideTheFolderEndsTheRun) {
    std::filesystem::create_directory_symlink("/etc", folder_.path() / "link");
    for (const char* name : {"/etc/passwd", "..", "../x", "a/../../x", "link/passwd"}) {
        try {
            static_cast<void>(open(name, kToRead));
            FAIL() << name;
        } catch (const firmware::InputFault& fault) {
            EXPECT_THAT(fault.what(), HasSubstr(name));
            EXPECT_THAT(fault.what(), Names("outside", "folder"));
        }
    }
}

}  // namespace
}  // namespace weir::experiments::kinds
