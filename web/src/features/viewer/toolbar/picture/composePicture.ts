// A picture of the scene with everything that is drawn over it: labels, measurements and the legend.
import { colourMap, shades, ticks } from "@/lib/atoms/colourmaps";
import { frameKeyLabel, unitOf } from "@/lib/atoms/frameKeys";
import { useSelection } from "@/lib/room/selectionStore";
import { draw as drawLabels } from "../../overlays/AtomLabels";
import type { Stage } from "../../stage/stage";
import { removeBackground } from "./transparency";

interface PictureOptions {
  readonly transparent?: boolean;
  /** Whether selected atoms and the one under the pointer keep their rings. */
  readonly rings?: boolean;
}

/** The image at once, with `scale` pixels for each pixel of the page. */
export function composePicture(
  stage: Stage,
  scale: number,
  { transparent = false, rings = false }: PictureOptions = {},
): HTMLCanvasElement {
  const picture = transparent ? withoutBackground(stage, scale, rings) : stage.image(scale, { rings });
  const pen = picture.getContext("2d");
  if (!pen) return picture;
  const { labels } = stage.style;
  if (labels) {
    const layer = document.createElement("canvas");
    drawLabels(layer, stage, labels, useSelection.getState().atoms, scale);
    pen.drawImage(layer, 0, 0, picture.width, picture.height);
  }
  drawMeasurements(pen, stage, picture.width / Math.max(1, stage.size.width));
  drawLegend(picture, pen, stage);
  return picture;
}

function withoutBackground(stage: Stage, scale: number, rings: boolean): HTMLCanvasElement {
  const [black, white] = ["#000000", "#ffffff"].map((background) =>
    stage.image(scale, { background, rings }),
  ) as [HTMLCanvasElement, HTMLCanvasElement];
  const { width, height } = black;
  const pen = black.getContext("2d")!;
  const pixels = pen.getImageData(0, 0, width, height);
  removeBackground(pixels.data, white.getContext("2d")!.getImageData(0, 0, width, height).data);
  pen.putImageData(pixels, 0, 0);
  return black;
}

/** The lines and values of the overlay, which stay sharp at any scale. */
function drawMeasurements(pen: CanvasRenderingContext2D, stage: Stage, scale: number): void {
  const groups = stage.canvas.closest(".wr-viewer")?.querySelectorAll<SVGGElement>(".wr-viewer-measures g");
  pen.save();
  pen.scale(scale, scale);
  pen.font = "600 13px 'Inter Variable', system-ui, sans-serif";
  pen.textAlign = "center";
  for (const group of groups ?? []) {
    const [line, label] = [group.querySelector("path"), group.querySelector("text")];
    if (!line || !label || group.style.display === "none") continue;
    pen.setLineDash([4, 4]);
    pen.lineWidth = 1.5;
    pen.strokeStyle = stage.theme.text;
    pen.stroke(new Path2D(line.getAttribute("d") ?? ""));
    pen.setLineDash([]);
    pen.lineWidth = 4;
    pen.strokeStyle = stage.theme.background;
    pen.fillStyle = stage.theme.text;
    const [x, y] = [Number(label.getAttribute("x")), Number(label.getAttribute("y"))];
    pen.strokeText(label.textContent ?? "", x, y);
    pen.fillText(label.textContent ?? "", x, y);
  }
  pen.restore();
}

function drawLegend(picture: HTMLCanvasElement, pen: CanvasRenderingContext2D, stage: Stage): void {
  const { legend, theme } = stage;
  if (!legend) return;
  const map = colourMap(legend.map);
  const unit = picture.height / 40;
  const [left, top, width, height] = [unit, picture.height - 3 * unit, 10 * unit, 0.7 * unit];
  const table = shades(map);
  for (let shade = 0; shade < 256; shade++) {
    pen.fillStyle = `rgb(${table[3 * shade]} ${table[3 * shade + 1]} ${table[3 * shade + 2]})`;
    pen.fillRect(left + (width * shade) / 256, top, width / 256 + 1, height);
  }
  pen.fillStyle = theme.text;
  pen.font = `${0.9 * unit}px sans-serif`;
  const of = unitOf(legend.key);
  pen.fillText(frameKeyLabel(legend.key) + (of ? ` (${of})` : ""), left, top - 0.5 * unit);
  pen.textAlign = "center";
  for (const tick of ticks(legend, 4)) {
    const share = legend.max > legend.min ? (tick - legend.min) / (legend.max - legend.min) : 0.5;
    pen.fillText(String(tick), left + share * width, top + height + 1.1 * unit);
  }
}
