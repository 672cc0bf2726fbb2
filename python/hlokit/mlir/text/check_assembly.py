"""Custom assembly of the check dialect.

The bindings have no check dialect, so its operations parse only in their generic form. `to_generic`
rewrites `check.expect_eq %0, %1 : tensor<2xi32>` to `"check.expect_eq"(%0, %1) : (tensor<2xi32>,
tensor<2xi32>) -> ()` in the text. Lines keep their numbers and operations keep their columns, so locations
and diagnostics stay correct.

The assembly of each operation is a row of `CHECK_OPERATIONS`. IREE's dialect of the same name has operands in
parentheses: `check.expect_eq(%0, %1) : tensor<2xi32>`. `to_generic` reads this form of every operation, too,
and makes the constants of IREE's tests, `util.unfoldable_constant`, StableHLO's.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NoReturn

from hlokit.errors import Diagnostic, ParseError
from hlokit.mlir.text.lexer import Token, line_and_column, skip_balanced, token_at


@dataclass(frozen=True, slots=True)
class Clause:
    """`, keyword = value` after the operands.

    `type_` is the attribute's type in generic form; a string has none.
    """

    keyword: str
    attribute: str
    type_: str | None
    required: bool = False


@dataclass(frozen=True, slots=True)
class Assembly:
    """`operands [, value] [, keyword = value]... [attr-dict] [: types]`.

    Attributes:
      operands: the names of the operands.
      has_value: whether a typed elements attribute `value` follows; the operand has the type of this
        attribute, and no types follow.
      clauses: the clauses, in order.
      type_count: the number of types after the colon; a single type applies to all operands.
      colon_before_attributes: whether the attribute dictionary follows the colon.
      parenthesized: whether the operation has IREE's form only.
    """

    operands: tuple[str, ...]
    has_value: bool = False
    clauses: tuple[Clause, ...] = ()
    type_count: int = 0
    colon_before_attributes: bool = False
    parenthesized: bool = False


_TOLERANCE = Clause("tolerance", "tolerance", "f64")
# IREE's keywords, and the attributes that they stand for.
_TOLERANCES = {"atol": "tolerance", "rtol": "relative_tolerance"}

CHECK_OPERATIONS: Mapping[str, Assembly] = MappingProxyType(
    {
        "check.expect_eq": Assembly(("lhs", "rhs"), type_count=1),
        "check.expect_eq_const": Assembly(("lhs",), has_value=True),
        "check.expect_almost_eq": Assembly(("lhs", "rhs"), clauses=(_TOLERANCE,), type_count=1),
        "check.expect_almost_eq_const": Assembly(("lhs",), has_value=True, clauses=(_TOLERANCE,)),
        "check.expect_close": Assembly(
            ("actual", "expected"),
            clauses=(
                Clause("max_ulp_difference", "max_ulp_difference", "ui64", required=True),
                Clause("min_ulp_difference", "min_ulp_difference", "ui64"),
            ),
            type_count=2,
            colon_before_attributes=True,
        ),
        "check.expect_true": Assembly(("operand",), type_count=1, parenthesized=True),
        "check.expect_false": Assembly(("operand",), type_count=1, parenthesized=True),
        "check.expect_all_true": Assembly(("operand",), type_count=1, parenthesized=True),
        "check.expect_serialized_eq": Assembly(
            ("expected",),
            clauses=(
                Clause("probe_id", "probe_id", None, required=True),
                Clause("iter", "iteration", "ui32"),
            ),
            type_count=1,
        ),
    }
)

_PREFIX = "check.expect_"
# A constant of IREE's tests that IREE's compiler does not fold, and a constant in as many characters.
_UNFOLDABLE = re.compile(r"(=\s*)util\.unfoldable_constant\b")
_CONSTANT = "stablehlo.constant".ljust(len("util.unfoldable_constant"))
# One of these tokens follows an attribute of such a name, but never the name of an operation.
_AFTER_ATTRIBUTE_NAME = ("=", ",", "}", "]")


def to_generic(text: str, filename: str = "-") -> str:
    """The text with every check operation in its generic form.

    Raises:
      ParseError: a check operation is malformed. The message has the position and the expected token.
    """
    text = _UNFOLDABLE.sub(rf"\1{_CONSTANT}", text)
    pieces: list[str] = []
    copied = 0
    searched = 0
    while (start := text.find(_PREFIX, searched)) >= 0:
        # No token spans lines, so lexing starts at the beginning of the line.
        lexed = max(searched, text.rfind("\n", 0, start) + 1)
        token = token_at(text, lexed)
        while token.end <= start and token.kind != "end":
            token = token_at(text, token.end)
        searched = token.end
        if token.start != start or token.text not in CHECK_OPERATIONS:
            continue
        if token_at(text, token.end).text in _AFTER_ATTRIBUTE_NAME:
            continue
        generic, end = _Parser(text, filename, token).parse()
        pieces += (text[copied:start], generic)
        copied = searched = end
    return "".join((*pieces, text[copied:])) if pieces else text


class _Parser:
    """Reads one operation in custom form and writes it in generic form."""

    def __init__(self, text: str, filename: str, name: Token) -> None:
        self._text = text
        self._filename = filename
        self._name = name
        self._assembly = CHECK_OPERATIONS[name.text]
        self._offset = name.end
        self._aliases: set[str] = set()
        self._written: list[str] = []
        self._written_lines = 0

    def parse(self) -> tuple[str, int]:
        """The generic form and the offset after the custom form."""
        is_parenthesized = self._assembly.parenthesized or self._next().text in ("(", "<")
        if self._next().text == "<":  # the device that IREE's test names
            self._offset = self._balanced(self._next())
        if is_parenthesized:
            self._expect("(", "'(' before the operands")
        self._write(f'"{self._name.text}"(', self._name.start)
        for number, operand in enumerate(self._assembly.operands):
            if number:
                self._expect(",", f"',' before operand {operand}")
                self._write(", ", self._offset)
            self._write_token("value", f"operand {operand}")
        self._write(")", self._offset)
        attributes, types = self._in_parentheses() if is_parenthesized else self._attributes_and_types()
        if len(types) < len(self._assembly.operands):
            types *= len(self._assembly.operands)
        for number, (source, start) in enumerate(attributes):
            self._write(f"{', ' if number else ' {'}{source}", start)
        self._write(f"{'}' if attributes else ''} : ({', '.join(types)}) -> ()", self._offset)
        return "".join(self._written), self._offset

    def _attributes_and_types(self) -> tuple[list[tuple[str, int]], list[str]]:
        """Attributes as source and offset, and types as source."""
        assembly = self._assembly
        attributes, types = self._value()
        for clause in assembly.clauses:
            source = self._clause(clause)
            if source is not None:
                attributes.append(source)
        if self._next().text == ",":
            self._fail(token_at(self._text, self._next().end), self._choices())
        if not assembly.colon_before_attributes:
            attributes += self._dictionary()
        if assembly.type_count:
            self._expect(":", "':' before the type")
        if assembly.colon_before_attributes:
            attributes += self._dictionary()
        for number in range(assembly.type_count):
            if number:
                self._expect(",", "',' before the type of the second operand")
            types.append(self._type())
        return attributes, types

    def _value(self) -> tuple[list[tuple[str, int]], list[str]]:
        """The constant, if the operation has one, and its type, which is that of the operand."""
        if not self._assembly.has_value:
            return [], []
        self._expect(",", "',' before the constant")
        start = self._next().start
        type_ = self._elements()
        return [(f"value = {self._text[start : self._offset]}", start)], [type_]

    def _in_parentheses(self) -> tuple[list[tuple[str, int]], list[str]]:
        """Attributes and types in IREE's form, whose only type is that of all operands."""
        attributes, _ = self._value()
        while self._next().text == ",":
            self._offset = self._next().end
            keyword = self._next()
            if keyword.text not in _TOLERANCES:
                self._fail(keyword, " or ".join(_TOLERANCES))
            self._offset = keyword.end
            value = self._take("number", f"a number as {keyword.text}")
            attributes.append((f"{_TOLERANCES[keyword.text]} = {value.text} : f64", keyword.start))
        self._expect(")", "')' after the operands")
        attributes += self._dictionary()
        self._expect(":", "':' before the type")
        return attributes, [self._type()]

    def _choices(self) -> str:
        keywords = [clause.keyword for clause in self._assembly.clauses if not clause.required]
        return " or ".join([*keywords, "the end of the operands"])

    def _clause(self, clause: Clause) -> tuple[str, int] | None:
        comma = self._next()
        keyword = token_at(self._text, comma.end)
        if comma.text != "," or keyword.text != clause.keyword:
            if clause.required:
                self._fail(keyword if comma.text == "," else comma, f"', {clause.keyword} = '")
            return None
        self._offset = keyword.end
        self._expect("=", f"'=' after {clause.keyword}")
        if clause.type_ is None:
            value = self._take("string", f"a string as {clause.keyword}")
            return f"{clause.attribute} = {value.text}", keyword.start
        sign = self._next()
        negative = sign.text == "-"
        if negative:
            self._offset = sign.end
        value = self._take("number", f"a number as {clause.keyword}")
        colon = self._next()
        written_type = token_at(self._text, colon.end)
        if colon.text == ":" and written_type.text == clause.type_:
            self._offset = written_type.end
        return f"{clause.attribute} = {'-' * negative}{value.text} : {clause.type_}", keyword.start

    def _dictionary(self) -> list[tuple[str, int]]:
        brace = self._next()
        if brace.text != "{":
            return []
        self._offset = self._balanced(brace)
        inner = self._text[brace.end : self._offset - 1]
        return [(inner, brace.end)] if inner.strip() else []

    def _elements(self) -> str:
        """Read an elements attribute, and return its type."""
        token = self._next()
        if token.kind == "attribute":
            self._offset = token.end
            if token_at(self._text, self._offset).text not in ("<", ":"):
                return self._type_of_alias(token)
        elif token.kind != "id" or "." in token.text:
            self._fail(token, "an elements attribute")
        self._offset = token.end
        bracket = self._next()
        if bracket.text == "<":
            self._offset = self._balanced(bracket)
        self._expect(":", "':' and the type of the constant")
        return self._type()

    def _type_of_alias(self, alias: Token) -> str:
        definition = re.search(rf"^[ \t]*{re.escape(alias.text)}[ \t]*=", self._text, re.MULTILINE)
        if definition is None or alias.text in self._aliases:
            self._fail(alias, "an elements attribute or an alias of one")
        self._aliases.add(alias.text)
        end, self._offset = self._offset, definition.end()
        type_ = self._elements()
        self._offset = end
        return type_

    def _type(self) -> str:
        token = self._next()
        if token.kind not in ("id", "type"):
            self._fail(token, "a type")
        self._offset = token.end
        bracket = token_at(self._text, token.end)
        if bracket.text == "<" and bracket.start == token.end:
            self._offset = self._balanced(bracket)
        return re.sub(r"//[^\n]*|\s+", " ", self._text[token.start : self._offset])

    def _next(self) -> Token:
        """The next token that is not a comment, without consuming it."""
        token = token_at(self._text, self._offset)
        while token.kind == "comment":
            token = token_at(self._text, token.end)
        return token

    def _take(self, kind: str, what: str) -> Token:
        token = self._next()
        if token.kind != kind:
            self._fail(token, what)
        self._offset = token.end
        return token

    def _expect(self, text: str, what: str) -> None:
        token = self._next()
        if token.text != text:
            self._fail(token, what)
        self._offset = token.end

    def _balanced(self, bracket: Token) -> int:
        end = skip_balanced(self._text, bracket.start)
        if end is None:
            self._fail(bracket, f"a bracket that closes this '{bracket.text}'")
        return end

    def _write_token(self, kind: str, what: str) -> None:
        token = self._take(kind, what)
        self._write(token.text, token.start)

    def _write(self, source: str, offset: int) -> None:
        """Write the replacement of the text at `offset`, on the same line."""
        line = self._text.count("\n", self._name.start, offset)
        missing = max(0, line - self._written_lines)
        self._written.append("\n" * missing + source)
        self._written_lines += missing + source.count("\n")

    def _fail(self, token: Token, what: str) -> NoReturn:
        line, column = line_and_column(self._text, token.start)
        actual = f"'{token.text.strip()}'" if token.kind != "end" else "the end of the input"
        message = f"{self._name.text}: expected {what}, got {actual}"
        raise ParseError((Diagnostic("error", message, self._filename, line, column),))
