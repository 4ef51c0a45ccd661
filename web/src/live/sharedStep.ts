// The step everybody looks at: this page goes along, and takes the others along.
import { useEffect, useRef } from "react";
import { useSession } from "@/lib/api/session";
import { clampStep, usePlayback } from "@/lib/room/playback";
import { useRoomEvent } from "@/live/roomMembership";
import { emitWithAck } from "@/live/socket";

interface StepChanged {
  step: number;
  by: { id: string; name: string } | null;
}

const SEND_INTERVAL_MS = 120;

export function useSharedStep(room: string): void {
  /** Steps this page has told and not heard back: their echo must not pull it back. */
  const sentSteps = useRef<number[]>([]);
  /** The step it was taken to, which is not to be told again. */
  const receivedStep = useRef(-1);

  useRoomEvent<StepChanged>(room, "step:changed", ({ step, by }) => {
    const me = useSession.getState().user?.id;
    const echo = by?.id === me ? sentSteps.current.indexOf(step) : -1;
    if (echo >= 0) {
      sentSteps.current.splice(0, echo + 1);
      return;
    }
    const { follow, length } = usePlayback.getState();
    if (!follow) return;
    receivedStep.current = step;
    // A step beyond the end belongs to frames whose own event is on its way.
    usePlayback.setState({
      step: Math.max(clampStep(step, length), Math.min(step, length)),
      playing: false,
      presenter: by ? { name: by.name, at: Date.now() } : null,
    });
  });

  useEffect(() => {
    let last = usePlayback.getState().step;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let pending: number | null = null;
    const send = async () => {
      if (pending === null) {
        timer = undefined;
        return;
      }
      const step = pending;
      pending = null;
      sentSteps.current.push(step);
      if (sentSteps.current.length > 50) sentSteps.current.shift();
      // One at a time, so that a slow line carries the newest step rather than all of them. The step of a room one may
      // only look at stays where its owner put it.
      await emitWithAck("step:set", { room, step }).catch(() => undefined);
      timer = setTimeout(send, SEND_INTERVAL_MS);
    };
    const stop = usePlayback.subscribe((now) => {
      if (now.room !== room || now.step === last) return;
      last = now.step;
      if (!now.follow || now.step === receivedStep.current) {
        receivedStep.current = -1;
        return;
      }
      receivedStep.current = -1;
      pending = now.step;
      timer ??= setTimeout(send, 0);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [room]);
}
