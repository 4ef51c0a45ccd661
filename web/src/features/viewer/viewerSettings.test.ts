import { expect, test } from "vitest";
import { DEFAULT_LOOK } from "./stage/look";
import { useViewerSettings, withLook } from "./viewerSettings";

test("each user has a look in each room, and other choices hold for all rooms", () => {
  const { enter, set } = useViewerSettings.getState();
  const style = () => useViewerSettings.getState().style;
  enter("ada", "water");
  set({ background: "#000000", atomScale: 1.5 });
  enter("bob", "water");
  expect([style().background, style().atomScale]).toEqual([null, 1.5]);
  enter("ada", "copper");
  expect(style().background).toBeNull();
  enter("ada", "water");
  expect(style().background).toBe("#000000");
  set(DEFAULT_LOOK);
  expect(useViewerSettings.getState().looks).toEqual({});
});

test("the looks that were not changed for longest are forgotten", () => {
  let looks = {};
  for (let room = 0; room < 120; room++)
    looks = withLook(looks, `ada room-${room}`, { ...DEFAULT_LOOK, light: 0.5 });
  looks = withLook(looks, "ada room-30", { ...DEFAULT_LOOK, light: 0.7 });
  expect(Object.keys(looks)).toHaveLength(100);
  expect(Object.keys(looks).at(0)).toBe("ada room-20");
  expect(Object.keys(looks).at(-1)).toBe("ada room-30");
});
