// The part of a traceback that begins at the user's own line.

/** `place` is "file:line in function", as the server groups errors by. The whole text where the place is not in it. */
export function fromOwnLine(traceback: string, place: string | null | undefined): string {
  const [, file, line] = place?.match(/^(.+):(\d+) in /) ?? [];
  if (file === undefined) return traceback;
  const start = traceback.lastIndexOf(`  File "${file}", line ${line},`);
  return start < 0 ? traceback : traceback.slice(start);
}
