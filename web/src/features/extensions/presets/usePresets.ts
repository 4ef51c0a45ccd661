// The saved values of a form, which all people of the room share.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, type Schemas } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";

export function usePresets(room: string, { category, name }: Schemas["ExtensionInfo"]) {
  const client = useQueryClient();
  const key = queryKeys.presets(room, category, name);
  const path = { room, category, name };
  const onSuccess = () => client.invalidateQueries({ queryKey: key });
  return {
    list: useQuery({
      queryKey: key,
      queryFn: async ({ signal }) =>
        (
          await api.GET("/api/rooms/{room}/extensions/{category}/{name}/presets", {
            params: { path },
            signal,
          })
        ).data!,
    }),
    save: useMutation({
      mutationFn: ({ name: preset, data }: { name: string; data: Record<string, unknown> }) =>
        api.PUT("/api/rooms/{room}/extensions/{category}/{name}/presets/{preset}", {
          params: { path: { ...path, preset } },
          body: { data },
        }),
      onSuccess,
    }),
    remove: useMutation({
      mutationFn: (preset: string) =>
        api.DELETE("/api/rooms/{room}/extensions/{category}/{name}/presets/{preset}", {
          params: { path: { ...path, preset } },
        }),
      onSuccess,
    }),
  };
}
