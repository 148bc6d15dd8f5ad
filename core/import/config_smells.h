// SPDX-License-Identifier: MIT
// Owns: fields that betray another kind of attention or cache than the one a model is read as. An
// active one is an error naming the field: a wrong figure is worse than none.
#pragma once

namespace kvgauge {

struct Draft;

// For a known family: fields that belong to other families.
void refuse_foreign_fields(Draft&);
// For an unknown one: everything that is not proven to be a plain decoder.
void refuse_unproven(Draft&);

}  // namespace kvgauge
