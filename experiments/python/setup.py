"""The wheel: ./weir package makes it."""

from setuptools import setup

setup(
    name="weir",
    version="0.1.0",  # the program's (CMakeLists.txt)
    description="Runs Weir's experiments and sweeps from Python, and reads what they left",
    packages=["weir"],
    python_requires=">=3.9",
)
