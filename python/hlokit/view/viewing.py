"""`Program.view`: the page of a program, to be shown or stored."""

from __future__ import annotations

import os
from dataclasses import dataclass
from html import escape


@dataclass(frozen=True, slots=True, repr=False)
class Page:
    """A page of HTML that needs nothing else. A notebook shows it in a frame.

    Attributes:
      html: the page.
    """

    html: str

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.html)

    def __repr__(self) -> str:
        return f"<page of {len(self.html):,} characters: save(path) stores it>"

    def _repr_html_(self) -> str:
        return (
            '<iframe title="program" style="width:100%;height:720px;border:1px solid #8884" '
            f'srcdoc="{escape(self.html)}"></iframe>'
        )
