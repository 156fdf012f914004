"""The arrows of import point down only: every import of the checkout against the tiers of docs/design.md.

Imports are read from the sources, those inside functions included. A new file has to be given its tier here.
"""

import ast
import functools
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatchcase
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LIBRARY = "euchre_env"

PROGRAMS = ("train", "evaluate", "agents.play", "benchmarks", "benchmarks.*", "examples", "examples.*")

# Lowest first. A module imports from its own tier and those below it.
TIERS = (
    (f"{LIBRARY}.cards", f"{LIBRARY}.errors", f"{LIBRARY}.files", f"{LIBRARY}.engine"),
    (f"{LIBRARY}.engine._jit",),
    (f"{LIBRARY}.engine.layout", f"{LIBRARY}.engine.bits"),
    (f"{LIBRARY}.engine.table",),
    tuple(
        f"{LIBRARY}.engine.{phase}"
        for phase in (
            "deal",
            "opening",
            "turn_up",
            "auction",
            "alone",
            "exchange",
            "dummy",
            "play",
            "score",
            "stakes",
            "game_end",
        )
    ),
    (f"{LIBRARY}.engine.step", f"{LIBRARY}.engine.suits", f"{LIBRARY}.engine.observe"),
    (f"{LIBRARY}.ruleset",),
    (f"{LIBRARY}.rulesets",),
    (f"{LIBRARY}.decks", f"{LIBRARY}.equity", f"{LIBRARY}.rewards", f"{LIBRARY}.render", f"{LIBRARY}.render.*"),
    (
        f"{LIBRARY}.tables",
        f"{LIBRARY}.views",
        f"{LIBRARY}.single",
        f"{LIBRARY}.dealing",
        f"{LIBRARY}.worlds",
        f"{LIBRARY}.worlds.*",
    ),
    (f"{LIBRARY}.game", f"{LIBRARY}.batch", f"{LIBRARY}.record", f"{LIBRARY}.record.*"),
    (
        f"{LIBRARY}.policies",
        f"{LIBRARY}.policies.*",
        f"{LIBRARY}.match",
        f"{LIBRARY}.rule_card",
        f"{LIBRARY}.rule_card.*",
    ),
    (f"{LIBRARY}.envs", f"{LIBRARY}.envs.*", f"{LIBRARY}.commands", f"{LIBRARY}.commands.*"),
    (LIBRARY, f"{LIBRARY}.__main__", f"{LIBRARY}.euchre_v0", f"{LIBRARY}.testing", f"{LIBRARY}.testing.*"),
    ("agents", "agents.*", "evaluation", "evaluation.*"),
    PROGRAMS,
)
# They import nothing of ours, not even each other.
ALONE = (f"{LIBRARY}.cards", f"{LIBRARY}.errors", f"{LIBRARY}.files", f"{LIBRARY}.engine._jit")
# Who shows a table: as an environment, as text, to the person who plays at it.
DRAWERS = (f"{LIBRARY}.render*", f"{LIBRARY}.envs*", f"{LIBRARY}.game", f"{LIBRARY}.commands*", "agents.play")
USERS_OF_TORCH = (
    "agents.networks*",
    "agents.learners*",
    "agents.selfplay*",
    "agents.checkpoint",
    "train",
    "benchmarks.*",
    "examples.*",
)
HEAVY = ("torch", "pygame", "pyspiel", "tensorboard")
# The engine computes; only the decorator that compiles it looks at the machine.
ENGINE_MAY_IMPORT = {"numpy", "numba", "collections", "enum", "functools", "typing"}


def matches(module: str, *patterns: str) -> bool:
    return any(fnmatchcase(module, pattern) for pattern in patterns)


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@functools.cache
def sources() -> dict[str, ast.Module]:
    folders = (LIBRARY, "agents", "evaluation", "benchmarks", "examples")
    paths = [*ROOT.glob("*.py"), *(path for folder in folders for path in (ROOT / folder).rglob("*.py"))]
    return {module_name(path): ast.parse(path.read_text("utf-8"), str(path)) for path in sorted(paths)}


def is_ours(module: str) -> bool:
    return module.split(".")[0] in {LIBRARY, "agents", "evaluation", "benchmarks", "examples", "train", "evaluate"}


def targets(node: ast.AST) -> Iterator[str]:
    """Yield what an import statement names: modules, and `module.name` where the name is no module of ours."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        assert node.level == 0, "imports are absolute"
        yield from (f"{node.module}.{alias.name}" for alias in node.names)


def imports(tree: ast.AST) -> set[str]:
    return {target for node in ast.walk(tree) for target in targets(node)}


def module_of(target: str) -> str:
    """Return the module that an imported name lives in."""
    return target if target in sources() else target.rpartition(".")[0] or target


def arrows(module: str) -> set[str]:
    """Return the modules of ours that a module imports."""
    return {module_of(target) for target in imports(sources()[module]) if is_ours(target)} - {module}


def foreign(module: str) -> set[str]:
    """Return the top-level packages of others that a module imports, those of Python left out."""
    tops = {target.split(".")[0] for target in imports(sources()[module]) if not is_ours(target)}
    return tops - sys.stdlib_module_names


def tier(module: str) -> int:
    found = [level for level, patterns in enumerate(TIERS) if matches(module, *patterns)]
    assert found, f"{module} has no tier: place it in TIERS of {Path(__file__).name}"
    return found[-1]


@pytest.mark.parametrize("module", sources())
def test_arrows_point_down(module: str) -> None:
    wrong = sorted(other for other in arrows(module) if tier(other) > tier(module))
    assert not wrong, f"{module} imports {', '.join(wrong)} from above it"


def test_no_cycles() -> None:
    list(TopologicalSorter({module: arrows(module) for module in sources()}).static_order())


@pytest.mark.parametrize("module", ALONE)
def test_the_bottom_imports_nothing_of_ours(module: str) -> None:
    assert not arrows(module)


def test_few_draw_tables() -> None:
    drawing = {m for m in sources() if any(matches(other, f"{LIBRARY}.render*") for other in arrows(m))}
    assert not {module for module in drawing if not matches(module, *DRAWERS)}


@pytest.mark.parametrize("module", [m for m in sources() if m.split(".")[0] != LIBRARY])
def test_the_checkout_uses_public_names(module: str) -> None:
    """The decorators are the exception: players and learners compile code of their own with them."""
    private = {
        target
        for target in imports(sources()[module])
        if target.split(".")[0] == LIBRARY and any(part.startswith("_") for part in target.split("."))
    }
    assert private <= {f"{LIBRARY}.engine._jit.kernel", f"{LIBRARY}.engine._jit.inlined"}


def test_agents_and_evaluation_do_not_know_each_other() -> None:
    tops = {(m.split(".")[0], other.split(".")[0]) for m in sources() for other in arrows(m)}
    assert not tops & {("agents", "evaluation"), ("evaluation", "agents")}


def test_the_library_needs_what_pyproject_declares() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    declared = {requirement.split(">")[0].split("[")[0] for requirement in project["dependencies"]}
    optional = {f"{LIBRARY}.render.*": {"pygame"}, f"{LIBRARY}.envs.open_spiel*": {"pyspiel"}}
    used = {module: foreign(module) for module in sources() if module.split(".")[0] == LIBRARY}
    for module, packages in used.items():
        allowed = declared.union(*(extra for pattern, extra in optional.items() if matches(module, pattern)))
        assert packages <= allowed, f"{module} imports {packages - allowed}"
    assert set().union(*used.values()) >= declared


def test_the_engine_computes_and_nothing_else() -> None:
    for module in sources():
        if matches(module, f"{LIBRARY}.engine.*") and module != f"{LIBRARY}.engine._jit":
            tops = {target.split(".")[0] for target in imports(sources()[module]) if not is_ours(target)}
            assert tops <= ENGINE_MAY_IMPORT, module
            names = {node.attr for node in ast.walk(sources()[module]) if isinstance(node, ast.Attribute)}
            assert "random" not in names, f"{module} draws random numbers"


def test_no_code_asks_for_a_variant_by_name() -> None:
    """A rule that differs between variants is an option; only the catalogue knows the names."""
    from euchre_env import rulesets

    for module, tree in sources().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Compare):
                words = {leaf.value for leaf in ast.walk(node) if isinstance(leaf, ast.Constant)}
                assert not words & set(rulesets.names()), f"{module}, line {node.lineno}: {ast.unparse(node)}"


@pytest.mark.parametrize("module", sources())
def test_torch_stays_with_the_learners(module: str) -> None:
    """Search and rule-based players work without PyTorch."""
    assert "torch" not in foreign(module) or matches(module, *USERS_OF_TORCH)


@pytest.mark.parametrize("package", [LIBRARY, f"{LIBRARY}.batch", f"{LIBRARY}.euchre_v0", "agents", "agents.baselines"])
def test_importing_loads_no_extras(package: str) -> None:
    code = f"import sys, {package}; print(*(name for name in {HEAVY} if name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.stdout.split(), done.stderr) == ([], "")
