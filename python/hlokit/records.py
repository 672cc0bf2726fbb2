"""`Record`: `typing.NamedTuple`, with classes that are made in a tenth of the time.

`NamedTuple` compiles the constructor of each class when it makes the class, for a tenth of a millisecond. A
program needs dozens of these classes before its first operation runs, and makes instances of a few of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__all__ = ["Record"]

if TYPE_CHECKING:
    from typing import NamedTuple as Record
else:
    from collections import namedtuple

    # The descriptor of a field, faster than a property.
    _Field = type(namedtuple("_Example", "field").field)

    class _RecordType(type):
        """Makes fields of the annotations of a class. The values of annotated names are defaults."""

        def __new__(cls, name, bases, namespace):
            if bases[0] is tuple or hasattr(bases[0], "_fields"):  # Record, or a class of a record's class
                return super().__new__(cls, name, bases, namespace)
            fields = tuple(namespace.get("__annotations__", ()))
            defaults = {field: namespace[field] for field in fields if field in namespace}
            namespace.update({field: _Field(index, "") for index, field in enumerate(fields)})
            namespace.update(__slots__=(), __match_args__=fields, _fields=fields, _field_defaults=defaults)
            return super().__new__(cls, name, bases, namespace)

    class Record(tuple, metaclass=_RecordType):
        """A tuple whose elements have names: the annotations of the class, in order."""

        __slots__ = ()

        def __new__(cls, *values, **named):
            # The first call compiles the constructor.
            fields = "".join([f"{field}, " for field in cls._fields])
            constructor = eval(f"lambda _cls, {fields}: _new(_cls, ({fields}))", {"_new": tuple.__new__})
            constructor.__defaults__ = tuple(cls._field_defaults.values())
            constructor.__name__, constructor.__qualname__ = "__new__", f"{cls.__qualname__}.__new__"
            cls.__new__ = constructor
            return cls(*values, **named)

        @classmethod
        def _make(cls, values):
            return cls(*values)

        def _asdict(self):
            return dict(zip(self._fields, self, strict=True))

        def _replace(self, **changes):
            return type(self)(**(self._asdict() | changes))

        def __getnewargs__(self):
            return tuple(self)

        def __repr__(self):
            values = [f"{field}={value!r}" for field, value in zip(self._fields, self, strict=True)]
            return f"{type(self).__name__}({', '.join(values)})"
