"""Executes a notebook's cells in order, and compares their output with the output in the notebook.

Plots are drawn by a stand-in for matplotlib.

notebook.py [--write] NOTEBOOK.ipynb   runs in the current folder; --write stores the new output in the notebook.
Exit status: 0 if all outputs are equal, else 1.
"""

import ast
import contextlib
import io
import json
import sys

import stub_matplotlib


def executed(source, names):
    """Returns the output of a cell: its printed text, and the value of its last statement if this is an expression."""
    printed = io.StringIO()
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "<cell>", "exec"), names)
        value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names) if last else None
        if value is not None:
            print(repr(value))
    return printed.getvalue()


def output_of(text):
    return [{"name": "stdout", "output_type": "stream", "text": text.splitlines(keepends=True)}] if text else []


def main(arguments):
    writes = arguments[:1] == ["--write"]
    path = arguments[-1]
    with open(path, encoding="utf-8") as file:
        notebook = json.load(file)
    names, differ = {}, 0
    for number, cell in enumerate(cell for cell in notebook["cells"] if cell["cell_type"] == "code"):
        found = output_of(executed("".join(cell["source"]), names))
        if writes:
            cell["execution_count"] = number + 1
            cell["outputs"] = found
        elif cell["outputs"] != found:
            differ += 1
            print(f"cell {number + 1} prints\n{''.join(found[0]['text']) if found else ''}\ninstead of\n"
                  f"{''.join(line for output in cell['outputs'] for line in output['text'])}")
    if writes:
        with open(path, "w", encoding="utf-8") as file:
            json.dump(notebook, file, indent=1, ensure_ascii=False)
            file.write("\n")
    return 1 if differ else 0


if __name__ == "__main__":
    with stub_matplotlib.installed():
        status = main(sys.argv[1:])
    sys.exit(status)
