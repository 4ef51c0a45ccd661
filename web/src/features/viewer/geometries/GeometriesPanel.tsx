// The geometries of the room: add, show and hide, edit, delete. All people of the room see them.
import {
  ActionIcon,
  Badge,
  Box,
  Group,
  ScrollArea,
  Stack,
  Text,
  Tooltip,
  UnstyledButton,
} from "@mantine/core";
import { IconChevronDown, IconChevronRight, IconEye, IconEyeOff, IconTrash } from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import { ErrorAlert } from "@/components/ErrorBoundary";
import type { RoomPanelProps } from "@/lib/room/panelDefinition";
import { useRoomInfo } from "@/live/queries";
import type { Geometry } from "../scene/splitGeometries";
import { AddGeometry } from "./AddGeometry";
import { useGeometries, useGeometrySchemas, usePutGeometry, useRemoveGeometry } from "./useGeometries";

const GeometryForm = lazy(async () => ({ default: (await import("./GeometryForm")).GeometryForm }));

export default function GeometriesPanel({ room }: RoomPanelProps) {
  const { data, error, isLoadingError, refetch } = useGeometries(room);
  const readOnly = useRoomInfo(room).data?.rights === "read";
  const [open, setOpen] = useState<string | null>(null);
  if (isLoadingError) return <ErrorAlert error={error} onRetry={() => void refetch()} />;
  const entries = Object.entries(data ?? {});
  return (
    <ScrollArea h="100%">
      <Stack gap={4} p="sm">
        <Text size="xs" c="dimmed">
          {readOnly
            ? "You can only read this room: its geometries are those that others chose."
            : "All people of the room see these. Each change can be undone."}
        </Text>
        {data && !readOnly && <AddGeometry room={room} taken={Object.keys(data)} />}
        {data && entries.length === 0 && <Text size="sm">This room has no geometries.</Text>}
        <Stack component="ul" gap={4} p={0} m={0} style={{ listStyle: "none" }} aria-label="Geometries">
          {entries.map(([key, geometry]) => (
            <GeometryRow
              key={key}
              room={room}
              name={key}
              geometry={geometry}
              readOnly={readOnly}
              opened={open === key}
              toggle={() => setOpen(open === key ? null : key)}
            />
          ))}
        </Stack>
      </Stack>
    </ScrollArea>
  );
}

interface RowProps {
  room: string;
  name: string;
  geometry: Geometry;
  readOnly: boolean;
  opened: boolean;
  toggle: () => void;
}

function GeometryRow({ room, name, geometry, readOnly, opened, toggle }: RowProps) {
  const put = usePutGeometry(room);
  const remove = useRemoveGeometry(room);
  const schemas = useGeometrySchemas(room);
  const visible = geometry.data.visible !== false;
  const schema = schemas.data?.[geometry.type];
  const editable = !readOnly && schema !== undefined;
  const Chevron = opened ? IconChevronDown : IconChevronRight;
  return (
    <Box component="li" style={{ border: "1px solid var(--wr-line)", borderRadius: 6 }}>
      <Group gap={6} wrap="nowrap" px={6} py={4}>
        <Tooltip label={visible ? "Hide for all" : "Show for all"}>
          <ActionIcon
            aria-label={`${visible ? "Hide" : "Show"} ${name}`}
            disabled={readOnly || put.isPending}
            onClick={() =>
              put.mutate({
                key: name,
                geometry: { ...geometry, data: { ...geometry.data, visible: !visible } },
              })
            }
          >
            {visible ? <IconEye size={16} /> : <IconEyeOff size={16} />}
          </ActionIcon>
        </Tooltip>
        <UnstyledButton
          onClick={toggle}
          disabled={!editable}
          aria-expanded={editable ? opened : undefined}
          style={{ flex: 1, minWidth: 0, display: "flex", gap: 6, alignItems: "center" }}
        >
          {editable && <Chevron size={14} aria-hidden />}
          <Text size="sm" truncate c={visible ? undefined : "dimmed"}>
            {name}
          </Text>
          {name !== geometry.type && (
            <Badge size="xs" variant="default" c="dimmed" fw={500} tt="none">
              {geometry.type}
            </Badge>
          )}
        </UnstyledButton>
        <Tooltip label="Delete">
          <ActionIcon
            aria-label={`Delete ${name}`}
            disabled={readOnly || remove.isPending}
            onClick={() => remove.mutate(name)}
          >
            <IconTrash size={15} />
          </ActionIcon>
        </Tooltip>
      </Group>
      {opened && editable && (
        <Suspense>
          <GeometryForm room={room} name={name} geometry={geometry} whole={schema} close={toggle} />
        </Suspense>
      )}
    </Box>
  );
}
