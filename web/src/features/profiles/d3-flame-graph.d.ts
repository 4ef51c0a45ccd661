declare module "d3-flame-graph" {
  interface FlameGraph {
    // biome-ignore lint/suspicious/noExplicitAny: d3 calls it with a selection of its own kind
    (selection: any): void;
    width(pixels: number): FlameGraph;
    cellHeight(pixels: number): FlameGraph;
    minFrameSize(pixels: number): FlameGraph;
    inverted(on: boolean): FlameGraph;
    sort(on: boolean): FlameGraph;
    title(text: string): FlameGraph;
    transitionDuration(ms: number): FlameGraph;
    // biome-ignore lint/suspicious/noExplicitAny: the node carries what it was given
    onHover(handler: (node: any) => void): FlameGraph;
    destroy?(): void;
  }
  export default function flamegraph(): FlameGraph;
}
declare module "d3-selection" {
  interface Selection {
    datum(value: unknown): Selection;
    // biome-ignore lint/suspicious/noExplicitAny: any chart
    call(chart: any): Selection;
  }
  export function select(element: Element): Selection;
}
