// The movie that is being saved. It goes on while other panels are in front; it ends with the stage that draws its frames.
import { create } from "zustand";
import { download } from "@/lib/download";
import { notify, notifyError } from "@/lib/notifications";
import { currentRoute, play, usePlayback } from "@/lib/room/playback";
import type { Trajectory } from "@/lib/trajectory/trajectory";
import type { Stage } from "../stage/stage";
import { framesOf, type MovieOptions, recordMovie } from "./recordMovie";

interface MovieExport {
  readonly stage: Stage;
  readonly control: AbortController;
  readonly done: number;
  readonly all: number;
}

/** One movie at a time: the stage shows its frames meanwhile. */
export const useMovieExport = create<{ movie: MovieExport | null }>(() => ({ movie: null }));

export async function saveMovie(
  stage: Stage,
  trajectory: Trajectory,
  options: Pick<MovieOptions, "format" | "framesPerSecond" | "width">,
): Promise<void> {
  const control = new AbortController();
  const route = currentRoute();
  const isMine = () => useMovieExport.getState().movie?.control === control;
  const progress = (done: number, all: number) => {
    if (isMine()) useMovieExport.setState({ movie: { stage, control, done, all } });
  };
  play(false);
  // Playback would fetch other frames than the movie.
  const stop = usePlayback.subscribe(({ playing }) => playing && play(false));
  useMovieExport.setState({ movie: { stage, control, done: 0, all: framesOf(route).length } });
  try {
    const movie = await recordMovie(stage, trajectory, {
      ...options,
      route,
      signal: control.signal,
      progress,
    });
    if (movie && isMine()) download(movie, `${trajectory.room}.${options.format}`);
  } catch (error) {
    if (isMine()) notifyError(error, "The movie was not saved");
  } finally {
    stop();
    if (isMine()) useMovieExport.setState({ movie: null });
  }
}

export function cancelMovie(): void {
  useMovieExport.getState().movie?.control.abort();
}

/** The stage is about to be disposed. */
export function endMovieOf(stage: Stage): void {
  const { movie } = useMovieExport.getState();
  if (movie?.stage !== stage) return;
  movie.control.abort();
  useMovieExport.setState({ movie: null });
  notify(
    `The viewer was closed after ${movie.done} of ${movie.all} frames. Leave it open until the movie is saved.`,
    "The movie was not saved",
  );
}
