// The geometries of a room, and writing them: each write is one change that can be undone.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";
import type { Geometry } from "../scene/splitGeometries";

export function useGeometries(room: string) {
  return useQuery({
    queryKey: queryKeys.geometries(room),
    queryFn: async () =>
      (await api.GET("/api/rooms/{room}/geometries", { params: { path: { room } } })).data!,
    select: ({ geometries }) => geometries,
  });
}

export function useGeometrySchemas(room: string) {
  return useQuery({
    queryKey: queryKeys.room(room, "geometry-schemas"),
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () =>
      (await api.GET("/api/rooms/{room}/geometries/schemas", { params: { path: { room } } })).data!,
    select: ({ schemas }) => schemas as Record<string, Record<string, unknown>>,
  });
}

/** `quiet`: the caller shows the errors itself. */
export function usePutGeometry(room: string, quiet = false) {
  const client = useQueryClient();
  return useMutation({
    meta: { quiet },
    mutationFn: ({ key, geometry }: { key: string; geometry: Geometry }) =>
      api.PUT("/api/rooms/{room}/geometries/{key}", { params: { path: { room, key } }, body: geometry }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.geometries(room) }),
  });
}

export function useRemoveGeometry(room: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (key: string) =>
      api.DELETE("/api/rooms/{room}/geometries/{key}", { params: { path: { room, key } } }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.geometries(room) }),
  });
}
