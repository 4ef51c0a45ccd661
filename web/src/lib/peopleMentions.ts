// Mentions of people in messages: `@ada`, or `@"Ada Lovelace"` for a name with other signs than letters, digits, `_`, `.`, `-`.

const PERSON = /(^|[\s([{,;:>])@(?:"([^"\n]{1,64})"|([\p{L}_][\p{L}\p{N}_.-]{0,63}))/gu;

export const mentionOf = (name: string) =>
  /^[\p{L}_][\p{L}\p{N}_.-]*$/u.test(name) ? `@${name}` : `@"${name}"`;

export interface MentionPart {
  text: string;
  /** The name of the person that this part mentions. */
  person: string | null;
}

/** The text in parts: mentions, and what stands between them. */
export function splitPeople(text: string): MentionPart[] {
  const parts: MentionPart[] = [];
  let at = 0;
  for (const found of text.matchAll(PERSON)) {
    const start = found.index + (found[1]?.length ?? 0);
    // A full stop or dash behind a name ends the sentence.
    const name = found[2] ?? found[3]!.replace(/[.-]+$/, "");
    const end = found[2] === undefined ? start + 1 + name.length : found.index + found[0].length;
    if (start > at) parts.push({ text: text.slice(at, start), person: null });
    parts.push({ text: text.slice(start, end), person: name });
    at = end;
  }
  if (at < text.length) parts.push({ text: text.slice(at), person: null });
  return parts;
}

export function mentions(text: string, name: string): boolean {
  const wanted = name.toLowerCase();
  return splitPeople(text).some(({ person }) => person?.toLowerCase() === wanted);
}

/** What is typed of a mention in front of the caret: its start and the beginning of the name. */
export function typedMention(text: string, caret: number): { start: number; typed: string } | null {
  const found = /(?:^|[\s([{,;:>])@"?([^\s"@]{0,64})$/u.exec(text.slice(0, caret));
  return found ? { start: text.slice(0, caret).lastIndexOf("@"), typed: found[1]! } : null;
}
