// In the header of the room: how far the movie is that is being saved, and cancel.
import { ActionIcon, Group, Progress, Text, Tooltip } from "@mantine/core";
import { IconMovie, IconX } from "@tabler/icons-react";
import { cancelMovie, useMovieExport } from "./movieExport";

export default function MovieProgress() {
  const movie = useMovieExport((now) => now.movie);
  if (!movie) return null;
  const { done, all } = movie;
  const cancel = `Cancel after ${done} of ${all} frames`;
  return (
    <Group gap={4} wrap="nowrap" data-testid="movie">
      <IconMovie size={15} aria-hidden />
      <Progress.Root size="sm" w={{ base: 24, sm: 60 }}>
        <Progress.Section value={(100 * done) / Math.max(1, all)} aria-label={`${done} of ${all} frames`} />
      </Progress.Root>
      <Text size="xs" className="numbers" visibleFrom="sm">
        {done} of {all}
      </Text>
      <Tooltip label={cancel}>
        <ActionIcon aria-label={cancel} onClick={cancelMovie}>
          <IconX size={15} />
        </ActionIcon>
      </Tooltip>
    </Group>
  );
}
