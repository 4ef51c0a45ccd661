// The property inspector: what the current frame says as a whole.
import { Center, ScrollArea, Table, Text, Title } from "@mantine/core";
import { useMemo } from "react";
import { ErrorAlert } from "@/components/ErrorBoundary";
import { structureOf } from "@/lib/atoms/structure";
import type { RoomPanelProps } from "@/lib/room/panelDefinition";
import { useRestingStep, useWholeFrame } from "@/live/room/useWholeFrame";
import classes from "./Frame.module.css";
import { frameProperties } from "./frameProperties";

export default function FramePanel({ room }: RoomPanelProps) {
  const step = useRestingStep();
  const { data: frame, isLoadingError, error, refetch } = useWholeFrame(room, step);
  const groups = useMemo(() => (frame ? frameProperties(structureOf(frame)) : null), [frame]);
  if (isLoadingError) return <ErrorAlert error={error} onRetry={() => void refetch()} />;
  if (!groups)
    return (
      <Center h="100%">
        <Text size="sm" c="dimmed">
          Energy, cell, stress and other values of the current frame are shown here.
        </Text>
      </Center>
    );
  return (
    // Nothing inside takes the focus, so the keys scroll the panel itself.
    <ScrollArea h="100%" type="auto" viewportProps={{ tabIndex: 0 }}>
      <div className={classes.groups}>
        {groups.map(({ title, properties }) => (
          <section key={title} aria-label={title}>
            <Title order={5} mb={2}>
              {title}
            </Title>
            <Table withRowBorders={false} verticalSpacing={2} horizontalSpacing={6} fz="xs">
              <Table.Tbody>
                {properties.map(({ label, text }) => (
                  <Table.Tr key={label}>
                    <Table.Th scope="row" className={classes.label}>
                      {label}
                    </Table.Th>
                    <Table.Td className={classes.value}>{text}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </section>
        ))}
      </div>
    </ScrollArea>
  );
}
