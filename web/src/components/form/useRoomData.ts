// Room data that form widgets need: the selected atoms, and the properties of the current frame.
import { useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";

const NO_ATOMS: number[] = [];

export function useSelectedAtoms(room: string): number[] {
  const { data } = useQuery({
    queryKey: queryKeys.selections(room),
    queryFn: async ({ signal }) =>
      (await api.GET("/api/rooms/{room}/selections", { params: { path: { room } }, signal })).data!,
  });
  return data?.selections?.particles ?? NO_ATOMS;
}

export function useFrameProperties(room: string): { key: string; kind: string }[] {
  const { data: state } = useQuery({
    queryKey: queryKeys.state(room),
    queryFn: async ({ signal }) =>
      (await api.GET("/api/rooms/{room}/state", { params: { path: { room } }, signal })).data!,
  });
  const index = Math.max(0, Math.min(state?.step ?? 0, (state?.length ?? 1) - 1));
  const { data } = useQuery({
    queryKey: queryKeys.frameMetadata(room, index),
    enabled: Boolean(state?.length),
    queryFn: async ({ signal }) =>
      (
        await api.GET("/api/rooms/{room}/frames/metadata", {
          params: { path: { room }, query: { index } },
          signal,
        })
      ).data!,
  });
  return Object.entries(data?.keys ?? {}).map(([key, about]) => ({
    key,
    kind: about.shape ? (about.shape.length ? about.shape.join(" × ") : "number") : (about.type ?? ""),
  }));
}
