"""What stands round the book: requirements, workflows, and what README and CONTRIBUTING say one can do."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from book import ROOT
from book.__main__ import COMMANDS
from book.artifacts import cells, machines, notebooks
from book.source.page import fences
from book.source.parser import parse
from book.source.text import lines_of, near, read

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
GUIDES = ["README.md", "CONTRIBUTING.md"]


# ---- requirements


def unpinned(text: str) -> list[str]:
    """What is wrong with the lines of a file of requirements."""
    problems = []
    for number, line in enumerate(lines_of(text), start=1):
        line = line.partition("#")[0].strip()
        if not line or line == "-c constraints.txt":
            continue
        pins = [] if line.startswith("-") else list(Requirement(line).specifier)
        if len(pins) != 1 or pins[0].operator != "==" or "*" in pins[0].version:
            problems.append(f"{number}: {line} is not pinned: write NAME==VERSION")
    return problems


@pytest.mark.parametrize("name", ["requirements.txt", "constraints.txt", "requirements-types.txt"])
def test_every_requirement_is_pinned(name):
    assert unpinned(read(ROOT / name)) == []


@pytest.mark.parametrize(
    "line", ["torch", "torch>=2.13", "torch==2.*", "torch==2.13.0,!=2.13.1", "-e .", "torch @ https://host.example/x"]
)
def test_a_requirement_that_is_not_pinned_is_found(line):
    assert len(unpinned(f"# torch==1.0\n-c constraints.txt\nnumpy==2.4.6 # why\n{line}\n")) == 1


def test_every_requirement_has_its_reason():
    for line in lines_of(read(ROOT / "requirements.txt")):
        if re.match(r"\w", line):
            assert re.search(r"==\S+ +# \w", line), (
                f"requirements.txt: say behind it what the book needs this for: {line}"
            )


def code_packages() -> list[str]:
    """Return the names in requirements-code.txt: what runs the code of the pages and the exercises."""
    lines = [line.partition("#")[0].strip() for line in lines_of(read(ROOT / "requirements-code.txt"))]
    return [line for line in lines if line and not line.startswith("-")]


def test_the_short_list_for_readers_has_the_versions_of_the_long_one():
    text, names = read(ROOT / "requirements-code.txt"), code_packages()
    assert "\n-c requirements.txt\n" in text
    pinned = {re.match(r"[\w-]*", line)[0] for line in lines_of(read(ROOT / "requirements.txt"))}
    assert set(names) <= pinned, "a version stands in requirements.txt, and nowhere else"
    for name in names:
        assert name == "torch" or re.search(rf"^{name} +# \w", text, re.M), (
            f"say behind {name} what readers need it for"
        )


@pytest.mark.thorough
def test_the_short_list_is_enough_for_all_labs_and_for_most_pages():
    listed = importable(code_packages())
    assert set(cells.NEEDED) < listed
    enough = {}
    for path in (ROOT / "docs" / "en").glob("*/*.md"):
        page = parse(path, "en", path.relative_to(ROOT / "docs" / "en").as_posix())
        if notebooks.has_one(page):
            code = [cell.source for cell in notebooks.notebook(page, "", "").cells if cell.cell_type == "code"]
            enough[page.name] = set(notebooks._needed(code[1:])[0]) <= listed
    assert sum(enough.values()) > 0.6 * len(enough)
    assert all(fits for name, fits in enough.items() if name.startswith("attention/") and "sqrt" not in name)


def importable(packages: list[str]) -> set[str]:
    """Return what can be imported where these packages were installed, with what they need in turn."""
    todo, found = list(packages), set()
    while todo:
        if (name := todo.pop().lower().replace("_", "-")) not in found:
            found.add(name)
            needs = map(Requirement, metadata.requires(name) or [])
            todo += [need.name for need in needs if need.marker is None or need.marker.evaluate({"extra": ""})]
    return {
        module
        for module, names in metadata.packages_distributions().items()
        if found & {name.lower().replace("_", "-") for name in names}
    }


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["attention/soft-lookup", "before/byte-pair-encoding", "training/decoding"])
def test_a_page_runs_with_the_short_list_alone(name):
    missing = sorted(set(metadata.packages_distributions()) - importable(code_packages()))
    page = parse(ROOT / "docs" / "en" / f"{name}.md", "en", f"{name}.md")
    code = [cell.source for cell in notebooks.notebook(page, "", "").cells if cell.cell_type == "code"][1:]
    code = [cell for cell in code if "figures.show(" not in cell and cell[0] != "%"]  # as one pastes it
    hidden = "import sys\nsys.modules.update(dict.fromkeys({missing!r}))\n{code}"
    run = subprocess.run(
        [sys.executable, "-c", hidden.format(missing=missing, code="\n".join(code))],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
    )
    assert run.returncode == 0, run.stderr


def test_torch_alone_comes_from_the_index_of_its_cpu_builds():
    """Another name that PyPI has could be somebody else's there."""
    named = [ROOT / "README.md", *(ROOT / "docs").glob("*/appendix/running.md"), ROOT / ".ci" / "lean", *WORKFLOWS]
    pin = re.search(r"^torch==\S+", read(ROOT / "requirements.txt"), re.M)[0]
    for path in named:
        text = read(path)
        assert "EXTRA_INDEX" not in text.upper().replace("-", "_"), path
        for line in lines_of(text):
            for index in re.finditer(r"pip install (?=[^`&]*--index-url)[^`&\n]*", line):
                assert "--no-deps" in index[0] and (pin in index[0] or '"$(grep' in index[0]), f"{path}: {index[0]}"


def test_what_guards_the_site_has_owners():
    owned = {}
    for line in lines_of(read(ROOT / ".github" / "CODEOWNERS")):
        if line and not line.startswith("#"):
            pattern, *owners = line.split()
            assert list(ROOT.glob(pattern.strip("/"))), f"CODEOWNERS: there is no {pattern}"
            owned[pattern] = owners
    assert all(owned.values())
    for path in ("/.github/", "/book/finish/policy.py", "/requirements*", "/constraints.txt"):
        assert path in owned, f"CODEOWNERS: nobody has to agree to a change of {path}"


def test_no_change_waits_for_the_pages_of_others():
    path = ROOT / ".github" / "workflows" / "links.yml"
    assert triggers(path) == {"schedule", "workflow_dispatch"}
    steps = yaml.safe_load(read(path))["jobs"]["links"]["steps"]
    assert steps[-1]["run"] == "python -m book external"
    others = "".join(read(one) for one in WORKFLOWS if one != path)
    assert "links.yml" not in others and "book.checks.external" not in others


def test_nothing_of_the_book_reads_a_pickle():
    """Whoever can write such a file can run code where it is read."""
    for path in [path for folder in ("book", "snippets", "exercises") for path in (ROOT / folder).rglob("*.py")]:
        assert not re.search(
            r"^\s*(?:import|from) (?:pickle|shelve|dill|joblib)\b|weights_only=False", read(path), re.M
        ), path


def test_nothing_is_pinned_twice():
    names = [
        Requirement(line.partition("#")[0]).name.lower()
        for file in ("requirements.txt", "constraints.txt")
        for line in lines_of(read(ROOT / file))
        if re.match(r"\w", line)
    ]
    assert len(names) == len(set(names))


def unlocked(lock: str, pinned: list[str]) -> list[str]:
    """What is pinned, NAME==VERSION, and has no file in the lock, with the hash that pip is to find."""
    locked = {entry.split()[0] for entry in re.split(r"\n(?=\S)", lock) if "--hash=sha256:" in entry}
    return [pin for pin in pinned if pin.lower().replace("_", "-") not in {one.replace("_", "-") for one in locked}]


def test_the_lock_has_all_that_is_pinned_but_torch():
    pinned = [
        line.partition("#")[0].strip()
        for file in ("requirements.txt", "constraints.txt")
        for line in lines_of(read(ROOT / file))
        if re.match(r"\w", line) and not line.startswith("torch==")
    ]
    missing = unlocked(read(ROOT / "requirements.lock"), pinned)
    assert len(pinned) > 100 and not missing, f"requirements.lock has no {', '.join(missing)}: run .ci/lock"
    lock = "# a\none==1.0 ; python_version > '3' \\\n    --hash=sha256:ab\ntwo==2.0\n"
    assert unlocked(lock, ["One==1.0", "two==2.0", "three==3.0"]) == ["two==2.0", "three==3.0"]


@pytest.mark.thorough
@pytest.mark.parametrize("python", ["3.11.0", "3.13.0"])
def test_every_package_runs_on_each_python_that_the_readme_names(python):
    """pip on another 3.11 than this one would find no such version; Debian 12 has 3.11.2."""
    pinned = {
        Requirement(line.partition("#")[0]).name
        for file in ("requirements.txt", "constraints.txt")
        for line in lines_of(read(ROOT / file))
        if re.match(r"\w", line)
    }
    here = {name for names in metadata.packages_distributions().values() for name in names}
    wants = {name: metadata.metadata(name).get("Requires-Python") or "" for name in pinned & here}
    assert len(wants) > 50
    assert not {name: want for name, want in wants.items() if not SpecifierSet(want).contains(python)}


# ---- workflows


def findings(folder: Path) -> str:
    """What zizmor says of workflows: actions without digest, dangerous triggers, credentials that stay, injections."""
    command = [
        "zizmor",
        "--offline",
        "--no-progress",
        "--no-config",
        "--min-severity=medium",
        "--format=plain",
        str(folder),
    ]
    told = subprocess.run(
        [str(Path(sys.executable).parent / command[0]), *command[1:]], capture_output=True, encoding="utf-8"
    )
    assert told.returncode in (0, 10, 11, 12, 13, 14), told.stderr
    return told.stdout if told.returncode else ""


def triggers(path: Path) -> set[str]:
    """On what a workflow starts. YAML takes the word `on` for a truth."""
    return set(yaml.safe_load(read(path))[True])


def test_zizmor_finds_nothing_in_the_workflows():
    assert findings(ROOT / ".github") == ""


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("deploy.yml", r"(actions/deploy-pages)@\w+ # .*", r"\1@v4", "unpinned-uses"),
        ("test.yml", r"  pull_request:", "  pull_request_target:", "dangerous-triggers"),
        ("test.yml", r" +with:\n +persist-credentials: false\n", "", "artipacked"),
        ("test.yml", r"run: pytest", "run: echo ${{ github.head_ref }}", "template-injection"),
    ],
)
def test_zizmor_finds_what_is_unsafe(tmp_path, file, old, new, said):
    folder = tmp_path / ".github" / "workflows"
    folder.mkdir(parents=True)
    for path in WORKFLOWS:
        (folder / path.name).write_text(read(path), encoding="utf-8")
    text, count = re.subn(old, new, read(folder / file), count=1)
    assert count == 1
    (folder / file).write_text(text, encoding="utf-8")
    assert said in findings(tmp_path / ".github")


def test_only_the_main_branch_is_published_and_only_after_its_tests():
    deploy = ROOT / ".github" / "workflows" / "deploy.yml"
    assert triggers(deploy) == {"push"}, "by hand, any branch could be published"
    workflow = yaml.safe_load(read(deploy))
    assert workflow[True]["push"] == {"branches": ["main"]}
    jobs = workflow["jobs"]
    assert jobs["test"]["uses"] == "./.github/workflows/test.yml"
    assert (jobs["build"]["needs"], jobs["deploy"]["needs"]) == ("test", "build")


def test_the_pdf_is_offered_by_the_build_that_is_followed_by_its_printing():
    steps = yaml.safe_load(read(ROOT / ".github" / "workflows" / "deploy.yml"))["jobs"]["build"]["steps"]
    does = [step.get("run") or step["uses"] for step in steps]
    build, printing = does.index("mkdocs build --strict"), does.index("python -m book pdf")
    upload = next(number for number, step in enumerate(does) if "upload-pages-artifact" in step)
    assert build < printing < upload
    offering = [step for step in steps if "OFFER_PDF" in step.get("env", {})]
    assert offering == [steps[build]] and steps[upload]["with"]["path"] == "site"


def test_only_the_job_that_publishes_may_write():
    for path in WORKFLOWS:
        workflow = yaml.safe_load(read(path))
        assert workflow["permissions"] == {"contents": "read"}
        for name, job in workflow["jobs"].items():
            writes = [scope for scope, allowed in job.get("permissions", {}).items() if allowed == "write"]
            assert not writes or (path.name, name) == ("deploy.yml", "deploy"), (
                f"{path.name}: {name} may write {writes}"
            )


# ---- what the guides say


def anchor(heading: str) -> str:
    """The address of a heading, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def stale_links(text: str) -> list[str]:
    anchors = {anchor(found) for found in re.findall(r"^#+ (.*)$", text, re.M)}
    text = re.sub(r"^(`{3,}).*?^\1$|`[^`\n]+`", "", text, flags=re.S | re.M)  # the forms of a page
    problems = []
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        path, _, fragment = target.partition("#")
        if re.match(r"https?:", target):
            continue
        if path and not (ROOT / path).exists():
            problems.append(f"{target} leads to no file")
        elif not path and fragment not in anchors:
            problems.append(f"{target} leads to no heading{near(fragment, anchors)}")
    return problems


def stale_names(text: str) -> list[str]:
    """Names of files and folders that there are not; what is written in capitals stands for any."""
    problems = []
    for name in re.findall(r"`([\w.-]+/[\w./-]*|[\w-]+\.(?:py|md|yml|txt|toml))(?=[`,: ])", text):
        if not re.search(r"\b[A-Z]{2,}\b", name.replace("README", "").replace("CONTRIBUTING", "")):
            places = [ROOT, ROOT / "docs" / "ko"]
            if not any((place / name).exists() for place in places):
                problems.append(f"there is no {name}")
    return problems


def commands(text: str) -> list[str]:
    """What a reader is told to type: blocks for a shell, and pieces of code that begin with a program's name."""
    typed = [line for fence in fences(lines_of(text)) if fence.language == "sh" for line in fence.body]
    typed += re.findall(r"`((?:python3?|pytest|mkdocs|ruff|pip) [^`]+)`", text)
    return [part.strip() for line in typed for part in line.split("&&")]


def stale_commands(text: str) -> list[str]:
    """Commands that name what there is not: a module, a file, a command of the book or of MkDocs."""
    problems = []
    for command in commands(text):
        words = command.split()
        for flag, name in zip(words, words[1:], strict=False):
            if flag == "-m" and words[0].startswith("python") and name != "venv":
                module = ROOT / name.replace(".", "/")
                if not module.with_suffix(".py").exists() and not (module / "__main__.py").exists():
                    problems.append(f"{command}: there is no {name}")
            if flag == "-r" and not (ROOT / name).exists():
                problems.append(f"{command}: there is no {name}")
        if words[:3] == ["python", "-m", "book"] and words[3] not in COMMANDS:
            problems.append(f"{command}: the book has no {words[3]}")
        if words[0] == "mkdocs" and words[1] not in ("build", "serve"):
            problems.append(f"{command}: mkdocs has no {words[1]}")
    return problems


@pytest.mark.parametrize("name", GUIDES)
@pytest.mark.parametrize("check", [stale_links, stale_names, stale_commands], ids=lambda check: check.__name__)
def test_the_guides_are_up_to_date(check, name):
    assert check(read(ROOT / name)) == [], name


@pytest.mark.parametrize(
    ("check", "text"),
    [
        (stale_links, "[a](CONTRIBUTING.md) [b](GONE.md) [c](https://host.example/gone)"),
        (stale_links, "## One heading\n\n[a](#one-heading) [b](#two-headings)"),
        (stale_names, "`book/checks/alike.py`, `snippets/PART/NAME.py`, `book/gone.py`"),
        (stale_commands, "`python -m book checks` `python -m book gone` `python3 -m venv .venv`"),
        (stale_commands, "```sh\npip install -r requirements.txt && pip install -r gone.txt\n```"),
        (stale_commands, "```sh\nmkdocs serve && mkdocs served\n```"),
    ],
)
def test_what_is_out_of_date_is_found(check, text):
    assert len(check(text)) == 1


def test_the_readme_names_the_versions_of_python_that_are_tested():
    matrix = yaml.safe_load(read(ROOT / ".github" / "workflows" / "test.yml"))["jobs"]["test"]["strategy"]["matrix"]
    said = re.search(r"Python ([\d., or]+\d)", read(ROOT / "README.md"))[1]
    assert re.findall(r"3\.\d+", said) == matrix["python"]
    target = tomllib.loads(read(ROOT / "pyproject.toml"))["tool"]["ruff"]["target-version"]
    assert target == f"py{matrix['python'][0].replace('.', '')}"


# Code that no page shows is formatted; a listing's lines break where its page needs it.
FORMATTED = ["conftest.py", "book", "exercises", "tests"] + [
    f"snippets/{path}" for path in ("figures", "tools/fingerprint.py", "tools/meaning.py")
]


@pytest.mark.parametrize("command", [["check", "."], ["format", "--diff", *FORMATTED]], ids=["check", "format"])
def test_ruff_has_nothing_to_say(command):
    said = subprocess.run([sys.executable, "-m", "ruff", *command], cwd=ROOT, text=True, capture_output=True)
    assert said.returncode == 0, f"ruff {' '.join(command)}:\n{said.stdout}{said.stderr}"


def test_a_workflow_imitates_all_machines():
    job = yaml.safe_load(read(ROOT / ".github" / "workflows" / "test.yml"))["jobs"]["machines"]
    assert job["strategy"]["matrix"] == {"machine": list(machines.MACHINES)}
    steps = [step for step in job["steps"] if machines.VARIABLE in step.get("env", {})]
    assert len(steps) == 2 and all(step["env"][machines.VARIABLE] == "${{ matrix.machine }}" for step in steps)


def test_both_languages_of_the_readme_have_the_same_commands():
    english, korean = read(ROOT / "README.md").split("## 한국어")
    blocks = [[fence.body for fence in fences(lines_of(half)) if fence.language == "sh"] for half in (english, korean)]
    assert blocks[0] == blocks[1]


def test_the_readme_says_how_long_the_tests_take_and_ci_allows_no_more_than_twice_that():
    readme, ci = read(ROOT / "README.md"), read(ROOT / ".ci" / "run")
    minutes = ["one", "two", "three", "four", "five", "six"].index(
        re.search(r"takes about (\w+) minutes", readme)[1]
    ) + 1
    assert int(re.search(r"설치까지 (\d+)분쯤", readme)[1]) == minutes
    limit = int(re.search(r"test_limit=\$\{TEST_LIMIT:-(\d+)\}", ci)[1])
    assert 60 * minutes < limit <= 120 * minutes
