// Shows the frame that the address asks for (`?frame=4`), and takes it out of the address: another step may follow.
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect } from "react";
import { goTo, play } from "@/lib/room/playback";

/** `isEntered`: the state of the room is known, so that its step does not overwrite the frame. */
export function useAddressedFrame(room: string, length: number, isEntered: boolean): void {
  const frame = useSearch({ from: "/in/rooms/$room/", shouldThrow: false })?.frame;
  const navigate = useNavigate();
  useEffect(() => {
    if (frame === undefined || !isEntered || frame >= length) return;
    play(false);
    goTo(frame);
    void navigate({
      to: "/rooms/$room",
      params: { room },
      search: ({ ext }) => ({ ext }),
      replace: true,
    });
  }, [room, frame, length, isEntered, navigate]);
}
