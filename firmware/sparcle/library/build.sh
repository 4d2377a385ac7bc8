#!/usr/bin/env bash
# Builds newlib, the C library of Sparcle's programs, from the sources of Debian's newlib-source.
#   build.sh SOURCES.tar.xz FOLDER COMPILER FLAG...
# FOLDER must not exist; it gets include/ and lib/ after a complete build. Work files are in
# FOLDER.building, which remains if the build is interrupted.
set -euo pipefail
exec 2>&1

sources=$1 folder=$2 compiler=$3
shift 3
working=$folder.building

rm -rf "$working"
mkdir -p "$working/sources" "$working/objects"
tar --extract --file "$sources" --directory "$working/sources" --strip-components=1
cd "$working/objects"
# sparc-elf is a SPARC without an operating system. Flags adapt the compiler, which is for Linux.
# Input and output support C99's formats, and no multibyte characters beyond those of the "C"
# locale. time_t is a long, as old programs declare it.
# The threads of a program share files, which have locks then.
options=()
if [[ " $* " == *" -DWEIR_THREADS "* ]]; then
    options=(--enable-newlib-global-stdio-streams --enable-newlib-retargetable-locking)
fi
"$working/sources/newlib/configure" "${options[@]}" --host=sparc-elf --prefix="$working/installed" \
    --disable-newlib-supplied-syscalls --disable-multilib --disable-newlib-wide-orient \
    --enable-newlib-io-long-long --enable-newlib-io-c99-formats --enable-newlib-long-time_t \
    CC="$compiler $*" CFLAGS=-g1 AR="${compiler%gcc}ar" AS="${compiler%gcc}as" RANLIB="${compiler%gcc}ranlib" MAKEINFO=:
make --jobs="$(nproc)"
make install
# The library keeps only the debugging information about stack frames: with it, back traces of faults
# lead through the library to the program's call.
for archive in "$working"/installed/sparc-elf/lib/lib{c,m}.a; do
    "${compiler%gcc}objcopy" --wildcard --remove-section='!.debug_frame' --remove-section='.debug_*' "$archive"
done
rm "$working/installed/sparc-elf/lib/libg.a"
mv "$working/installed/sparc-elf" "$folder"
rm -rf "$working"
