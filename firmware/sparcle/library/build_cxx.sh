#!/usr/bin/env bash
# Builds libstdc++, the C++ library of Sparcle's programs, and the unwinder of libgcc, from the sources of Debian's gcc-N-source.
#   build_cxx.sh SOURCES.tar.xz FOLDER COMPILER FLAG...
# COMPILER is the cross compiler of C, and its C++ compiler is beside it. The flags name the folders of the C library's headers.
# FOLDER must not exist; it gets include/ and lib/ after a complete build. Work files are in FOLDER.building, which remains if
# the build is interrupted.
set -euo pipefail
exec 2>&1

sources=$1 folder=$2 compiler=$3
shift 3
working=$folder.building
gcc=$working/sources tools=${compiler%gcc}

rm -rf "$working"
mkdir -p "$gcc" "$working"/{objects,unwinder,installed/lib}
# Parts of the compiler's sources: the library, what its configuration reads, the unwinder, and the demangler.
tar --extract --file "$sources" --directory "$gcc" --strip-components=1 --wildcards \
    --exclude='*/testsuite/*/*' \
    'gcc-*/config' 'gcc-*/config*' 'gcc-*/*.sh' 'gcc-*/compile' 'gcc-*/depcomp' 'gcc-*/install-sh' 'gcc-*/missing' \
    'gcc-*/mkinstalldirs' 'gcc-*/move-if-change' 'gcc-*/multilib.am' 'gcc-*/gcc/BASE-VER' 'gcc-*/gcc/DATESTAMP' \
    'gcc-*/include' 'gcc-*/libgcc' 'gcc-*/libiberty' 'gcc-*/libstdc++-v3'

# The cross compiler is for Linux with threads; the library is for one thread. Atomic operations are functions of Weir.
sed -i 's/^\( *\)target_thread_file=.*/\1target_thread_file=single/' "$gcc/libstdc++-v3/configure"
echo 'atomicity_dir=cpu/generic/atomicity_builtins' >>"$gcc/libstdc++-v3/configure.host"
# Answers to questions that configure would ask by linking a program.
export ac_cv_func_fcntl=yes ac_cv_func_getexecname=no

# sparc-elf is a SPARC without an operating system. Flags adapt the compiler, which is for Linux.
cd "$working/objects"
flags="$* -nostdlib"
"$gcc/libstdc++-v3/configure" --build="$("$gcc/config.guess")" --host=sparc-elf \
    --prefix="$working/installed" --with-gxx-include-dir="$working/installed/include" \
    --with-newlib --disable-multilib --disable-nls --disable-shared --disable-libstdcxx-threads \
    --disable-libstdcxx-pch --with-default-libstdcxx-abi=new \
    CC="$compiler $flags" CXX="${tools}g++ $flags" CFLAGS='' CXXFLAGS='' \
    AR="${tools}ar" AS="${tools}as" LD="${tools}ld" NM="${tools}nm" RANLIB="${tools}ranlib"
make -C include
make --jobs="$(nproc)" -C libsupc++
make --jobs="$(nproc)" -C src
make -C include install
make -C libsupc++ install-data
cp src/.libs/libstdc++.a "$working/installed/lib"

# The unwinder finds the callers' frames and their handlers by DWARF tables. Its few macros that a complete build of the compiler
# would take from the compiler are here.
cd "$working/unwinder"
touch tconfig.h coretypes.h libgcc_tm.h md-unwind-support.h
echo '#define DWARF_REG_TO_UNWIND_COLUMN(number) (number)' >tm.h
cat >tsystem.h <<'END'
#include <stdlib.h>
#include <string.h>
#define gcc_assert(condition) ((void)((condition) ? 0 : (abort(), 0)))
#define gcc_unreachable() abort()
END
cp "$gcc/libgcc/unwind-generic.h" unwind.h
cp "$gcc/libgcc/gthr-single.h" gthr-default.h
for part in unwind-dw2 unwind-dw2-fde; do
    # shellcheck disable=SC2086 # the flags are separate words
    "$compiler" $flags -fexceptions -fbuilding-libgcc -DIN_LIBGCC2 -I. -I"$gcc/libgcc" -I"$gcc/include" \
        -c "$gcc/libgcc/$part.c" -o "$part.o"
done
"${tools}ar" rcs "$working/installed/lib/libgcc_eh.a" ./*.o

mv "$working/installed" "$folder"
rm -rf "$working"
