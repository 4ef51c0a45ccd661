// How long the page takes from what its user does to what it shows, measured within the page.
import assert from "node:assert/strict";
import { note, type WatchedPage } from "./fixtures";

export const MOST_MS = 300;

/**
 * Within the page: act, and wait until the page shows what follows, and has painted it. Before the act it must not be shown.
 * Without a limit (`most` is infinite), the time is told alone.
 */
export async function timed(
  page: WatchedPage,
  what: string,
  act: () => void,
  shown: () => boolean,
  most = MOST_MS,
) {
  const ms = (await page.evaluate(
    `new Promise((done, fail) => {
      const shown = ${shown};
      if (shown()) return fail(new Error("it is shown before the act"));
      const start = performance.now();
      (${act})();
      const look = () => {
        if (performance.now() - start > 20_000) return fail(new Error("it is not shown"));
        if (!shown()) return requestAnimationFrame(look);
        // The frame in which it is seen for the first time is painted before this message arrives.
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => done(performance.now() - start);
        port2.postMessage(null);
      };
      requestAnimationFrame(look);
    })`,
  )) as number;
  note(`${what}: ${Math.round(ms)} ms`);
  assert.ok(ms <= most, `${what} took ${Math.round(ms)} ms`);
}

/** Until nothing is drawn or computed any more. */
export const atRest = (page: WatchedPage) =>
  page.evaluate(
    () =>
      new Promise<void>((done) => {
        let calm = 0;
        let last = performance.now();
        const look = (now: number) => {
          calm = now - last < 50 ? calm + 1 : 0;
          last = now;
          if (calm > 20) done();
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      }),
  );

/** Enter, in the field that has the focus. */
export const pressEnter = () =>
  void document.activeElement!.dispatchEvent(
    new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }),
  );
