// Distance, angle or dihedral of two, three or four selected atoms, drawn over the stage. In periodic directions the nearest
// images are measured, as bonds are drawn and as `analysis/Distance` measures.
import { useEffect, useRef } from "react";
import { useSelection } from "@/lib/room/selectionStore";
import { makeCell } from "../bonds/unitCell";
import type { Stage } from "../stage/stage";
import { useViewerSettings } from "../viewerSettings";
import { measure, nearestImages } from "./measure";
import { atomPosition, toScreen } from "./projection";

export function Measurements({ stage }: { stage: Stage }) {
  const atoms = useSelection((now) => now.atoms);
  const images = useViewerSettings((now) => now.style.nearestImages);
  const picture = useRef<SVGSVGElement>(null);
  const measured = atoms.length >= 2 && atoms.length <= 4;

  useEffect(() => {
    const svg = picture.current;
    if (!svg || !measured) return;
    const place = () => draw(svg, stage, atoms, images);
    place();
    return stage.onDrawn(place);
  }, [stage, atoms, measured, images]);

  if (!measured) return null;
  return (
    <svg className="wr-viewer-measures" ref={picture} role="img" aria-label="Measurement">
      <path />
      <text data-testid="measurement" />
    </svg>
  );
}

/** Writes to the SVG directly, because the overlay moves with every drawn image. */
function draw(svg: SVGSVGElement, stage: Stage, atoms: readonly number[], images: boolean): void {
  const [line, label] = [svg.querySelector("path"), svg.querySelector("text")];
  if (!line || !label) return;
  const there = atoms.every((atom) => atom < stage.atoms.count);
  const { structure } = stage;
  const places = there ? atoms.map((atom) => atomPosition(stage, atom)) : [];
  const points =
    images && structure ? nearestImages(places, makeCell(structure.cell, structure.pbc)) : places;
  const found = measure(points);
  const seen = points.map((point) => toScreen(stage, point));
  svg.style.display = found && seen.every((one) => one !== null) ? "" : "none";
  if (!found || seen.some((one) => one === null)) return;
  const path = seen.map((one) => `${one!.x.toFixed(1)} ${one!.y.toFixed(1)}`);
  line.setAttribute("d", `M${path.join("L")}`);
  const middle =
    atoms.length === 3 ? seen[1]! : between(seen[(atoms.length >> 1) - 1]!, seen[atoms.length >> 1]!);
  label.setAttribute("x", middle.x.toFixed(1));
  label.setAttribute("y", (middle.y - 10).toFixed(1));
  if (label.textContent !== found.text) label.textContent = found.text;
}

function between(one: { x: number; y: number }, other: { x: number; y: number }) {
  return { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 };
}
