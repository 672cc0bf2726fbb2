// Whether attributes are what operations need.
#pragma once

#include "entries.h"
#include "schema.h"

namespace hlokit {

bool meets(const Entries &entries, const AttributeFacts &attribute, Need need);

// Whether it stands for nothing: the type none.
bool is_none(const Entries &entries, const AttributeFacts &attribute);
bool may_be_none(Need need);

// A tensor of rank 0 with elements of this kind.
bool is_scalar(const Entries &entries, const TypeFacts &type, TypeKind kind);

} // namespace hlokit
