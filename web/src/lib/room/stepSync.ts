// Keeps the step of this page in step with the room. The server numbers the steps that the users set; the step with the
// highest number is the room's, on every page.

export interface RoomStep {
  step: number;
  stepRevision: number;
  by: { id: string; name: string } | null;
  /** The step moved with its frame: frames were added or removed. */
  shifted?: boolean;
  /** From a request, not an event: may be old. */
  fetched?: boolean;
}

export interface StepPort {
  /** Set the step of the room; the answer has its number. */
  send: (step: number) => Promise<Omit<RoomStep, "by">>;
  /** Show a step that was set elsewhere. */
  show: (step: RoomStep) => void;
  /** Show a step that this page set itself, if frames came or went meanwhile. */
  settle: (step: RoomStep) => void;
  /** Somebody else set a step while this page played: stop playing. Returns whether it did. */
  stopPlaying: () => boolean;
  /** The room refused the step of this page. */
  refused: (error: unknown) => void;
  /** Whether an error is a refusal; otherwise the connection was lost. */
  isRefusal: (error: unknown) => boolean;
  /** Wait between two requests. */
  pause: () => Promise<void>;
}

const MOST_ECHOES = 50;

export class StepSync {
  private latest: RoomStep = { step: 0, stepRevision: -1, by: null };
  /** Steps that arrived during a request. Whether they are older or newer than it is known with its answer. */
  private held: RoomStep[] | null = null;
  /** The step of this page that is not sent yet. */
  private unsent: number | null = null;
  /** The numbers of this page's last steps; they come back as events. */
  private own: number[] = [];
  private running = false;

  constructor(private readonly port: StepPort) {}

  /** The step of the room, as far as this page knows. */
  get roomStep(): RoomStep {
    return this.latest;
  }

  /** The user moved to a step on this page. One request at a time: a slow connection sends only the newest step. */
  moved(step: number): void {
    this.unsent = step;
    void this.sendAll();
  }

  /** Forget a step that is not sent: the page no longer shares its steps. */
  forgetUnsent(): void {
    this.unsent = null;
  }

  /** A step was set somewhere, perhaps by this page. */
  received(step: RoomStep): void {
    if (this.held) this.held.push(step);
    else if (this.take(step)) this.accept(step);
    else if (this.isForeign(step)) this.interrupt();
  }

  /**
   * The room's step was fetched, after events may have been missed. `known` is the number of `roomStep` at the request: the
   * server had at least that one, unless it lost the last steps in a crash.
   */
  fetched(step: RoomStep, known: number): void {
    const { stepRevision } = this.latest;
    if (step.stepRevision < known && stepRevision === known)
      this.latest = { ...this.latest, stepRevision: -1 };
    if (step.stepRevision === stepRevision && !this.held && this.unsent === null) this.port.settle(step);
    this.received({ ...step, fetched: true });
    void this.sendAll();
  }

  /** Whether somebody else has just set the step. */
  private isForeign({ stepRevision, shifted, fetched }: RoomStep): boolean {
    return !shifted && !fetched && !this.own.includes(stepRevision);
  }

  /** An older step of somebody else: it is not shown, but it stops a page that plays and would win again and again. */
  private interrupt(): void {
    if (!this.port.stopPlaying()) return;
    this.unsent = null;
    this.port.settle(this.latest);
  }

  private take(step: RoomStep): boolean {
    if (step.stepRevision <= this.latest.stepRevision) return false;
    this.latest = step;
    return true;
  }

  private accept(step: RoomStep): void {
    if (step.shifted) {
      // The page moved with its frame, too. A step that the user took since then is newer.
      if (this.unsent === null) this.port.settle(step);
      return;
    }
    this.unsent = null;
    this.port.show(step);
  }

  private async sendAll(): Promise<void> {
    if (this.running) return;
    this.running = true;
    while (this.unsent !== null && (await this.sendOne())) await this.port.pause();
    this.running = false;
  }

  private async sendOne(): Promise<boolean> {
    const step = this.unsent!;
    this.unsent = null;
    this.held = [];
    let failure: unknown = null;
    const own = await this.port.send(step).catch((error: unknown) => {
      failure = error;
      return null;
    });
    const held = this.held;
    this.held = null;
    const mine = own && { ...own, by: null };
    if (mine) {
      this.take(mine);
      this.own = [mine.stepRevision, ...this.own.slice(0, MOST_ECHOES - 1)];
    }
    let newest: RoomStep | null = null;
    for (const other of held) if (this.take(other)) newest = other;
    if (newest) this.accept(newest);
    else if (held.some((one) => this.isForeign(one))) this.interrupt();
    if (!newest && mine && this.unsent === null) this.port.settle(mine);
    if (newest) return true;
    if (failure !== null && this.port.isRefusal(failure)) this.port.refused(failure);
    else if (failure !== null) this.unsent ??= step; // sent again once the connection is back
    return failure === null || this.port.isRefusal(failure);
  }
}
