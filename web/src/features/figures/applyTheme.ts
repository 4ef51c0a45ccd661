// Applies the colours of the page to figures with Plotly's default template; other templates are kept.
import type { Config, Layout } from "plotly.js";

const COLOURS = ["#6655cf", "#e8590c", "#2a9d5c", "#d6336c", "#1c7ed6", "#f08c00", "#0c8599", "#868e96"];
const PLOTLY_DEFAULT_BACKGROUND = /^#e5ecf6$/i;

export const CONFIG: Partial<Config> = {
  displaylogo: false,
  responsive: false,
  showLink: false,
  plotlyServerURL: "",
  // Lasso and box are there for points that are frames or atoms: what they take is selected.
  modeBarButtonsToAdd: ["lasso2d", "select2d"],
};

export function applyTheme(layout: Record<string, unknown>, dark: boolean): Partial<Layout> {
  const ink = dark ? "#e6eaf0" : "#1f2933";
  const quiet = dark ? "#a2a6b3" : "#5c5f6b";
  const surface = dark ? "rgba(29,31,38,0.9)" : "rgba(255,255,255,0.9)";
  const line = dark ? "#3a3f4a" : "#dfe3e8";
  const axis = { gridcolor: line, zerolinecolor: line, linecolor: line, automargin: true };
  const own = {
    layout: {
      paper_bgcolor: "rgba(0,0,0,0)",
      plot_bgcolor: "rgba(0,0,0,0)",
      colorway: COLOURS,
      font: { color: ink, family: "'Inter Variable', system-ui, sans-serif", size: 12 },
      xaxis: axis,
      yaxis: axis,
      hoverlabel: { font: { family: "'Inter Variable', system-ui, sans-serif" } },
    },
  };
  const given = layout.template as { layout?: { plot_bgcolor?: string } } | undefined;
  const plain = !given?.layout?.plot_bgcolor || PLOTLY_DEFAULT_BACKGROUND.test(given.layout.plot_bgcolor);
  const { width: _, height: __, ...rest } = layout;
  return {
    margin: { l: 56, r: 20, t: rest.title ? 44 : 16, b: 44 },
    ...rest,
    autosize: true,
    ...(plain ? { template: own } : {}),
    // Without colours of its own the tool bar is half-transparent black, whatever the page or the template is.
    modebar: { bgcolor: surface, color: quiet, activecolor: ink, ...(rest.modebar as object | undefined) },
  } as Partial<Layout>;
}
