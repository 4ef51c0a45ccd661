// The stage in a React page: made with its place on the page, fed by the trajectory and the selection, gone with it.
import { useComputedColorScheme } from "@mantine/core";
import { type RefObject, useEffect, useRef, useState } from "react";
import { usePlayback } from "@/lib/playback";
import { choose, joined, toggled, useSelected } from "@/lib/selected";
import { useTrajectory } from "@/live/trajectory";
import { useLooks } from "./looks";
import { moleculeOf } from "./overlay";
import { useScene } from "./scene/useScene";
import { Interaction } from "./stage/interaction";
import { type Legend, Stage } from "./stage/stage";
import { DARK, LIGHT } from "./stage/theme";
import { structureOf } from "./structure";

export interface Hover {
  atom: number;
  x: number;
  y: number;
}

export interface OnStage {
  stage: Stage | null;
  /** Why there is no stage. */
  failure: string | null;
  lost: boolean;
  hover: Hover | null;
  box: { x: number; y: number; width: number; height: number } | null;
  legend: Legend | null;
  /** How many atoms are shown; null before the first structure. */
  count: number | null;
}

const NOTHING: OnStage = {
  stage: null,
  failure: null,
  lost: false,
  hover: null,
  box: null,
  legend: null,
  count: null,
};

export function useStage(room: string, host: RefObject<HTMLDivElement | null>): OnStage {
  const [on, setOn] = useState<OnStage>(NOTHING);
  const bonds = useRef<Int32Array>(new Int32Array(0));
  const trajectory = useTrajectory(room);
  const scheme = useComputedColorScheme("light");
  const { stage } = on;
  const sceneKeys = useScene(room, stage);

  useEffect(() => {
    if (!host.current) return;
    const change = (part: Partial<OnStage>) => setOn((now) => ({ ...now, ...part }));
    let made: Stage;
    try {
      made = new Stage(host.current, {
        legend: (legend) => change({ legend }),
        lost: (lost) => change({ lost }),
        bonds: (cylinders) => {
          bonds.current = cylinders;
        },
        shown: ({ count }) => {
          made.canvas.dataset.atoms = String(count);
          performance.mark("workroom:shown", { detail: count });
          change({ count });
        },
      });
    } catch {
      setOn({
        ...NOTHING,
        failure: "This browser cannot draw in three dimensions: WebGL 2 is missing or switched off.",
      });
      return;
    }
    made.canvas.tabIndex = -1;
    made.setStyle(useLooks.getState().style);
    const interaction = new Interaction(made, {
      hover: (atom, x, y) => {
        made.setHovered(atom);
        change({ hover: atom < 0 ? null : { atom, x, y } });
      },
      click: (atom, add) => {
        const { atoms } = useSelected.getState();
        if (atom >= 0)
          choose(add ? toggled(atoms, atom) : atoms.length === 1 && atoms[0] === atom ? [] : [atom]);
        else if (!add && atoms.length) choose([]);
      },
      doubleClick: (atom) => {
        if (atom < 0) made.fit();
        else choose(moleculeOf(bonds.current, atom));
      },
      box: (atoms, add) => choose(add ? joined(useSelected.getState().atoms, atoms) : atoms),
      boxing: (box) => change({ box }),
    });
    change({ stage: made });
    return () => {
      interaction.dispose();
      made.dispose();
      setOn(NOTHING);
    };
  }, [host]);

  useEffect(() => stage?.setTheme(scheme === "dark" ? DARK : LIGHT), [stage, scheme]);

  // Frames go to the stage without React: it would draw the whole panel again for each of them.
  useEffect(() => {
    if (!stage) return;
    let shown: unknown;
    const show = () => {
      const { step, playing, direction, room: here } = usePlayback.getState();
      if (here !== room) return;
      trajectory.need(step, playing ? direction : 1);
      const frame = trajectory.frame(step) ?? trajectory.partial(step);
      if (!frame || frame === shown) return;
      shown = frame;
      stage.show(structureOf(frame));
    };
    show();
    const stops = [usePlayback.subscribe(show), trajectory.subscribe(show)];
    return () => {
      for (const stop of stops) stop();
      stage.clear();
      delete stage.canvas.dataset.atoms;
    };
  }, [stage, trajectory, room]);

  useEffect(() => {
    if (!stage) return;
    const apply = () => {
      const { style } = useLooks.getState();
      trajectory.want([style.colourBy, style.vectors, ...sceneKeys].filter((key) => key !== null));
      stage.setStyle(style);
    };
    apply();
    return useLooks.subscribe(apply);
  }, [stage, trajectory, sceneKeys]);

  useEffect(() => {
    if (!stage) return;
    const apply = () => stage.setSelection(new Set(useSelected.getState().atoms));
    apply();
    return useSelected.subscribe(apply);
  }, [stage]);

  return on;
}
