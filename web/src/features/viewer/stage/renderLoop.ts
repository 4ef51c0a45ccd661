// Draws the stage when something has changed, at a resolution that the graphics hardware can keep up with.
import { WebGLRenderer } from "three";

export interface RenderLoopHandlers {
  /** Draw one image with the given renderer. */
  render(renderer: WebGLRenderer): void;
  /** An image was sent to the graphics card. */
  drawn(): void;
  /** The last image is on the screen. */
  presented(): void;
  resized(width: number, height: number): void;
  /** The browser took the WebGL context away (true) or restored it (false). */
  contextLost(lost: boolean): void;
  /** Whether the scene is too large for supersampling by a software renderer. */
  isLarge(): boolean;
}

/** Milliseconds without a change after which the image is drawn at full resolution. */
const REST_MS = 250;
/** Milliseconds after which an image counts as presented, even if its fence has not signalled. */
const FENCE_TIMEOUT_MS = 5_000;
/** Assumed milliseconds for the first image of a large scene with a software renderer. */
const SLOW_FRAME_MS = 200;

export class RenderLoop {
  readonly canvas: HTMLCanvasElement;
  readonly renderer: WebGLRenderer;
  /** Whether WebGL runs on the processor instead of a graphics card. */
  readonly software: boolean;
  /** In pixels of the page. A panel that is not shown keeps its last size. */
  size = { width: 0, height: 0 };
  private readonly observer: ResizeObserver;
  private animationFrame = 0;
  private dirty = false;
  private fence: WebGLSync | null = null;
  private drawnAt = 0;
  /** Moving average of the milliseconds that an image takes while something moves. */
  private frameTime = 0;
  /** Factor of the resolution while something moves. */
  private motionScale = 1;
  private drawSharp = false;
  private lastWasSharp = false;
  private restTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly host: HTMLElement,
    private readonly handlers: RenderLoopHandlers,
  ) {
    this.software = isSoftwareRenderer();
    this.renderer = new WebGLRenderer({
      antialias: !this.software,
      powerPreference: "high-performance",
      stencil: false,
    });
    this.renderer.info.autoReset = true;
    this.canvas = this.renderer.domElement;
    this.canvas.style.display = "block";
    host.append(this.canvas);
    this.canvas.addEventListener("webglcontextlost", this.contextLost);
    this.canvas.addEventListener("webglcontextrestored", this.contextRestored);
    this.observer = new ResizeObserver(() => this.resize());
  }

  /** Follow the size of the host, and draw the first image. */
  start(): void {
    this.observer.observe(this.host);
    this.resize();
  }

  invalidate(): void {
    this.drawSharp = false;
    this.dirty = true;
    this.schedule();
  }

  /** Begin with a coarse resolution: a software renderer needs long for the first image of a large scene. */
  expectSlowFrames(): void {
    this.frameTime = SLOW_FRAME_MS;
  }

  /** Draw at once with the given pixel ratio and copy the image. */
  image(scale: number): HTMLCanvasElement {
    const { width, height } = this.size;
    const largest = this.renderer.capabilities.maxTextureSize;
    this.setPixelRatio(Math.min(scale, largest / Math.max(width, height, 1)));
    this.handlers.render(this.renderer);
    const copy = document.createElement("canvas");
    copy.width = this.canvas.width;
    copy.height = this.canvas.height;
    copy.getContext("2d")?.drawImage(this.canvas, 0, 0);
    this.invalidate();
    return copy;
  }

  dispose(): void {
    this.cancelFrame();
    clearTimeout(this.restTimer);
    this.observer.disconnect();
    this.canvas.removeEventListener("webglcontextlost", this.contextLost);
    this.canvas.removeEventListener("webglcontextrestored", this.contextRestored);
    this.renderer.dispose();
    this.renderer.forceContextLoss();
    this.canvas.remove();
  }

  private schedule(): void {
    if (this.animationFrame === 0) this.animationFrame = requestAnimationFrame(this.tick);
  }

  private cancelFrame(): void {
    cancelAnimationFrame(this.animationFrame);
    this.animationFrame = 0;
  }

  /** Draw only when the last image is presented: a queue of images would block the page on slow hardware. */
  private readonly tick = (now: number): void => {
    this.animationFrame = 0;
    if (!this.isPresented(now)) this.schedule();
    else if (this.dirty) this.draw(now);
  };

  private draw(now: number): void {
    this.dirty = false;
    this.adaptResolution();
    this.handlers.render(this.renderer);
    this.handlers.drawn();
    const gl = this.renderer.getContext() as WebGL2RenderingContext;
    if (this.fence) gl.deleteSync(this.fence);
    this.fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
    this.drawnAt = now;
    this.schedule();
  }

  private isPresented(now: number): boolean {
    if (!this.fence) return true;
    const gl = this.renderer.getContext() as WebGL2RenderingContext;
    const done = gl.isContextLost() || gl.getSyncParameter(this.fence, gl.SYNC_STATUS) === gl.SIGNALED;
    if (!done && now - this.drawnAt < FENCE_TIMEOUT_MS) return false;
    gl.deleteSync(this.fence);
    this.fence = null;
    if (!this.lastWasSharp) this.frameTime = 0.5 * this.frameTime + 0.5 * (now - this.drawnAt);
    this.handlers.presented();
    return true;
  }

  /**
   * Slow hardware draws moving scenes at a lower resolution and sharpens them at rest. A software renderer has no
   * antialiasing: at rest it draws at twice the resolution, and the browser scales the image down.
   */
  private adaptResolution(): void {
    this.motionScale = this.frameTime > 90 ? 0.5 : this.frameTime > 30 ? this.motionScale : 1;
    this.lastWasSharp = this.drawSharp;
    this.setPixelRatio(this.drawSharp ? this.ratioAtRest() : this.ratioInMotion());
    clearTimeout(this.restTimer);
    if (!this.drawSharp && this.ratioAtRest() > this.ratioInMotion())
      this.restTimer = setTimeout(() => {
        this.drawSharp = true;
        this.dirty = true;
        this.schedule();
      }, REST_MS);
    this.drawSharp = false;
  }

  private ratioInMotion(): number {
    return Math.min(globalThis.devicePixelRatio || 1, this.software ? 1 : 2) * this.motionScale;
  }

  private ratioAtRest(): number {
    if (!this.software) return Math.min(globalThis.devicePixelRatio || 1, 2);
    return this.handlers.isLarge() ? 1 : 2;
  }

  private setPixelRatio(ratio: number): void {
    if (ratio !== this.renderer.getPixelRatio()) this.renderer.setPixelRatio(ratio);
  }

  private resize(): void {
    const { width, height } = this.host.getBoundingClientRect();
    if (width < 1 || height < 1) return;
    this.size = { width: Math.round(width), height: Math.round(height) };
    this.setPixelRatio(this.ratioInMotion());
    this.renderer.setSize(width, height);
    this.handlers.resized(width, height);
    // A resized canvas is empty: drawing at once avoids a flash.
    this.cancelFrame();
    this.draw(performance.now());
  }

  private readonly contextLost = (event: Event): void => {
    // Without this the browser does not restore the context.
    event.preventDefault();
    this.cancelFrame();
    this.fence = null;
    this.handlers.contextLost(true);
  };

  private readonly contextRestored = (): void => {
    this.handlers.contextLost(false);
    this.invalidate();
  };
}

function isSoftwareRenderer(): boolean {
  const probe = document.createElement("canvas").getContext("webgl2");
  if (!probe) return false;
  const debug = probe.getExtension("WEBGL_debug_renderer_info");
  const name = String(probe.getParameter(debug ? debug.UNMASKED_RENDERER_WEBGL : probe.RENDERER));
  probe.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}
