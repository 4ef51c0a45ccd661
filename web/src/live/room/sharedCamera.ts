// Sends the camera of this page while a person follows it, and moves it with the camera of a followed person.
import { useEffect, useRef } from "react";
import { useSession } from "@/lib/api/session";
import { notify } from "@/lib/notifications";
import {
  type CameraView,
  sameView,
  stopFollowing,
  useCameraFollow,
  viewBetween,
} from "@/lib/room/cameraFollow";
import { clampStep, play, usePlayback } from "@/lib/room/playback";
import { onRoomJoined, useRoomEvent } from "@/live/room/roomMembership";
import { emitWithAck, RequestRefused } from "@/live/socket";

/** The camera of the viewer. */
export interface SharedCamera {
  view(): CameraView;
  /** Show another view for a while. */
  place(view: CameraView): void;
  /** Keep the place, with the projection that the user has chosen. */
  release(): void;
  onDrawn(listener: () => void): () => void;
}

type Moved = CameraView & { user: string; step: number };

const SEND_INTERVAL_MS = 100;
/** How long a movement takes on the page of a follower: until about the next one. */
const GLIDE_MS = 120;
/** Followers renew every 4 s; without renewal for 10 s sending stops. */
const FOLLOW_AGAIN_MS = 4_000;
const FOLLOWED_MS = 10_000;

export function useSharedCamera(room: string, camera: SharedCamera | null): void {
  useSending(room, camera);
  useFollowing(room, camera);
}

function useSending(room: string, camera: SharedCamera | null): void {
  const sender = useRef<{ followed(again: boolean): void } | null>(null);
  useRoomEvent<{ again: boolean }>(room, "camera:followed", ({ again }) => sender.current?.followed(again));
  useEffect(() => {
    if (!camera) return;
    let until = 0;
    let sent: { view: CameraView; step: number } | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const send = () => {
      timer = undefined;
      // Two people who follow each other would send each other's views for ever.
      if (useCameraFollow.getState().person) return;
      const { step } = usePlayback.getState();
      const view = camera.view();
      if (Date.now() > until || (sent && sent.step === step && sameView(sent.view, view))) return;
      sent = { view, step };
      timer = setTimeout(send, SEND_INTERVAL_MS);
      // A movement that is lost or refused is replaced by the next one.
      emitWithAck("camera:move", { room, ...view, step }).catch(() => undefined);
    };
    const moved = () => {
      if (timer === undefined && Date.now() <= until) send();
    };
    sender.current = {
      followed: (again) => {
        until = Date.now() + FOLLOWED_MS;
        // A hidden window of the same person does not answer, so that its view does not replace the shown one.
        if (again || document.visibilityState === "hidden") return;
        sent = null;
        moved();
      },
    };
    const stops = [camera.onDrawn(moved), usePlayback.subscribe(moved)];
    return () => {
      sender.current = null;
      clearTimeout(timer);
      for (const stop of stops) stop();
    };
  }, [room, camera]);
}

function useFollowing(room: string, camera: SharedCamera | null): void {
  const person = useCameraFollow((now) => (now.room === room ? now.person : null));
  const glide = useRef<{ to(view: Moved): void } | null>(null);
  useRoomEvent<Moved>(room, "camera:moved", (moved) => {
    if (moved.user === person?.id) glide.current?.to(moved);
  });
  useEffect(
    () => () => {
      if (useCameraFollow.getState().room === room) stopFollowing();
    },
    [room],
  );
  useEffect(() => {
    if (!person || !camera) return;
    play(false);
    const { localRevision } = usePlayback.getState();
    /** The frame that the person looks at, also when the room's step is another. */
    let theirs: number | null = null;
    const showTheirs = () => {
      const { step, length } = usePlayback.getState();
      if (theirs !== null && step !== clampStep(theirs, length))
        usePlayback.setState({ step: clampStep(theirs, length) });
    };
    let shown = camera.view();
    let frame = 0;
    glide.current = {
      to: ({ target, turn, distance, flat, field, step }) => {
        theirs = step;
        showTheirs();
        const [from, goal] = [shown, { target, turn, distance, flat, field }];
        const start = performance.now();
        cancelAnimationFrame(frame);
        const move = (now: number) => {
          const share = Math.max(0, (now - start) / GLIDE_MS);
          shown = viewBetween(from, goal, share);
          camera.place(shown);
          if (share < 1) frame = requestAnimationFrame(move);
        };
        frame = requestAnimationFrame(move);
      },
    };
    const stops = [
      // Whatever else moves the camera is the user: the pointer, a key, the panel.
      camera.onDrawn(() => !sameView(camera.view(), shown) && stopFollowing()),
      usePlayback.subscribe((now) => (now.localRevision === localRevision ? showTheirs() : stopFollowing())),
      keepFollowing(room, person),
    ];
    return () => {
      glide.current = null;
      cancelAnimationFrame(frame);
      for (const stop of stops) stop();
      camera.release();
      const now = usePlayback.getState();
      if (now.room !== room || !now.follow || now.localRevision !== localRevision) return;
      // Back to the room's step, which the page shares.
      usePlayback.setState({ follow: false });
      usePlayback.setState({ follow: true });
    };
  }, [room, camera, person]);
}

/** Say that this page follows, now, after a reconnect and every few seconds. It ends with the second refusal. */
function keepFollowing(room: string, person: { id: string; name: string }): () => void {
  let refusals = 0;
  const ask = async (again: boolean) => {
    try {
      await emitWithAck("camera:follow", { room, user: person.id, again });
      refusals = 0;
    } catch (error) {
      if (!(error instanceof RequestRefused) || useCameraFollow.getState().person !== person) return;
      // Once may be a page that is just connecting again: theirs, or this one.
      refusals += 1;
      if (refusals < 2) return;
      stopFollowing();
      notify(error.code === "not_found" ? `${person.name} has left the room.` : error.message);
    }
  };
  void ask(false);
  const timer = setInterval(() => void ask(refusals === 0), FOLLOW_AGAIN_MS);
  const stop = onRoomJoined((joined) => joined === room && void ask(false));
  return () => {
    clearInterval(timer);
    stop();
    if (useSession.getState().user) emitWithAck("camera:follow", { room, user: null }).catch(() => undefined);
  };
}
