// Mentions in messages: `@12` or `@frame 12` becomes a link to the frame, and names of people are marked.
import { splitPeople } from "@/lib/peopleMentions";

const MENTION = /(^|[\s([{,;:>])@(?:frame\s*)?(\d{1,9})\b/gi;
export const FRAME_LINK = "#frame-";

interface Node {
  type: string;
  value?: string;
  url?: string;
  children?: Node[];
}

/** A remark plugin: mentions in plain text become links; code stays as it is. */
export function remarkMentions() {
  return (tree: Node): void => walk(tree);
}

function walk(node: Node): void {
  if (!node.children || node.type === "link" || node.type === "linkReference") return;
  node.children = node.children.flatMap((child) => {
    if (child.type === "text" && child.value)
      return splitMentions(child.value).flatMap((part) =>
        part.type === "text" ? markPeople(part.value!) : [part],
      );
    walk(child);
    return [child];
  });
}

function markPeople(text: string): Node[] {
  return splitPeople(text).map(({ text, person }) =>
    person === null
      ? { type: "text", value: text }
      : { type: "strong", children: [{ type: "text", value: text }] },
  );
}

export function splitMentions(text: string): Node[] {
  const parts: Node[] = [];
  let at = 0;
  for (const found of text.matchAll(MENTION)) {
    const before = found[1] ?? "";
    const start = found.index + before.length;
    if (start > at) parts.push({ type: "text", value: text.slice(at, start) });
    const shown = text.slice(start, found.index + found[0].length);
    parts.push({ type: "link", url: `${FRAME_LINK}${found[2]}`, children: [{ type: "text", value: shown }] });
    at = found.index + found[0].length;
  }
  if (at < text.length) parts.push({ type: "text", value: text.slice(at) });
  return parts;
}

/** The frame that a link points to, if it is a frame link. */
export function frameOfLink(href: string | undefined): number | null {
  const found = href === undefined ? null : /#frame-(\d{1,9})$/.exec(href);
  return found ? Number(found[1]) : null;
}
