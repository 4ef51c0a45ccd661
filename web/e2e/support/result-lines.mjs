// A reporter for `pytest tests/web`: one line of JSON in the file WORKROOM_RESULTS as soon as a scenario ends.
import { appendFileSync } from "node:fs";
import { basename } from "node:path";

export default class ResultLines {
  onTestEnd(test, result) {
    const report = [
      ...result.errors.map((error) => error.stack ?? error.message ?? ""),
      ...test.annotations.flatMap((note) => (note.type === "measured" ? (note.description ?? []) : [])),
      ...[...result.stdout, ...result.stderr].map(String),
      ...result.attachments.flatMap((attachment) => attachment.path ?? []),
    ].join("\n");
    const file = basename(test.location.file);
    const counts = {};
    for (const { type, description } of test.annotations)
      if (type === "counted") {
        const [what, number] = JSON.parse(description);
        counts[what] = (counts[what] ?? 0) + number;
      }
    const line = JSON.stringify({ file, title: test.title, status: result.status, report, counts });
    appendFileSync(process.env.WORKROOM_RESULTS, `${line}\n`);
  }

  /** Without this Playwright would add a reporter of its own for errors outside scenarios. */
  printsToStdio() {
    return false;
  }
}
