"""Tests of .ci/release in a small repository."""

import contextlib
import datetime
import importlib.machinery
import importlib.util
import io
import os
import pathlib
import tempfile
import unittest

PATH = str(pathlib.Path(__file__).with_name("release"))
LOADER = importlib.machinery.SourceFileLoader("release", PATH)
release = importlib.util.module_from_spec(importlib.util.spec_from_loader("release", LOADER))
LOADER.exec_module(release)

FILES = {
    "CHANGELOG.md": "# Changes\n\nWeir has had no release yet. This page lists changes.\n\n## Unreleased\n\n### New\n- A part.\n",
    "CMakeLists.txt": "project(weir VERSION 0.1.0 LANGUAGES C)\n",
    "CITATION.cff": "cff-version: 1.2.0\nversion: 0.1.0\n",
    "experiments/python/weir/__init__.py": '__version__ = "0.1.0"  # equal\n',
}


class ReleaseTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for name in ("GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"):
            os.environ[name] = "somebody"
        release.git(self.root, "init", "--quiet")
        for path, text in FILES.items():
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).write_text(text)
        self.commit("Runs are faster")

    def commit(self, subject):
        release.git(self.root, "add", "--all")
        release.git(self.root, "commit", "--quiet", "--allow-empty", "--message", subject)

    def make(self, *words):
        said = io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            status = release.main(list(words), self.root, datetime.date(2030, 1, 2))
        return status, said.getvalue()

    def text(self, path):
        return (self.root / path).read_text()

    def test_a_release_has_its_commits_and_its_version_in_all_files(self):
        self.assertEqual(self.make("0.2.0")[0], 0)
        changes = self.text("CHANGELOG.md")
        self.assertIn("## Unreleased\n\n## 0.2.0, 2030-01-02\n\n### New\n- A part.\n\n### All commits\n- Runs are faster\n", changes)
        self.assertNotIn("no release yet", changes)
        self.assertEqual(self.text("CITATION.cff"), "cff-version: 1.2.0\nversion: 0.2.0\ndate-released: 2030-01-02\n")
        self.assertIn("VERSION 0.2.0 ", self.text("CMakeLists.txt"))
        self.assertEqual(self.text("experiments/python/weir/__init__.py"), '__version__ = "0.2.0"  # equal\n')
        self.assertEqual(release.git(self.root, "describe").strip(), "v0.2.0")

    def test_the_next_release_has_only_later_commits(self):
        self.make("0.2.0")
        self.commit("Pages have a map")
        self.assertEqual(self.make(), (0, "Pages have a map\n"))
        self.make("0.2.1")
        changes = self.text("CHANGELOG.md")
        newest = changes[changes.index("## 0.2.1"):changes.index("## 0.2.0")]
        self.assertIn("- Pages have a map\n", newest)
        self.assertNotIn("Runs are faster", newest)
        self.assertEqual(self.text("CITATION.cff").count("date-released"), 1)

    def test_bad_calls_change_nothing(self):
        self.make("0.2.0")
        self.assertIn("found 'v3'", self.make("v3")[1])
        self.assertIn("there is a tag v0.2.0", self.make("0.2.0")[1])
        (self.root / "new").write_text("x")
        self.assertEqual(self.make("0.3.0")[0], 2)
        self.assertIn("VERSION 0.2.0 ", self.text("CMakeLists.txt"))


if __name__ == "__main__":
    unittest.main()
