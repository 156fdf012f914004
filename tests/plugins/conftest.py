"""Files of frameworks that live elsewhere are not collected here; the head of pytest's report names them."""

from tests.plugins.frameworks import absent

collect_ignore = [f"test_{name}.py" for name in absent()]
