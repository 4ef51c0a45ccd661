/** The keys of the viewer: the viewer handles them, its help and the shortcut sheet list them. */
export const VIEWER_SHORTCUTS: { keys: string; does: string }[] = [
  { keys: "F", does: "Fit to view" },
  { keys: "X Y Z", does: "Look along an axis (with Shift from the other side)" },
  { keys: "O", does: "Perspective on or off" },
  { keys: "B", does: "Bonds on or off" },
  { keys: "C", does: "Cell on or off" },
  { keys: "A", does: "Select all atoms" },
  { keys: "I", does: "Invert the selection" },
  { keys: "Esc", does: "Select nothing" },
  { keys: "P", does: "Save a picture" },
];
