import { Center, Loader } from "@mantine/core";
import { lazy, Suspense } from "react";
import { panels } from "@/app/room/panelRegistry";
import { ErrorBoundary } from "@/components/ErrorBoundary";
import type { RoomPanelProps } from "@/lib/room/panelDefinition";

const components = Object.fromEntries(panels.map((panel) => [panel.id, lazy(panel.load)]));

export const isPanel = (id: string) => id in components;

/** A panel, which is loaded when it is first shown. */
export function PanelContent({ id, room }: RoomPanelProps & { id: string }) {
  const Content = components[id];
  return (
    <div id={elementId(id)} tabIndex={-1} style={{ height: "100%", outline: "none" }}>
      <ErrorBoundary>
        <Suspense
          fallback={
            <Center h="100%">
              <Loader size="sm" role="status" aria-label="Loading" />
            </Center>
          }
        >
          {Content && <Content room={room} />}
        </Suspense>
      </ErrorBoundary>
    </div>
  );
}

const elementId = (id: string) => `panel-${id}`;

/** Move the focus into a panel that was just shown, once it is drawn. */
export function focusPanel(id: string) {
  requestAnimationFrame(() => document.getElementById(elementId(id))?.focus());
}
