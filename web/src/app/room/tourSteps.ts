// The steps of the tour of a room: which part of the page each points at, and what it says.
import { create } from "zustand";

export interface TourStep {
  title: string;
  text: string;
  /** The panel that comes to the front, and what is framed; without these the step is about the whole page. */
  panel?: string;
  target?: string;
}

export const TOUR_STEPS: readonly TourStep[] = [
  {
    title: "Welcome to your room",
    text: "A room holds a trajectory, figures, messages and jobs. All people in it see the same, at once, and every change can be undone. This tour takes a minute.",
  },
  {
    title: "The viewer",
    text: "Drag to rotate, scroll to zoom, click an atom to select it. Two to four selected atoms are measured.",
    panel: "viewer",
    target: ".wr-viewer",
  },
  {
    title: "The timeline",
    text: "Space plays and pauses, the arrow keys go from frame to frame. Follow shares the frame and the selection with the others; switch it off to look around alone.",
    target: ".wr-timeline",
  },
  {
    title: "Extensions",
    text: "Choose one, for example Relax under modifiers, and press Run. A worker computes it, and new frames arrive while it runs.",
    panel: "extensions",
    target: '[data-testid="extensions"]',
  },
  {
    title: "Jobs",
    text: "What runs, what waits and why, what came out. A finished job shows its frames and can be undone.",
    panel: "jobs",
    target: '[data-testid="jobs"]',
  },
  {
    title: "Your own files and code",
    text: "Drop a file onto the page to add it. A Python class and the command workroom worker my.py add your own extension. The question mark key lists all keys.",
  },
  {
    title: "Your cluster",
    text: "Any machine that reaches this server can run jobs: workroom worker my.py on a GPU machine, workroom fleet slurm my.py --template worker.sbatch on a login node, which submits workers while jobs wait.",
  },
];

export const useTour = create<{ step: number | null; start: () => void; go: (step: number | null) => void }>(
  (set) => ({
    step: null,
    start: () => set({ step: 0 }),
    go: (step) => set({ step: step !== null && step >= 0 && step < TOUR_STEPS.length ? step : null }),
  }),
);
