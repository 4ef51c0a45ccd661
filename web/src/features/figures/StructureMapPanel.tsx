// The structure map: each frame is a point, by two of its properties or by the principal components of all of them.
import { Center, Group, Loader, Select, Text } from "@mantine/core";
import { useMemo, useState } from "react";
import { ErrorAlert, ErrorBoundary } from "@/components/ErrorBoundary";
import { count } from "@/lib/format";
import type { RoomPanelProps } from "@/lib/room/panelDefinition";
import { usePlayback } from "@/lib/room/playback";
import type { Figure } from "./figureLinks";
import { principalComponents } from "./framePca";
import { axisLabel, INDEX_AXIS, PCA_AXES, VOLUME_AXIS } from "./frameScalars";
import { PlotlyFigure } from "./PlotlyFigure";
import type { MapValues } from "./structureMapValues";
import { useScalarKeys } from "./useScalarKeys";
import { useStructureMapValues } from "./useStructureMapValues";
import "./figures.css";

export default function StructureMapPanel({ room }: RoomPanelProps) {
  const length = usePlayback((now) => (now.room === room ? now.length : 0));
  const keys = useScalarKeys(room, length);
  const axes = useMemo(() => [INDEX_AXIS, ...(keys ?? []), VOLUME_AXIS], [keys]);
  const [chosen, setChosen] = useState<{ x: string | null; y: string | null }>({ x: null, y: null });
  const x = chosen.x && (chosen.x === PCA_AXES || axes.includes(chosen.x)) ? chosen.x : INDEX_AXIS;
  const y = chosen.y && axes.includes(chosen.y) ? chosen.y : (keys?.[0] ?? VOLUME_AXIS);
  const wanted = useMemo(() => (x === PCA_AXES ? axes.slice(1) : [x, y]), [x, y, axes]);
  const values = useStructureMapValues(room, wanted, length, keys !== undefined);
  const figure = useMemo(
    () => (values.data ? mapFigure(values.data, x, x === PCA_AXES ? PCA_AXES : y) : null),
    [values.data, x, y],
  );

  if (length === 0)
    return (
      <Note text="Each frame becomes a point here. Lasso points to select their frames, click one to see it." />
    );
  if (values.isLoadingError) return <ErrorAlert error={values.error} onRetry={() => void values.refetch()} />;
  return (
    <div className="wr-figures">
      <Group gap={6} px={8} py={4} wrap="nowrap">
        <Select
          aria-label="Across"
          size="xs"
          data={[
            { value: PCA_AXES, label: "Principal components" },
            ...axes.map((axis) => ({ value: axis, label: axisLabel(axis) })),
          ]}
          value={x}
          allowDeselect={false}
          onChange={(axis) => setChosen((now) => ({ ...now, x: axis }))}
        />
        {x !== PCA_AXES && (
          <Select
            aria-label="Up"
            size="xs"
            data={axes.map((axis) => ({ value: axis, label: axisLabel(axis) }))}
            value={y}
            allowDeselect={false}
            onChange={(axis) => setChosen((now) => ({ ...now, y: axis }))}
          />
        )}
        {values.data && values.data.frames.length < values.data.length && (
          <Text size="xs" c="dimmed" role="note" style={{ whiteSpace: "nowrap" }}>
            {count(values.data.frames.length)} of {count(values.data.length)} frames, in equal distances
          </Text>
        )}
      </Group>
      <div className="wr-figures-plot" style={{ flex: 1 }}>
        {figure ? (
          <ErrorBoundary>
            <PlotlyFigure room={room} figure={figure} />
          </ErrorBoundary>
        ) : values.data ? (
          <Note text="These frames have no two properties that differ from frame to frame." />
        ) : (
          <Center h="100%">
            <Loader size="sm" role="status" aria-label="Loading" />
          </Center>
        )}
      </div>
    </div>
  );
}

function Note({ text }: { text: string }) {
  return (
    <Center h="100%" px="md">
      <Text size="sm" c="dimmed" ta="center">
        {text}
      </Text>
    </Center>
  );
}

function mapFigure({ frames, columns }: MapValues, x: string, y: string): Figure | null {
  const points =
    x === PCA_AXES
      ? principalComponents([...columns.values()])
      : { x: columns.get(x) ?? [], y: columns.get(y) ?? [] };
  if (!points) return null;
  const titles = x === PCA_AXES ? ["First component", "Second component"] : [axisLabel(x), axisLabel(y)];
  return {
    data: [
      {
        // Drawn by the graphics card: as SVG, thousands of points take seconds to draw and to select.
        type: "scattergl",
        mode: "markers",
        x: points.x,
        y: points.y,
        marker: { size: 6, color: frames, colorscale: "Viridis", opacity: 0.8 },
        hovertemplate: "frame %{marker.color}<br>%{x}, %{y}<extra></extra>",
      },
    ],
    layout: {
      xaxis: { title: { text: titles[0] } },
      yaxis: { title: { text: titles[1] } },
      dragmode: "lasso",
    },
    links: [{ trace: 0, to: "frames", indices: frames, frame: null, selection: "particles" }],
  } as unknown as Figure;
}
