/** Colours of the stage itself, for light and dark. */
export interface StageTheme {
  readonly background: string;
  readonly line: string;
  readonly faint: string;
  readonly selected: string;
  readonly hovered: string;
  readonly text: string;
  /** How much of the highlight is left: what shines on white glares on black. */
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
