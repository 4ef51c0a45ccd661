import { ActionIcon, Center, Group, Loader, MultiSelect, Text, Tooltip } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { ErrorAlert, ErrorBoundary } from "@/components/ErrorBoundary";
import { api, type Schemas } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";
import type { RoomPanelProps } from "@/lib/room/panelDefinition";
import { PlotlyFigure } from "./PlotlyFigure";
import "./figures.css";

/** More plots at once are too small to read. */
const MOST_FIGURES = 6;

type FigureName = Schemas["ItemName"];

export default function FiguresPanel({ room }: RoomPanelProps) {
  const client = useQueryClient();
  const names = useQuery({
    queryKey: queryKeys.figures(room),
    queryFn: async () => (await api.GET("/api/rooms/{room}/figures", { params: { path: { room } } })).data!,
  });
  const items = names.data?.items ?? [];
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const known = items.filter(({ key }) => chosen.includes(key));
  const shown = known.length ? known : items.slice(0, 1);
  const remove = useMutation({
    mutationFn: (key: string) =>
      api.DELETE("/api/rooms/{room}/figures/{key}", { params: { path: { room, key } } }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.figures(room) }),
  });

  // Shows a figure that was just created.
  const before = useRef<Set<string> | null>(null);
  useEffect(() => {
    if (!names.data) return;
    const now = new Set(names.data.items.map(({ key }) => key));
    const fresh = [...now].filter((key) => before.current && !before.current.has(key));
    if (fresh.length)
      setChosen((others) => (others.length > 1 ? [...others, ...fresh].slice(-MOST_FIGURES) : fresh));
    before.current = now;
  }, [names.data]);

  if (names.isLoadingError) return <ErrorAlert error={names.error} onRetry={() => void names.refetch()} />;
  if (!names.data) return <LoadingIndicator />;
  if (shown.length === 0)
    return (
      <Center h="100%" px="md">
        <Text size="sm" c="dimmed" ta="center" maw={420}>
          No figures yet. An analysis puts its plot here; from Python:{" "}
          <code>room.figures["energy"] = figure</code>. Points linked to frames take you there.
        </Text>
      </Center>
    );
  return (
    <div className="wr-figures">
      <Group gap={6} px={8} py={4} wrap="nowrap">
        <MultiSelect
          aria-label="Figures"
          size="xs"
          data={items.map(({ key }) => key)}
          value={shown.map(({ key }) => key)}
          maxValues={MOST_FIGURES}
          onChange={setChosen}
          flex={1}
          searchable
        />
      </Group>
      <div className="wr-figures-grid">
        {shown.map((name) => (
          <div key={name.key} className="wr-figures-plot">
            <ErrorBoundary>
              <FigureView room={room} name={name} />
            </ErrorBoundary>
            <Tooltip label="Remove this figure">
              <ActionIcon
                className="wr-figures-remove"
                size="sm"
                aria-label={`Remove the figure ${name.key}`}
                onClick={() => remove.mutate(name.key)}
              >
                <IconTrash size={13} />
              </ActionIcon>
            </Tooltip>
          </div>
        ))}
      </div>
    </div>
  );
}

function FigureView({ room, name }: { room: string; name: FigureName }) {
  const figure = useQuery({
    queryKey: [...queryKeys.figure(room, name.key), name.revision],
    queryFn: async () =>
      (await api.GET("/api/rooms/{room}/figures/{key}", { params: { path: { room, key: name.key } } })).data!,
    staleTime: Number.POSITIVE_INFINITY,
    // The previous figure stays visible while a newer one is loaded.
    placeholderData: (before) => before,
  });
  if (figure.isLoadingError) return <ErrorAlert error={figure.error} onRetry={() => void figure.refetch()} />;
  return figure.data ? <PlotlyFigure room={room} figure={figure.data} /> : <LoadingIndicator />;
}

function LoadingIndicator() {
  return (
    <Center h="100%">
      <Loader size="sm" role="status" aria-label="Loading" />
    </Center>
  );
}
