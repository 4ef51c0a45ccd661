// Stacks as a tree, for the icicle.
import type { Speedscope } from "./queries";

export interface StackNode {
  name: string;
  place: string;
  value: number;
  children: StackNode[];
}

export function buildStackTree(file: Speedscope, title: string): StackNode {
  const root: StackNode = { name: title, place: "", value: 0, children: [] };
  const known = new Map<StackNode, Map<number, StackNode>>();
  for (const profile of file.profiles) {
    profile.samples?.forEach((stack, at) => {
      const weight = profile.weights[at] ?? 0;
      let here = root;
      here.value += weight;
      for (const frame of stack) {
        const inner = known.get(here) ?? new Map<number, StackNode>();
        known.set(here, inner);
        let next = inner.get(frame);
        if (!next) {
          const about = file.shared.frames[frame];
          next = {
            name: about?.name ?? "?",
            place: about?.file ? `${about.file}:${about.line ?? 0}` : "",
            value: 0,
            children: [],
          };
          inner.set(frame, next);
          here.children.push(next);
        }
        next.value += weight;
        here = next;
      }
    });
  }
  // The function that was posted is itself the outermost call.
  const [only] = root.children;
  return root.children.length === 1 && only?.name === title ? only : root;
}
