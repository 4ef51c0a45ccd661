// Changes of the selection that follow the bonds of the structure.
import { select, useSelection } from "@/lib/room/selectionStore";
import { grown, shrunk } from "./bonds/bondedAtoms";
import { findBonds } from "./bonds/findBonds";
import { connectivityOf, givenBonds } from "./bonds/givenBonds";
import type { Stage } from "./stage/stage";

export function growSelection(stage: Stage): void {
  select(grown(useSelection.getState().atoms, bondsOf(stage)));
}

export function shrinkSelection(stage: Stage): void {
  select(shrunk(useSelection.getState().atoms, bondsOf(stage)));
}

/** Also between metals, which are drawn without bonds: a selection in a metal grows to its neighbours. */
function bondsOf({ structure, style, room }: Stage) {
  if (!structure) return new Int32Array(0);
  const given = connectivityOf(structure.frame);
  if (given) return givenBonds(structure, given).bonds;
  return findBonds({ ...structure, tolerance: style.tolerance ?? room.tolerance });
}
