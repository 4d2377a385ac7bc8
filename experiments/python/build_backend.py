"""Build back end of the package (PEP 517 and PEP 660) without requirements; it writes nothing into its folder.

pip install experiments/python           installs the package; it starts the program of this checkout
build_backend.py PROGRAM_FOLDER FOLDER   writes a wheel with the program into FOLDER; `./weir package` calls it

PROGRAM_FOLDER is an installation of the program: bin/weir, lib/weir, share/weir, include/weir.
"""

import ast
import base64
import hashlib
import os
import pathlib
import platform
import re
import struct
import sys
import zipfile

SOURCES = pathlib.Path(__file__).resolve().parent
PROGRAM = "weir/program"  # folder of the program in the package


def _forget_bytecode():
    # Python has written this module's bytecode before its first line runs.
    cached = globals().get("__cached__")
    if cached and os.path.isfile(cached):
        os.remove(cached)
        try:
            os.rmdir(os.path.dirname(cached))
        except OSError:
            pass  # it has other modules' bytecode


_forget_bytecode()


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Writes the wheel of the package, which starts the program of this checkout. Returns its name."""
    files = _package_files()
    launcher = SOURCES.parents[1] / "weir"
    if launcher.is_file():
        files["weir/checkout.txt"] = f"{launcher.parent}\n".encode()
    return _write_wheel(wheel_directory, files, "py3-none-any")


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """Writes a wheel that only refers to this folder. Returns its name."""
    return _write_wheel(wheel_directory, {"weir.pth": f"{SOURCES}\n".encode()}, "py3-none-any")


def build_sdist(sdist_directory, config_settings=None):
    """Refused: the sources of the package are the checkout."""
    raise NotImplementedError("a source distribution is not made; accepted: pip install on the folder itself, or its wheel")


def wheel_with_program(program, wheel_directory):
    """Writes a wheel with the program installed in the folder `program`. Returns its name."""
    files = _package_files()
    modes = {}
    for path in sorted(pathlib.Path(program).rglob("*")):
        if path.is_file():
            name = f"{PROGRAM}/{path.relative_to(program)}"
            files[name] = without_runpath(path.read_bytes()) if ".so" in path.name else path.read_bytes()
            modes[name] = 0o755 if os.access(path, os.X_OK) else 0o644
    # The program needs the C library of the system that built it, or a later one.
    library = platform.libc_ver()[1].replace(".", "_")
    return _write_wheel(wheel_directory, files, f"py3-none-manylinux_{library}_{platform.machine()}", modes,
                        "[console_scripts]\nweir = weir.program:main\n")


def without_runpath(library):
    """Returns a shared library (64-bit ELF) with RPATH in place of RUNPATH.

    A library with RUNPATH would look for others only there, and not where the program's own RPATH leads.
    """
    dynamic_segment, run_path, r_path = 2, 29, 15
    content = bytearray(library)
    begin, = struct.unpack_from("<Q", content, 32)
    size, count = struct.unpack_from("<HH", content, 54)
    for header in range(begin, begin + size * count, size):
        kind, _, offset, _, _, length = struct.unpack_from("<IIQQQQ", content, header)
        for entry in range(offset, offset + length, 16) if kind == dynamic_segment else ():
            if struct.unpack_from("<q", content, entry)[0] == run_path:
                struct.pack_into("<q", content, entry, r_path)
    return bytes(content)


def _package_files():
    return {str(path.relative_to(SOURCES)): path.read_bytes()
            for path in sorted((SOURCES / "weir").iterdir()) if path.suffix in (".py", ".typed")}


def _declared():
    """Returns the values of one line in pyproject.toml, and the version."""
    values = dict(re.findall(r'^([a-z-]+) = "(.*)"$', (SOURCES / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE))
    tree = ast.parse((SOURCES / "weir" / "__init__.py").read_text(encoding="utf-8"))
    for statement in tree.body:
        if isinstance(statement, ast.Assign) and statement.targets[0].id == "__version__":
            values["version"] = ast.literal_eval(statement.value)
    return values


def _write_wheel(folder, files, tag, modes=None, entry_points=""):
    declared = _declared()
    named = f"{declared['name']}-{declared['version']}"
    information = f"{named}.dist-info"
    files = dict(files)
    files[f"{information}/METADATA"] = (
        f"Metadata-Version: 2.1\nName: {declared['name']}\nVersion: {declared['version']}\n"
        f"Summary: {declared['description']}\nRequires-Python: {declared['requires-python']}\n"
        "Description-Content-Type: text/markdown\n\n" + (SOURCES / declared["readme"]).read_text(encoding="utf-8")).encode()
    files[f"{information}/WHEEL"] = (
        "Wheel-Version: 1.0\nGenerator: weir\n"
        f"Root-Is-Purelib: {'true' if tag.endswith('any') else 'false'}\nTag: {tag}\n").encode()
    if entry_points:
        files[f"{information}/entry_points.txt"] = entry_points.encode()
    record = f"{information}/RECORD"
    lines = []
    name = f"{named}-{tag}.whl"
    with zipfile.ZipFile(pathlib.Path(folder) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        def add(path, content):
            entry = zipfile.ZipInfo(path, (2020, 1, 1, 0, 0, 0))  # equal sources make equal wheels
            entry.external_attr = (0o100000 | (modes or {}).get(path, 0o644)) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, content)

        for path, content in files.items():
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            lines.append(f"{path},sha256={digest},{len(content)}\n")
            add(path, content)
        add(record, ("".join(lines) + f"{record},,\n").encode())
    return name


if __name__ == "__main__":
    print(wheel_with_program(*sys.argv[1:3]))
