"""Build of the wheel, for `./weir package`."""

from setuptools import setup

setup(
    name="weir",
    version="0.1.0",  # equal to the program's version (CMakeLists.txt)
    description="Runs Weir's experiments and sweeps from Python, and reads their results",
    packages=["weir"],
    python_requires=">=3.9",
)
