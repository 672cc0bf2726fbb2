"""The page reference/python.md: every public name of hlokit with its signature and its docstring."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import Any

import hlokit

HEAD = """# Python reference

Every public name with its signature and docstring. [Python by task](api.md) is shorter, and says which name is for
what. Names that begin with `_`, and modules below `hlokit`, may change at any time.
"""
_WIDEST = 88
# Members with these names are public, too.
_OPERATORS = ("__call__", "__getitem__")
# An observer's methods, which runs call.
_HOOKS = ("before", "after", "failed", "took", "enter", "leave")
_SECTION = re.compile(r"^(Args|Attributes|Returns|Raises|Yields):\n((?:(?:  .*)?(?:\n|\Z))+)", re.MULTILINE)
_TITLES = {"Args": "Arguments"}
_ENTRY = re.compile(r"^  (\w[\w ,`*.]*): ", re.MULTILINE)


def page() -> str:
    """The text of the page."""
    return HEAD + "".join(f"\n## {title}\n{''.join(map(_entry, names))}" for title, names in groups().items())


def groups() -> dict[str, list[str]]:
    """The public names by kind, in alphabetical order."""
    titles: dict[str, list[str]] = {"Functions": [], "Programs, values and reports": [], "Errors": []}
    for name in sorted(hlokit.__all__, key=str.lower):
        value = getattr(hlokit, name)
        is_error = inspect.isclass(value) and issubclass(value, hlokit.HlokitError)
        kind = (
            "Errors"
            if is_error
            else "Functions"
            if not inspect.isclass(value)
            else "Programs, values and reports"
        )
        titles[kind].append(name)
    return titles


def _entry(name: str) -> str:
    value = getattr(hlokit, name)
    text = f"\n### hlokit.{name}\n\n"
    is_error = inspect.isclass(value) and issubclass(value, hlokit.HlokitError)
    text += "" if is_error else _signature(f"hlokit.{name}", value)
    text += f"{_markdown(inspect.getdoc(value) or '')}\n"
    if inspect.isclass(value) and not is_error:
        text += "".join(_members(name, value))
    return text


def _members(name: str, class_: type) -> Iterator[str]:
    """The methods and properties that a class of hlokit defines and describes."""
    members = {
        member: value
        for base in reversed(class_.__mro__)
        if base.__module__.startswith("hlokit.")
        for member, value in vars(base).items()
    }
    for member, value in sorted(members.items()):
        is_private = member.startswith("_") and member not in _OPERATORS
        function = (
            getattr(value, "fget", None) or getattr(value, "func", None) or getattr(value, "__func__", value)
        )
        text = inspect.getdoc(function) if inspect.isfunction(function) else None
        if is_private or member in _HOOKS or not text:
            continue
        heading = f"\n#### {name}.{member}\n\n"
        is_call = inspect.isfunction(value) or isinstance(value, classmethod | staticmethod)
        shown = {"__call__": f"{name.lower()}", "__getitem__": f"{name.lower()}.__getitem__"}.get(member)
        signature = _signature(shown or f"{name}.{member}", function) if is_call else ""
        yield f"{heading}{signature}{_markdown(text)}\n"


def _signature(name: str, value: Any) -> str:
    try:
        signature = inspect.signature(value)
    except ValueError:  # a class of Python's own
        return ""
    parameters = list(_listed(signature))
    returned = (
        ""
        if inspect.isclass(value) or signature.return_annotation is inspect.Signature.empty
        else (f" -> {_plain(signature.return_annotation)}")
    )
    line = f"{name}({', '.join(parameters)}){returned}"
    if len(line) > _WIDEST:
        rows = "".join(f"    {parameter},\n" for parameter in parameters)
        line = f"{name}(\n{rows}){returned}"
    return f"```python\n{line}\n```\n\n"


def _listed(signature: inspect.Signature) -> Iterator[str]:
    """The parameters as one writes them, without `self`, and with the star before keywords."""
    has_star = False
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    for name, parameter in signature.parameters.items():
        if name in ("self", "cls"):
            continue
        has_star |= parameter.kind is parameter.VAR_POSITIONAL
        if parameter.kind is parameter.KEYWORD_ONLY and not has_star:
            has_star = True
            yield "*"
        text = f"{stars.get(parameter.kind, '')}{name}"
        if parameter.annotation is not parameter.empty:
            text += f": {_plain(parameter.annotation)}"
        if parameter.default is not parameter.empty:
            value = repr(parameter.default)
            text += " = " + ("..." if value.startswith("<") else value)
        yield text


def _plain(annotation: Any) -> str:
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    return re.sub(r"ForwardRef\('([^']*)'\)", r"\1", text)


def _markdown(docstring: str) -> str:
    """A docstring in Google's style as Markdown: sections become lists."""
    return _SECTION.sub(_section, linked(docstring, "..")).rstrip()


def linked(text: str, docs: str) -> str:
    """Text in which `docs/view.md` is a link to this page; `docs` is the way there from the text's page."""
    return re.sub(r"(`?)\bdocs/([\w/]+)\.md\1", lambda link: f"[{link[2]}]({docs}/{link[2]}.md)", text)


def _section(section: re.Match[str]) -> str:
    title = _TITLES.get(section[1], section[1])
    entries = _ENTRY.sub(lambda entry: f"- {_names(entry[1])}: ", section[2])
    if entries == section[2]:  # text, as in `Returns`
        return f"**{title}**: {' '.join(section[2].split())}\n\n"
    # Lists within an entry are four spaces deep.
    entries = re.sub(r"^ {4}(?=- )", "    ", entries, flags=re.MULTILINE)
    return f"**{title}**\n\n{entries.rstrip()}\n\n"


def _names(names: str) -> str:
    return ", ".join(f"`{name.strip('` ')}`" for name in names.split(","))
