// Synchronises the current step with the other users of the room.
import { useEffect, useMemo } from "react";
import { useSession } from "@/lib/api/session";
import { clampStep, play, usePlayback } from "@/lib/room/playback";
import { type RoomStep, StepSync } from "@/lib/room/stepSync";
import { useRoomEvent } from "@/live/room/roomMembership";
import { emitWithAck, RequestRefused } from "@/live/socket";

const SEND_INTERVAL_MS = 120;

/** What the trajectory tells the steps. */
export interface SharedStep {
  /** The number of the room's step that is known here. */
  revision: () => number;
  /** The state of the room was fetched; `known` is `revision()` at the request. */
  fetched: (state: { step: number; stepRevision: number }, known: number) => void;
  /** Frames were added or removed; the room's step moved with its frame. */
  framesChanged: (change: { step: number; stepRevision: number }) => void;
}

/** Mounted once, by the timeline. */
export function useSharedStep(room: string): SharedStep {
  const { sync, steps } = useMemo(() => shareSteps(room), [room]);
  useRoomEvent<RoomStep>(room, "step:changed", (event) => sync.received(event));
  useEffect(
    () =>
      usePlayback.subscribe((now, before) => {
        if (now.room !== room) return;
        if (!now.follow) sync.forgetUnsent();
        else if (!before.follow) showStep(sync.roomStep);
        else if (now.localRevision !== before.localRevision) sync.moved(now.step);
      }),
    [room, sync],
  );
  return steps;
}

function shareSteps(room: string) {
  /** The room's step belongs to frames whose change event has not arrived yet. */
  let beyondEnd = false;
  let entered = false;
  const sync = new StepSync({
    send: (step) => emitWithAck("step:set", { room, step }),
    show: (step) => {
      if (entered && !usePlayback.getState().follow) return;
      beyondEnd = step.step >= usePlayback.getState().length;
      showStep(step);
    },
    settle: ({ step }) => {
      const { follow, length } = usePlayback.getState();
      if (follow) usePlayback.setState({ step: clampStep(step, length) });
    },
    stopPlaying: () => {
      const { playing } = usePlayback.getState();
      if (playing) play(false);
      return playing;
    },
    refused: (error) => {
      // Who may not set the step looks around alone; a step that is gone leads back to the room's step.
      if (error instanceof RequestRefused && error.code === "forbidden")
        usePlayback.setState({ follow: false, presenter: null });
      else showStep(sync.roomStep);
    },
    isRefusal: (error) => error instanceof RequestRefused,
    pause: () => new Promise((next) => setTimeout(next, SEND_INTERVAL_MS)),
  });
  const steps: SharedStep = {
    revision: () => sync.roomStep.stepRevision,
    fetched: ({ step, stepRevision }, known) => {
      sync.fetched({ step, stepRevision, by: null }, known);
      entered = true;
    },
    framesChanged: ({ step, stepRevision }) => {
      sync.received({ step, stepRevision, by: null, shifted: true });
      if (!beyondEnd) return;
      beyondEnd = false;
      if (usePlayback.getState().follow) showStep(sync.roomStep);
    },
  };
  return { sync, steps };
}

function showStep({ step, by }: RoomStep): void {
  const me = useSession.getState().user?.id;
  usePlayback.setState((now) => {
    const shown = clampStep(step, now.length);
    return {
      step: shown,
      playing: now.playing && now.step === shown,
      presenter: by && by.id !== me ? { name: by.name, at: Date.now() } : null,
    };
  });
}
