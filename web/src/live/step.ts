// The step everybody looks at: this page goes along, and takes the others along.
import { useEffect, useRef } from "react";
import { usePlayback, within } from "@/lib/playback";
import { useSession } from "@/lib/session";
import { useRoomEvent } from "@/live/rooms";
import { say } from "@/live/socket";

interface StepChanged {
  step: number;
  by: { id: string; name: string } | null;
}

const PAUSE = 120;

export function useSharedStep(room: string): void {
  /** Steps this page has told and not heard back: their echo must not pull it back. */
  const told = useRef<number[]>([]);
  /** The step it was taken to, which is not to be told again. */
  const heard = useRef(-1);

  useRoomEvent<StepChanged>(room, "step:changed", ({ step, by }) => {
    const me = useSession.getState().user?.id;
    const echo = by?.id === me ? told.current.indexOf(step) : -1;
    if (echo >= 0) {
      told.current.splice(0, echo + 1);
      return;
    }
    const { follow, length } = usePlayback.getState();
    if (!follow) return;
    heard.current = step;
    // A step beyond the end belongs to frames whose own event is on its way.
    usePlayback.setState({
      step: Math.max(within(step, length), Math.min(step, length)),
      playing: false,
      presenter: by ? { name: by.name, at: Date.now() } : null,
    });
  });

  useEffect(() => {
    let last = usePlayback.getState().step;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let pending: number | null = null;
    const tell = async () => {
      if (pending === null) {
        timer = undefined;
        return;
      }
      const step = pending;
      pending = null;
      told.current.push(step);
      if (told.current.length > 50) told.current.shift();
      // One at a time, so that a slow line carries the newest step rather than all of them. The step of a room one may
      // only look at stays where its owner put it.
      await say("step:set", { room, step }).catch(() => undefined);
      timer = setTimeout(tell, PAUSE);
    };
    const stop = usePlayback.subscribe((now) => {
      if (now.room !== room || now.step === last) return;
      last = now.step;
      if (!now.follow || now.step === heard.current) {
        heard.current = -1;
        return;
      }
      heard.current = -1;
      pending = now.step;
      timer ??= setTimeout(tell, 0);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [room]);
}
