// The serious and critical faults that axe finds on a page.
import { AxeBuilder } from "@axe-core/playwright";
import { count, type WatchedPage } from "./fixtures";

export async function seriousFaults(page: WatchedPage, scheme: "light" | "dark") {
  // The canvas of the viewer and Plotly's own drawing are not text.
  const axe = new AxeBuilder({ page }).exclude("canvas").exclude(".js-plotly-plot");
  const { violations } = await axe.analyze();
  count(`examined by axe, ${scheme}`);
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .slice(0, 3)
          .map((node) => node.html.slice(0, 160))
          .join(" | ")}`,
    );
}
