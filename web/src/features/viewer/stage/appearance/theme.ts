/** Colours of the stage for the light and the dark theme. */
export interface StageTheme {
  readonly background: string;
  readonly line: string;
  readonly faint: string;
  readonly selected: string;
  readonly hovered: string;
  readonly text: string;
  /** Strength of highlights: dark backgrounds need weaker ones. */
  readonly shine: number;
}

export const LIGHT: StageTheme = {
  background: "#f6f7f9",
  line: "#8a93a0",
  faint: "#c3c9d1",
  selected: "#ff8a00",
  hovered: "#1c7ed6",
  text: "#1f2933",
  shine: 1,
};

export const DARK: StageTheme = {
  background: "#16181d",
  line: "#6d7785",
  faint: "#434b57",
  selected: "#ffb02e",
  hovered: "#4dabf7",
  text: "#e6eaf0",
  shine: 0.8,
};

/** The theme with a background of the user: lines and texts are those that have contrast with it. */
export function themeWith(page: StageTheme, background: string | null): StageTheme {
  if (background === null) return page;
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(background.slice(at, at + 2), 16));
  const bright = 0.3 * red! + 0.59 * green! + 0.11 * blue! > 127;
  return { ...(bright ? LIGHT : DARK), background };
}
