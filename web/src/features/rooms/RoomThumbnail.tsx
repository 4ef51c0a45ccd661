// The picture of a room in a list, fetched when it comes into view. It takes the rights of the user, so it is no plain address.
import { useInViewport } from "@mantine/hooks";
import { IconAtom2 } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";
import classes from "./RoomThumbnail.module.css";

export function RoomThumbnail({ room, madeAt }: { room: string; madeAt: string | null }) {
  const { ref, inViewport } = useInViewport<HTMLSpanElement>();
  const { data } = useQuery({
    queryKey: queryKeys.thumbnail(room, madeAt),
    enabled: madeAt !== null && inViewport,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    meta: { quiet: true },
    queryFn: async ({ signal }) => {
      const params = { path: { room } };
      const { data } = await api.GET("/api/rooms/{room}/thumbnail", { params, signal, parseAs: "blob" });
      return dataUrl(data as Blob);
    },
  });
  return (
    <span ref={ref} className={classes.picture} data-empty={data === undefined || undefined}>
      {data ? (
        <img src={data} alt="" data-testid="thumbnail" />
      ) : (
        <IconAtom2 size={20} aria-hidden stroke={1.3} />
      )}
    </span>
  );
}

function dataUrl(image: Blob): Promise<string> {
  return new Promise((done, failed) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result as string);
    reader.onerror = () => failed(reader.error);
    reader.readAsDataURL(image);
  });
}
