import { expect, test } from "vitest";
import { DEFAULT_LOOK } from "./stage/appearance/sceneLook";
import { DEFAULT_SHOWN_DATA, DEFAULT_STYLE } from "./stage/appearance/style";
import { useViewerSettings, withView } from "./viewerSettings";

const style = () => useViewerSettings.getState().style;

test("each user has a look in each room, and other choices hold for all rooms", () => {
  const { enter, set } = useViewerSettings.getState();
  enter("ada", "water");
  set({ background: "#000000", atomScale: 1.5 });
  enter("bob", "water");
  expect([style().background, style().atomScale]).toEqual([null, 1.5]);
  enter("ada", "copper");
  expect(style().background).toBeNull();
  enter("ada", "water");
  expect(style().background).toBe("#000000");
  set(DEFAULT_LOOK);
  expect(useViewerSettings.getState().views).toEqual({});
});

test("colours, opacity, arrows, labels, images and the wrapped view of a room stay in it", () => {
  const { enter, set } = useViewerSettings.getState();
  const chosen = {
    colourBy: "calc.charges",
    colourMap: "magma",
    range: { min: -1, max: 1 },
    opacityBy: { fade: "low", least: 0, most: 1, range: null },
    vectors: "calc.forces",
    vectorScale: 3,
    labels: "index",
    replicas: [2, 2, 1],
    wrapped: true,
  } as const;
  enter("ada", "water");
  set(chosen);
  enter("ada", "copper");
  expect(style()).toMatchObject(DEFAULT_SHOWN_DATA);
  enter("ada", "water");
  expect(style()).toMatchObject(chosen);
});

test("the views that were not changed for longest are forgotten", () => {
  let views = {};
  for (let room = 0; room < 120; room++)
    views = withView(views, `ada room-${room}`, { ...DEFAULT_STYLE, light: 0.5 });
  views = withView(views, "ada room-30", { ...DEFAULT_STYLE, light: 0.7 });
  expect(Object.keys(views)).toHaveLength(100);
  expect(Object.keys(views).at(0)).toBe("ada room-20");
  expect(Object.entries(views).at(-1)).toEqual(["ada room-30", { light: 0.7 }]);
});
