// The measurements that the user keeps, by room, in this browser.
import { create } from "zustand";
import { persist } from "zustand/middleware";

interface Measurements {
  byRoom: Readonly<Record<string, readonly (readonly number[])[]>>;
}

const MOST_ROOMS = 30;
const MOST_KEPT = 50;
const NONE: readonly (readonly number[])[] = [];

export const useMeasurements = create<Measurements>()(
  persist((): Measurements => ({ byRoom: {} }), { name: "workroom.measurements", version: 1 }),
);

export function keptMeasurements(room: string) {
  return ({ byRoom }: Measurements) => byRoom[room] ?? NONE;
}

export function isMeasurable(atoms: readonly number[]): boolean {
  return atoms.length >= 2 && atoms.length <= 4;
}

/** Keep the measurement of these atoms; one that is already kept stays as it is. */
export function keepMeasurement(room: string, atoms: readonly number[]): void {
  if (!isMeasurable(atoms)) return;
  useMeasurements.setState(({ byRoom }) => {
    const { [room]: kept = [], ...others } = byRoom;
    if (kept.some((one) => one.join() === atoms.join())) return {};
    // The room comes last: the ones that were not used for longest are forgotten first.
    const entries = Object.entries(others).slice(1 - MOST_ROOMS);
    return { byRoom: { ...Object.fromEntries(entries), [room]: [...kept, [...atoms]].slice(-MOST_KEPT) } };
  });
}

export function forgetMeasurement(room: string, atoms: readonly number[]): void {
  useMeasurements.setState(({ byRoom }) => {
    const kept = (byRoom[room] ?? NONE).filter((one) => one !== atoms);
    const { [room]: _, ...others } = byRoom;
    return { byRoom: kept.length ? { ...others, [room]: kept } : others };
  });
}
