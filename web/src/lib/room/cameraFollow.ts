// Whose camera this page follows, and views between two views.
import { create } from "zustand";

/** Where a camera is. */
export interface CameraView {
  target: [number, number, number];
  /** The rotation as a quaternion. */
  turn: [number, number, number, number];
  distance: number;
  /** Orthographic. */
  flat: boolean;
  /** The angle of view, in degrees. */
  field: number;
}

interface Follow {
  /** The person whose camera this page follows. */
  person: { id: string; name: string } | null;
  room: string;
}

export const useCameraFollow = create<Follow>(() => ({ person: null, room: "" }));

export function follow(room: string, person: { id: string; name: string }): void {
  useCameraFollow.setState({ room, person });
}

export function stopFollowing(): void {
  if (useCameraFollow.getState().person) useCameraFollow.setState({ person: null });
}

export function sameView(one: CameraView, other: CameraView): boolean {
  return (
    one.distance === other.distance &&
    one.flat === other.flat &&
    one.field === other.field &&
    one.target.every((part, at) => part === other.target[at]) &&
    one.turn.every((part, at) => part === other.turn[at])
  );
}

/** The view a share of the way from one view to another; with a share of 1 exactly the other. */
export function viewBetween(from: CameraView, to: CameraView, share: number): CameraView {
  if (share >= 1) return to;
  const mix = (a: number, b: number) => a + (b - a) * share;
  // A quaternion and its negative are the same rotation: the nearer one is the shorter way.
  const sign = from.turn.reduce((sum, part, at) => sum + part * to.turn[at]!, 0) < 0 ? -1 : 1;
  const turn = from.turn.map((part, at) => mix(part, sign * to.turn[at]!));
  const length = Math.hypot(...turn);
  return {
    target: from.target.map((part, at) => mix(part, to.target[at]!)) as CameraView["target"],
    turn: turn.map((part) => part / length) as CameraView["turn"],
    distance: from.distance * (to.distance / from.distance) ** share,
    flat: to.flat,
    field: mix(from.field, to.field),
  };
}
