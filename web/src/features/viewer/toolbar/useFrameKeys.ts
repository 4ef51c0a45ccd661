// The keys of the current frame, with dtype and shape.
import { useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";
import { usePlayback } from "@/lib/room/playback";

export function useFrameKeys(room: string) {
  const step = usePlayback((now) => (now.playing ? 0 : now.step));
  return useQuery({
    queryKey: queryKeys.frameMetadata(room, step),
    queryFn: async () =>
      (
        await api.GET("/api/rooms/{room}/frames/metadata", {
          params: { path: { room }, query: { index: step } },
        })
      ).data!,
    select: (metadata) => metadata.keys,
    placeholderData: (before) => before,
  });
}
