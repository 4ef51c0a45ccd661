// A guided tour of the room: a card in front of the page that explains one part after the other. The page stays usable.
import { Button, CloseButton, Group, Paper, Text, Title } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { usePanelDock } from "@/app/room/panelDockCommands";
import { TOUR_STEPS, useTour } from "@/app/room/tourSteps";
import classes from "./Tour.module.css";

const POLL_MS = 200;

export default function Tour() {
  const { step, go } = useTour();
  const card = useRef<HTMLDivElement>(null);
  const now = step === null ? undefined : TOUR_STEPS[step];
  const frame = useFrame(now?.target);

  useEffect(() => {
    if (now?.panel) usePanelDock.getState().show(now.panel);
    if (now) card.current?.focus();
  }, [now]);
  useEffect(() => () => useTour.getState().go(null), []);

  if (step === null || !now) return null;
  const last = step === TOUR_STEPS.length - 1;
  return (
    <>
      {frame && <div className={classes.frame} style={frame} aria-hidden="true" />}
      <Paper
        ref={card}
        className={classes.card}
        data-place={frame && frame.top > window.innerHeight / 2 ? "top" : undefined}
        role="dialog"
        aria-labelledby="tour-title"
        aria-describedby="tour-text"
        tabIndex={-1}
        shadow="xl"
        radius="md"
        p="md"
        withBorder
        onKeyDown={(event) => {
          if (event.key === "Escape") go(null);
          if (event.key === "ArrowRight" && !last) go(step + 1);
          if (event.key === "ArrowLeft" && step > 0) go(step - 1);
        }}
      >
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <Title order={2} size="h4" id="tour-title">
            {now.title}
          </Title>
          <CloseButton size="sm" aria-label="End the tour" onClick={() => go(null)} />
        </Group>
        <Text size="sm" mt={6} id="tour-text" aria-live="polite">
          {now.text}
        </Text>
        <Group justify="space-between" mt="md">
          <Text size="xs" c="dimmed" className="numbers">
            {step + 1} of {TOUR_STEPS.length}
          </Text>
          <Group gap="xs">
            {step > 0 && (
              <Button variant="default" size="xs" onClick={() => go(step - 1)}>
                Back
              </Button>
            )}
            <Button size="xs" onClick={() => go(last ? null : step + 1)}>
              {last ? "Done" : step === 0 ? "Show me around" : "Next"}
            </Button>
          </Group>
        </Group>
      </Paper>
    </>
  );
}

interface Box {
  top: number;
  left: number;
  width: number;
  height: number;
}

/** Where the target of a step is; panels load and move, so it is asked again and again. */
function useFrame(target: string | undefined): Box | null {
  const [frame, setFrame] = useState<Box | null>(null);
  useEffect(() => {
    setFrame(null);
    if (!target) return;
    const measure = () => {
      const box = document.querySelector(target)?.getBoundingClientRect();
      setFrame((known) => {
        if (!box || box.width === 0) return null;
        const { top, left, width, height } = box;
        const same = known && known.top === top && known.left === left && known.width === width;
        return same && known.height === height ? known : { top, left, width, height };
      });
    };
    measure();
    const timer = setInterval(measure, POLL_MS);
    return () => clearInterval(timer);
  }, [target]);
  return frame;
}
