// Shows the frame that the address asks for (`?frame=4`), and takes it out of the address: another step may follow.
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect } from "react";
import { plural } from "@/lib/format";
import { notify } from "@/lib/notifications";
import { goTo, play } from "@/lib/room/playback";

/** A link to a new frame may be followed before the event about the frame arrives. */
const PATIENCE_MS = 3_000;

/** `isEntered`: the state of the room is known, so that its step does not overwrite the frame. */
export function useAddressedFrame(room: string, length: number, isEntered: boolean): void {
  const frame = useSearch({ from: "/in/rooms/$room/", shouldThrow: false })?.frame;
  const navigate = useNavigate();
  useEffect(() => {
    if (frame === undefined || !isEntered) return;
    const leaveAddress = () =>
      void navigate({
        to: "/rooms/$room",
        params: { room },
        search: ({ ext }) => ({ ext }),
        replace: true,
      });
    if (frame < length) {
      play(false);
      goTo(frame);
      leaveAddress();
      return;
    }
    const timer = setTimeout(() => {
      notify(`There is no frame ${frame}: the room has ${plural(length, "frame")}, counted from 0.`);
      leaveAddress();
    }, PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [room, frame, length, isEntered, navigate]);
}
