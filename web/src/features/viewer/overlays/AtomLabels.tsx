// Labels at the atoms: of the selected ones, or of all while none is selected.
import { useEffect, useRef } from "react";
import { Vector3 } from "three";
import { useSelection } from "@/lib/room/selectionStore";
import { VISIBLE } from "../stage/layers/atomTextures";
import type { Stage } from "../stage/stage";
import { useViewerSettings } from "../viewerSettings";
import { fittingLabels, labelText } from "./labelText";

const MOST_LABELS = 500;
/** Room for one label; of several atoms in it, one has its label. */
const LABEL_PX = { width: 34, height: 16 };

export function AtomLabels({ stage }: { stage: Stage }) {
  const labels = useViewerSettings((now) => now.style.labels);
  const atoms = useSelection((now) => now.atoms);
  const layer = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const canvas = layer.current;
    if (!canvas || !labels) return;
    const redraw = () => {
      canvas.dataset.labels = String(draw(canvas, stage, labels, atoms));
    };
    redraw();
    return stage.onDrawn(redraw);
  }, [stage, labels, atoms]);
  return labels ? (
    <canvas ref={layer} className="wr-viewer-labels" role="img" aria-label="Labels of atoms" />
  ) : null;
}

/** Draws to a canvas directly, because the labels move with every drawn image. Returns how many labels there are. */
export function draw(
  canvas: HTMLCanvasElement,
  stage: Stage,
  labels: string,
  selected: readonly number[],
  scale = globalThis.devicePixelRatio || 1,
): number {
  const { width, height } = stage.size;
  canvas.width = width * scale;
  canvas.height = height * scale;
  const pen = canvas.getContext("2d");
  const { structure } = stage;
  if (!pen || !structure) return 0;
  pen.scale(scale, scale);
  pen.font = "600 12px 'Inter Variable', system-ui, sans-serif";
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.lineWidth = 3;
  pen.lineJoin = "round";
  pen.strokeStyle = stage.theme.background;
  pen.fillStyle = stage.theme.text;
  const shown = fittingLabels(atomsOnScreen(stage, selected), LABEL_PX.width, LABEL_PX.height, MOST_LABELS);
  for (const { x, y, atom } of shown) {
    const text = labelText(structure, labels, atom);
    pen.strokeText(text, x, y);
    pen.fillText(text, x, y);
  }
  return shown.length;
}

function atomsOnScreen({ atoms, orbitCamera, size }: Stage, selected: readonly number[]) {
  const { positions, colours, count } = atoms;
  const point = new Vector3();
  const seen: { x: number; y: number; depth: number; atom: number }[] = [];
  const add = (atom: number) => {
    if (atom >= count || (colours[4 * atom + 3]! & VISIBLE) === 0) return;
    point
      .set(positions[4 * atom]!, positions[4 * atom + 1]!, positions[4 * atom + 2]!)
      .project(orbitCamera.camera);
    if (Math.abs(point.x) > 1 || Math.abs(point.y) > 1 || Math.abs(point.z) > 1) return;
    seen.push({
      x: ((point.x + 1) / 2) * size.width,
      y: ((1 - point.y) / 2) * size.height,
      depth: point.z,
      atom,
    });
  };
  if (selected.length) for (const atom of selected) add(atom);
  else for (let atom = 0; atom < count; atom++) add(atom);
  return seen;
}
