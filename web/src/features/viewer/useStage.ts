// Creates the stage in its host element, feeds it with frames, selection and settings, and disposes it.
import { useComputedColorScheme } from "@mantine/core";
import { type RefObject, useEffect, useState } from "react";
import { useSession } from "@/lib/api/session";
import { structureOf } from "@/lib/atoms/structure";
import { usePlayback } from "@/lib/room/playback";
import { select, toggled, union, useSelection } from "@/lib/room/selectionStore";
import { useTrajectory } from "@/live/room/sharedTrajectory";
import { moleculeOf } from "./bonds/bondedAtoms";
import { CONNECTIVITY_KEY } from "./bonds/givenBonds";
import { endMovieOf, useMovieExport } from "./movie/movieExport";
import { labelKey } from "./overlays/labelText";
import { useRoomGeometries } from "./scene/useRoomGeometries";
import type { Legend } from "./stage/appearance/atomAppearance";
import { DARK, LIGHT } from "./stage/appearance/theme";
import { type Place, PointerInput } from "./stage/pointer/pointerInput";
import { Stage } from "./stage/stage";
import { useViewerSettings } from "./viewerSettings";
import { forgetOtherRoom, useVisibility } from "./visibilityStore";

export interface Hover {
  atom: number;
  x: number;
  y: number;
}

export interface StageState {
  stage: Stage | null;
  /** Why the stage could not be created. */
  failure: string | null;
  lost: boolean;
  hover: Hover | null;
  /** The rectangle or lasso that is being drawn. */
  outline: readonly Place[] | null;
  legend: Legend | null;
  /** How many atoms the structure has; null before the first structure. */
  count: number | null;
  /** How many of them are not drawn, because their positions are not finite numbers. */
  nowhere: number;
  /** How many atoms the user hid. */
  hidden: number;
}

/** Beside the atoms and the cell: bonds that the frame gives, and its constraints. */
const STRUCTURE_KEYS = [CONNECTIVITY_KEY, "constraints"];
/** The toolbar with its distance from the edge. */
const TOOLBAR_PX = 52;

const NO_STAGE: StageState = {
  stage: null,
  failure: null,
  lost: false,
  hover: null,
  outline: null,
  legend: null,
  count: null,
  nowhere: 0,
  hidden: 0,
};

export function useStage(room: string, host: RefObject<HTMLDivElement | null>): StageState {
  const [on, setOn] = useState<StageState>(NO_STAGE);
  const trajectory = useTrajectory(room);
  const scheme = useComputedColorScheme("light");
  const { stage } = on;
  const user = useSession((session) => session.user?.id ?? "");
  const sceneKeys = useRoomGeometries(room, stage);

  // Before the stage is made, which takes over the style.
  useEffect(() => useViewerSettings.getState().enter(user, room), [user, room]);

  useEffect(() => {
    if (!host.current) return;
    const change = (part: Partial<StageState>) => setOn((now) => ({ ...now, ...part }));
    let made: Stage;
    try {
      made = new Stage(host.current, {
        legend: (legend) => change({ legend }),
        lost: (lost) => change({ lost }),
        shown: ({ count }) => {
          made.canvas.dataset.atoms = String(count);
          performance.mark("workroom:shown", { detail: count });
          change({ count, nowhere: made.view.nowhere, hidden: made.hiddenCount });
        },
      });
    } catch {
      setOn({
        ...NO_STAGE,
        failure: "This browser cannot draw in three dimensions: WebGL 2 is missing or switched off.",
      });
      return;
    }
    made.canvas.tabIndex = -1;
    made.view.inset = TOOLBAR_PX;
    made.setStyle(useViewerSettings.getState().style);
    const interaction = new PointerInput(made, {
      hover: (atom, x, y) => {
        made.setHovered(atom);
        change({ hover: atom < 0 ? null : { atom, x, y } });
      },
      click: (atom, add) => {
        const { atoms } = useSelection.getState();
        if (atom >= 0)
          select(add ? toggled(atoms, atom) : atoms.length === 1 && atoms[0] === atom ? [] : [atom]);
        else if (!add && atoms.length) select([]);
      },
      doubleClick: (atom) => {
        if (atom < 0) {
          made.fit();
          return;
        }
        const { structure } = made;
        void made.bondsFound().then((cylinders) => {
          if (made.structure === structure) select(moleculeOf(cylinders, atom));
        });
      },
      enclosed: (atoms, add) => select(add ? union(useSelection.getState().atoms, atoms) : atoms),
      outlining: (outline) => change({ outline }),
      lassoing: () => useVisibility.getState().lasso,
      onlyInFront: () => useVisibility.getState().onlyInFront,
    });
    change({ stage: made });
    return () => {
      interaction.dispose();
      endMovieOf(made);
      made.dispose();
      setOn(NO_STAGE);
    };
  }, [host]);

  useEffect(() => stage?.setTheme(scheme === "dark" ? DARK : LIGHT), [stage, scheme]);

  // Frames bypass React, which would render the whole panel for each of them.
  useEffect(() => {
    if (!stage) return;
    let shown: unknown;
    const show = () => {
      const { step, playing, direction, room: here } = usePlayback.getState();
      // The frames of a movie are shown until it is saved.
      if (here !== room || useMovieExport.getState().movie?.stage === stage) return;
      trajectory.ensureFrame(step, playing ? direction : 1);
      const frame = trajectory.frame(step) ?? trajectory.partial(step);
      if (!frame || frame === shown) return;
      shown = frame;
      stage.show(structureOf(frame));
    };
    show();
    const showAgain = () => {
      shown = undefined;
      show();
    };
    const stops = [
      usePlayback.subscribe(show),
      trajectory.subscribe(show),
      useMovieExport.subscribe(({ movie }) => movie === null && showAgain()),
    ];
    return () => {
      for (const stop of stops) stop();
      stage.clear();
      delete stage.canvas.dataset.atoms;
    };
  }, [stage, trajectory, room]);

  useEffect(() => {
    if (!stage) return;
    const apply = () => {
      const { style } = useViewerSettings.getState();
      const wanted = [style.colourBy, style.vectors, labelKey(style.labels), ...sceneKeys, ...STRUCTURE_KEYS];
      trajectory.requestKeys(wanted.filter((key) => key !== null));
      stage.setStyle(style);
    };
    apply();
    return useViewerSettings.subscribe(apply);
  }, [stage, trajectory, sceneKeys]);

  useEffect(() => {
    if (!stage) return;
    const apply = () => stage.setSelection(new Set(useSelection.getState().atoms));
    apply();
    return useSelection.subscribe(apply);
  }, [stage]);

  useEffect(() => {
    if (!stage) return;
    forgetOtherRoom(room);
    const apply = () => {
      stage.setVisibility(useVisibility.getState());
      setOn((now) => ({ ...now, hidden: stage.hiddenCount }));
    };
    apply();
    return useVisibility.subscribe(apply);
  }, [stage, room]);

  return on;
}
