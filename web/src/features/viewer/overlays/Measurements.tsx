// Distances, angles and dihedrals of two, three or four atoms, drawn over the stage and listed: that of the selected atoms, and
// those that the user keeps. In periodic directions the nearest images are measured, as bonds are drawn and as
// `analysis/Distance` measures.
import { ActionIcon } from "@mantine/core";
import { IconPin, IconX } from "@tabler/icons-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { makeCell } from "@/lib/atoms/unitCell";
import { useSelection } from "@/lib/room/selectionStore";
import {
  forgetMeasurement,
  isMeasurable,
  keepMeasurement,
  keptMeasurements,
  useMeasurements,
} from "../measurementStore";
import type { Stage } from "../stage/stage";
import { useViewerSettings } from "../viewerSettings";
import { type Measurement, measure, nearestImages, type Point } from "./measure";
import { atomPosition, toScreen } from "./projection";

export function Measurements({ room, stage }: { room: string; stage: Stage }) {
  const selected = useSelection((now) => now.atoms);
  const kept = useMeasurements(keptMeasurements(room));
  const images = useViewerSettings((now) => now.style.nearestImages);
  const picture = useRef<SVGSVGElement>(null);
  const shown = useMemo(() => {
    const known = kept.some((atoms) => atoms.join() === selected.join());
    return isMeasurable(selected) && !known ? [...kept, selected] : kept;
  }, [kept, selected]);

  useEffect(() => {
    const svg = picture.current;
    if (!svg || shown.length === 0) return;
    const place = () => {
      for (const [at, atoms] of shown.entries()) {
        const group = svg.children[at];
        if (group instanceof SVGGElement) draw(group, stage, atoms, images);
      }
    };
    place();
    return stage.onDrawn(place);
  }, [stage, shown, images]);

  if (shown.length === 0) return null;
  return (
    <>
      <svg className="wr-viewer-measures" ref={picture} role="img" aria-label="Measurements">
        {shown.map((atoms) => (
          <g key={atoms.join()}>
            <path />
            <text data-testid="measurement" />
          </g>
        ))}
      </svg>
      <ul className="wr-viewer-measure-list" aria-label="Measurements">
        {shown.map((atoms) => (
          <li key={atoms.join()}>
            <MeasuredValue stage={stage} atoms={atoms} images={images} />
            {atoms === selected ? (
              <ActionIcon
                size="xs"
                aria-label="Keep this measurement (M)"
                onClick={() => keepMeasurement(room, atoms)}
              >
                <IconPin size={12} />
              </ActionIcon>
            ) : (
              <ActionIcon
                size="xs"
                aria-label={`Remove the measurement ${atoms.join("–")}`}
                onClick={() => forgetMeasurement(room, atoms)}
              >
                <IconX size={12} />
              </ActionIcon>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

function MeasuredValue({
  stage,
  atoms,
  images,
}: {
  stage: Stage;
  atoms: readonly number[];
  images: boolean;
}) {
  const [text, setText] = useState("");
  useEffect(() => {
    const update = () => setText(measured(stage, atoms, images)?.found.text ?? "not in this frame");
    update();
    return stage.onShow(update);
  }, [stage, atoms, images]);
  return (
    <span>
      {atoms.join("–")}: <b>{text}</b>
    </span>
  );
}

/** The points that are measured and what they give; null if the frame has not all of the atoms. */
function measured(
  stage: Stage,
  atoms: readonly number[],
  images: boolean,
): { points: readonly Point[]; found: Measurement } | null {
  const { structure } = stage;
  if (!structure || atoms.some((atom) => atom >= stage.atoms.count)) return null;
  const places = atoms.map((atom) => atomPosition(stage, atom));
  const points = images ? nearestImages(places, makeCell(structure.cell, structure.pbc)) : places;
  const found = measure(points);
  return found && Number.isFinite(found.value) ? { points, found } : null;
}

/** Writes to the SVG directly, because the overlay moves with every drawn image. */
function draw(group: SVGGElement, stage: Stage, atoms: readonly number[], images: boolean): void {
  const [line, label] = [group.querySelector("path"), group.querySelector("text")];
  if (!line || !label) return;
  const here = measured(stage, atoms, images);
  const seen = here?.points.map((point) => toScreen(stage, point)) ?? [];
  const visible = here !== null && seen.every((one) => one !== null);
  group.style.display = visible ? "" : "none";
  if (!visible) return;
  const path = seen.map((one) => `${one!.x.toFixed(1)} ${one!.y.toFixed(1)}`);
  line.setAttribute("d", `M${path.join("L")}`);
  const half = atoms.length >> 1;
  const middle = atoms.length === 3 ? seen[1]! : between(seen[half - 1]!, seen[half]!);
  label.setAttribute("x", middle.x.toFixed(1));
  label.setAttribute("y", (middle.y - 10).toFixed(1));
  if (label.textContent !== here.found.text) label.textContent = here.found.text;
}

function between(one: { x: number; y: number }, other: { x: number; y: number }) {
  return { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 };
}
