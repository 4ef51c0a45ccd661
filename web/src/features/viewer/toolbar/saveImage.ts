// Saves the scene as a PNG file with twice the screen resolution, and with the legend if there is one.
import { colourMap, type Range, rangeOf, shades, ticks } from "@/lib/atoms/colourmaps";
import { usePlayback } from "@/lib/room/playback";
import { frameKeyLabel } from "../atomProperties";
import type { Stage } from "../stage/stage";
import { colourSource } from "../stage/style";
import { scalarsOf } from "../structure";

const SCALE = 2;

export async function saveImage(stage: Stage): Promise<void> {
  const picture = stage.image(SCALE * Math.max(1, globalThis.devicePixelRatio || 1));
  drawLegend(picture, stage);
  const blob = await new Promise<Blob | null>((done) => picture.toBlob(done, "image/png"));
  if (!blob) return;
  const { room, step } = usePlayback.getState();
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = `${room}-${step}.png`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

function drawLegend(picture: HTMLCanvasElement, stage: Stage): void {
  const { style, room, structure, theme } = stage;
  const by = colourSource(style, room);
  const values = structure && by ? scalarsOf(structure, by.key) : null;
  const pen = picture.getContext("2d");
  if (!values || !by || !pen) return;
  const map = colourMap(by.map);
  const range: Range = by.range ?? rangeOf(values, map.diverging);
  const unit = picture.height / 40;
  const [left, top, width, height] = [unit, picture.height - 3 * unit, 10 * unit, 0.7 * unit];
  const table = shades(map);
  for (let shade = 0; shade < 256; shade++) {
    pen.fillStyle = `rgb(${table[3 * shade]} ${table[3 * shade + 1]} ${table[3 * shade + 2]})`;
    pen.fillRect(left + (width * shade) / 256, top, width / 256 + 1, height);
  }
  pen.fillStyle = theme.text;
  pen.font = `${0.9 * unit}px sans-serif`;
  pen.fillText(frameKeyLabel(by.key), left, top - 0.5 * unit);
  pen.textAlign = "center";
  for (const tick of ticks(range, 4)) {
    const share = range.max > range.min ? (tick - range.min) / (range.max - range.min) : 0.5;
    pen.fillText(String(tick), left + share * width, top + height + 1.1 * unit);
  }
}
