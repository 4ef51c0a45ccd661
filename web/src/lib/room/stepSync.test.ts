import { expect, test } from "vitest";
import { type RoomStep, StepSync } from "./stepSync";

interface TestPage {
  sync: StepSync;
  shown: number;
  refused: number;
  playing: boolean;
}

/** A server that numbers steps, and a network on which every message takes its own time; all driven by one clock. */
class Network {
  private now = 0;
  private queue: { at: number; act: () => void }[] = [];
  room: RoomStep = { step: 0, stepRevision: 0, by: null };
  readonly pages: TestPage[] = [];
  broken = false;

  constructor(readonly random: () => number) {}

  later(act: () => void, least = 1, most = 40): void {
    this.queue.push({ at: this.now + least + this.random() * (most - least), act });
  }

  async run(): Promise<void> {
    while (this.queue.length) {
      this.queue.sort((one, other) => one.at - other.at);
      const { at, act } = this.queue.shift()!;
      this.now = at;
      act();
      for (let turn = 0; turn < 8; turn++) await Promise.resolve();
    }
  }

  set(step: number): RoomStep {
    this.room = { step, stepRevision: this.room.stepRevision + 1, by: null };
    const event = this.room;
    for (const page of this.pages) this.later(() => page.sync.received(event));
    return event;
  }

  open() {
    const page: TestPage = {
      shown: 0,
      refused: 0,
      playing: false,
      sync: new StepSync({
        send: (step) =>
          new Promise((answer, fail) => {
            if (this.broken) return this.later(() => fail(new Error("lost")));
            this.later(() => {
              if (step < 0) return this.later(() => fail("refused"));
              const set = this.set(step);
              this.later(() => answer(set));
            });
          }),
        show: ({ step }) => {
          page.shown = step;
          page.playing = false;
        },
        settle: ({ step }) => {
          page.shown = step;
        },
        stopPlaying: () => {
          const { playing } = page;
          page.playing = false;
          return playing;
        },
        refused: () => {
          page.refused++;
        },
        isRefusal: (error) => error === "refused",
        pause: () => new Promise((next) => this.later(next, 10, 10)),
      }),
    };
    this.pages.push(page);
    page.sync.fetched(this.room, page.sync.roomStep.stepRevision);
    return page;
  }

  move(page: { sync: StepSync; shown: number }, step: number): void {
    page.shown = step;
    page.sync.moved(step);
  }
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

test("pages that move at the same time end at the same step, whatever overtakes what", async () => {
  for (let seed = 1; seed <= 300; seed++) {
    const network = new Network(seeded(seed));
    const pages = [network.open(), network.open(), network.open()];
    for (let turn = 0; turn < 30; turn++) {
      const page = pages[Math.floor(network.random() * pages.length)]!;
      network.later(() => network.move(page, turn + 1), 0, 300);
    }
    await network.run();
    expect(pages.map((page) => page.shown)).toEqual(pages.map(() => network.room.step));
  }
});

test("one step of somebody else stops a page that plays, however slow the network is", async () => {
  for (let seed = 1; seed <= 100; seed++) {
    const network = new Network(seeded(seed));
    const [player, other] = [network.open(), network.open()];
    player.playing = true;
    let ticks = 0;
    const tick = () => {
      if (!player.playing || ticks++ > 500) return;
      network.move(player, player.shown + 1);
      network.later(tick, 5, 5);
    };
    tick();
    network.later(() => network.move(other, 1000 + seed), 100, 200);
    await network.run();
    expect(player.playing).toBe(false);
    expect(ticks).toBeLessThan(200);
    expect([player.shown, other.shown]).toEqual([network.room.step, network.room.step]);
  }
});

test("the steps of this page come back and do not move it", async () => {
  const network = new Network(seeded(4));
  const page = network.open();
  const shown: number[] = [];
  for (let step = 1; step <= 20; step++)
    network.later(
      () => {
        shown.push(page.shown);
        network.move(page, step);
      },
      step * 5,
      step * 5,
    );
  await network.run();
  expect(shown).toEqual(shown.toSorted((one, other) => one - other));
  expect(page.shown).toBe(20);
});

test("an older step of somebody else is ignored, a newer one is shown", async () => {
  const network = new Network(seeded(5));
  const page = network.open();
  page.sync.received({ step: 7, stepRevision: 12, by: null });
  page.sync.received({ step: 3, stepRevision: 11, by: null });
  expect(page.shown).toBe(7);
  expect(page.sync.roomStep.step).toBe(7);
});

test("a step that was lost with the connection is sent again, unless somebody set another", async () => {
  const network = new Network(seeded(6));
  const [page, other] = [network.open(), network.open()];
  network.broken = true;
  network.move(page, 4);
  await network.run();
  network.broken = false;
  page.sync.fetched(network.room, page.sync.roomStep.stepRevision);
  await network.run();
  expect([network.room.step, page.shown, other.shown]).toEqual([4, 4, 4]);
  network.broken = true;
  network.move(page, 5);
  await network.run();
  network.broken = false;
  network.move(other, 9);
  await network.run();
  expect([network.room.step, page.shown, other.shown]).toEqual([9, 9, 9]);
});

test("a server that lost its last steps in a crash is followed again", () => {
  const page = new Network(seeded(7)).open();
  page.sync.received({ step: 7, stepRevision: 12, by: null });
  page.sync.fetched({ step: 5, stepRevision: 10, by: null }, 12);
  expect(page.shown).toBe(5);
  page.sync.received({ step: 6, stepRevision: 11, by: null });
  expect(page.shown).toBe(6);
});

test("a refused step is told, and later ones are sent", async () => {
  const network = new Network(seeded(8));
  const page = network.open();
  network.move(page, -1);
  await network.run();
  expect(page.refused).toBe(1);
  network.move(page, 2);
  await network.run();
  expect(network.room.step).toBe(2);
});

test("frames that come or go move the step of a page that has not moved on", async () => {
  const network = new Network(seeded(9));
  const [page, other] = [network.open(), network.open()];
  network.move(other, 7);
  await network.run();
  page.sync.received({ step: 5, stepRevision: 2, by: null, shifted: true });
  expect(page.shown).toBe(5);
  network.broken = true;
  network.move(page, 6);
  await network.run();
  page.sync.received({ step: 3, stepRevision: 3, by: null, shifted: true });
  expect(page.shown).toBe(6);
  // A fetched state confirms the step.
  other.shown = 4;
  other.sync.fetched({ step: 7, stepRevision: 1, by: null }, 1);
  expect(other.shown).toBe(7);
});
