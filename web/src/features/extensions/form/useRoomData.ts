// What forms ask of the room: its selected atoms, and the properties of the frame at hand.
import { useQuery } from "@tanstack/react-query";
import { callJson, roomPath } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";

interface Selections {
  selections: Record<string, number[]>;
}

interface RoomState {
  length: number;
  step: number;
}

interface FrameMetadata {
  keys: Record<string, { dtype?: string; shape?: number[]; type?: string }>;
}

const NO_ATOMS: number[] = [];

export function useSelectedAtoms(room: string): number[] {
  const { data } = useQuery({
    queryKey: queryKeys.selections(room),
    queryFn: ({ signal }) => callJson<Selections>("GET", roomPath(room, "selections"), { signal }),
  });
  return data?.selections?.particles ?? NO_ATOMS;
}

export function useFrameProperties(room: string): { key: string; kind: string }[] {
  const { data: state } = useQuery({
    queryKey: queryKeys.state(room),
    queryFn: ({ signal }) => callJson<RoomState>("GET", roomPath(room, "state"), { signal }),
  });
  const index = Math.max(0, Math.min(state?.step ?? 0, (state?.length ?? 1) - 1));
  const { data } = useQuery({
    queryKey: queryKeys.frameMetadata(room, index),
    enabled: Boolean(state?.length),
    queryFn: ({ signal }) =>
      callJson<FrameMetadata>("GET", roomPath(room, "frames", "metadata"), { query: { index }, signal }),
  });
  return Object.entries(data?.keys ?? {}).map(([key, about]) => ({
    key,
    kind: about.shape ? (about.shape.length ? about.shape.join(" × ") : "number") : (about.type ?? ""),
  }));
}
