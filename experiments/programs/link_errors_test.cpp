// Messages of the GNU linker, as programs make them.
#include "experiments/programs/link_errors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hw/testing/names.h"

namespace weir::experiments::programs {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using weir::testing::Names;

TEST(LinkErrorsTest, EachUndefinedNameIsToldOnceWithItsFirstPlace) {
    const LinkErrors errors = read_link_errors(
        "/usr/bin/sparc64-linux-gnu-ld: /tmp/weir-x/0.o: in function `start':\n"
        "/home/me/f.c:3: undefined reference to `fork'\n"
        "/usr/bin/sparc64-linux-gnu-ld: /home/me/f.c:9: undefined reference to `fork'\n"
        "/usr/bin/sparc64-linux-gnu-ld: l.a(g.o): in function `g':\n"
        "g.c:(.text.g+0x18): undefined reference to `compute'\n"
        "/usr/bin/sparc64-linux-gnu-ld: l.a(t.o):(.data+0x0): undefined reference to `table'\n"
        "/usr/bin/sparc64-linux-gnu-ld: l.a(t.o):(.data+0x4): more undefined references to `fork' "
        "follow\n"
        "collect2: error: ld returned 1 exit status\n",
        {.c_library = true});
    EXPECT_EQ(errors.other, "");
    EXPECT_THAT(errors.undefined,
                ElementsAre(Names("/home/me/f.c:3", "function start", "fork", "one program"),
                            Names("g.c", "function g", "nothing defines", "compute"),
                            Names("l.a(t.o)", "table")));
    EXPECT_EQ(errors.undefined[1].find("(.text"), std::string::npos);
    EXPECT_EQ(errors.undefined[2].find("function g"), std::string::npos);
}

TEST(LinkErrorsTest, TheAcceptedDependsOnTheProgram) {
    const auto told = [](const std::string& name, const LinkedParts& parts) {
        return read_link_errors("a.c:1: undefined reference to `" + name + "'\n", parts)
            .undefined.at(0);
    };
    constexpr LinkedParts kPlain{.c_library = true};
    constexpr LinkedParts kThreads{.threads = true, .c_library = true};
    EXPECT_THAT(told("pthread_create", kPlain), Names("pthread_create", "--threads"));
    EXPECT_THAT(told("pthread_cancel", kThreads), Names("pthread_cancel", "pthread.h"));
    EXPECT_THAT(told("MPI_Win_lock", kPlain), Names("MPI_Win_lock", "mpi.h"));
    EXPECT_THAT(told("MPI_Init", kThreads), Names("MPI_Init", "without --threads"));
    EXPECT_THAT(told("execvp", kPlain), Names("execvp", "one program"));
    EXPECT_THAT(told("__real_main", kPlain), Names("main"));
    EXPECT_THAT(told("malloc", {}), Names("malloc", "--library"));
    for (const char* name : {"std::cout", "vtable for std::exception", "typeinfo for char const*",
                             "__gxx_personality_v0"}) {
        EXPECT_THAT(told(name, kPlain), Names(name, "weir-c++"));
        EXPECT_THAT(told(name, kThreads), Names(name, "without --threads"));
    }
    EXPECT_THAT(told("vtable for Shape", kPlain), Names("nothing defines vtable for Shape"));
    EXPECT_THAT(told("typeinfo for integer", kPlain), Names("nothing defines typeinfo"));
    EXPECT_THAT(told("std::f()", {.c_library = true, .cxx_library = true}),
                Names("nothing defines std::f()"));
}

TEST(LinkErrorsTest, AMissingCxxLibraryIsToldOnce) {
    const LinkErrors errors = read_link_errors(
        "/usr/bin/ld: a.o: in function `main':\n"
        "/home/me/a.cpp:3: undefined reference to `std::cout'\n"
        "/usr/bin/ld: /home/me/a.cpp:5: undefined reference to `__cxa_begin_catch'\n"
        "/usr/bin/ld: a.o: in function `_GLOBAL__sub_I_main':\n"
        "/home/me/a.cpp:9: undefined reference to `__dso_handle'\n"
        "/usr/bin/ld: .a.out.b: hidden symbol `__dso_handle' isn't defined\n"
        "/usr/bin/ld: final link failed: bad value\n",
        {.c_library = true});
    EXPECT_EQ(errors.other, "");
    EXPECT_THAT(errors.undefined, ElementsAre(Names("/home/me/a.cpp:3", "std::cout", "weir-c++")));
}

TEST(LinkErrorsTest, OtherMessagesStayAsTheyAre) {
    const std::string other =
        "/usr/bin/ld: a.o: in function `f':\n"
        "a.c:(.text+0x1): multiple definition of `f'; b.o:b.c:(.text+0x0): first defined here\n"
        "/usr/bin/ld: cannot find -lnone: No such file or directory\n";
    const LinkErrors errors = read_link_errors(
        other + "collect2: error: ld returned 1 exit status\n", {.c_library = true});
    EXPECT_EQ(errors.other, other);
    EXPECT_THAT(errors.undefined, IsEmpty());
}

}  // namespace
}  // namespace weir::experiments::programs
