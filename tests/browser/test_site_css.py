"""The site's own style sheet, on a page with the elements and sizes of Zensical's theme: the site itself needs the
extra `docs`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.deep

ROOT = Path(__file__).parents[2]
PAGE = """<!doctype html><html style="font-size: 125%"><link rel="stylesheet" href="{css}"><style>
  pre {{ position: relative; margin: 0; }}
  code {{ display: block; overflow: auto; padding: 10px 16px; }}
  nav {{ position: absolute; top: 4px; right: 4px; width: 32px; height: 32px; }}
</style><body style="margin: 0"><div class="md-typeset"><div class="highlight">
<pre><nav class="md-code__nav"></nav><code>{line}
short</code></pre></div></div>"""


@pytest.mark.parametrize("width", [380, 1280])
def test_the_button_that_copies_covers_no_code(width: int, opened: Any, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(PAGE.format(css=(ROOT / "docs/site/site.css").as_uri(), line="stablehlo-opt " * 40))
    opened.page.set_viewport_size({"width": width, "height": 600})
    page = opened.open(path)
    code, button = (page.locator(name).bounding_box() for name in ("code", "nav"))
    assert code["x"] + code["width"] <= button["x"]
    assert page.evaluate(
        "() => { const code = document.querySelector('code'); return code.scrollWidth > code.clientWidth; }"
    )
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
