"""What readers download of a lab: its notebook, alone and with the code that it needs."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path

from book import ROOT
from book.artifacts import labs
from book.artifacts.cells import write

#: What is in an archive besides the notebook and its code.
BESIDE = ("requirements.txt", "constraints.txt", "LICENSE")


def write_download(name: str, language: str, site_url: str, repository: str = "", waits: bool = False) -> Path:
    """The notebook to download: today's prose with the outputs of its execution, for which a server ``waits``."""
    done, new = labs.executed(name, language), labs.notebook(name, language, site_url, repository)
    if done is None and not waits:
        raise labs.LabError(f"the lab {name} ({language}) has not been executed; run: python -m book labs")
    for old, cell in zip(labs.code_cells(done), labs.code_cells(new), strict=True) if done else ():
        cell.outputs, cell.execution_count = old.outputs, old.execution_count
    path = labs.notebook_path(name, language).with_name("download") / f"{name}.ipynb"
    write(new, path)
    return path


def write_archive(name: str, language: str) -> Path:
    """A zip file beside the notebook to download, with all that it needs of the book: it runs without a network."""
    path = labs.notebook_path(name, language).with_name("download") / f"{name}.zip"
    snippets, code = ROOT / "snippets", labs.modules(name, language)
    packages = {folder / "__init__.py" for file in code for folder in file.parents if folder.is_relative_to(snippets)}
    packages.add(snippets / "labs" / "__init__.py")  # what the first cell looks for, even if no cell imports it
    trained = {f"{name}.{suffix}" for name in _trained(name, language) for suffix in ("json", "safetensors")}
    texts = {text for file in code if file.name == "corpus.py" for text in (file.parent / "texts").iterdir()}
    files = {
        *code,
        *texts,
        *packages,
        *(snippets / "results" / file for file in trained),
        *(ROOT / file for file in BESIDE),
    }
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:

        def add(file: Path, inside: str) -> None:  # without today's date: the same files make the same archive
            archive.writestr(zipfile.ZipInfo(f"{name}/{inside}"), file.read_bytes(), zipfile.ZIP_DEFLATED)

        add(path.with_suffix(".ipynb"), f"{name}.ipynb")
        for file in sorted(filter(Path.is_file, files)):
            add(file, file.relative_to(ROOT).as_posix())
    if not path.is_file() or path.read_bytes() != content.getvalue():
        path.write_bytes(content.getvalue())
    return path


def _trained(name: str, language: str) -> set[str]:
    """The kept results that the cells of a lab read."""
    cells = labs.code_of(name, language)
    return {found for text in cells for found in re.findall(r'^@cached\("([^"]+)"\)', text, re.M)}
