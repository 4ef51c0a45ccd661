// The slider of the timeline with bookmarks and selected frames; a drag or click changes the frame.
import { Tooltip } from "@mantine/core";
import { type PointerEvent, useRef, useState } from "react";
import { goTo, play, usePlayback } from "@/lib/room/playback";

interface TrackMarks {
  bookmarks: Record<string, string>;
  chosen: readonly number[];
}

const MAX_MARKS = 400;

export function TimelineTrack({ bookmarks, chosen }: TrackMarks) {
  const step = usePlayback((now) => now.step);
  const length = usePlayback((now) => now.length);
  const range = usePlayback((now) => now.range);
  const track = useRef<HTMLDivElement>(null);
  const [over, setOver] = useState<number | null>(null);
  const last = Math.max(1, length - 1);

  const at = (event: PointerEvent): number => {
    const { left, width } = track.current!.getBoundingClientRect();
    return Math.round(Math.max(0, Math.min(1, (event.clientX - left) / width)) * (length - 1));
  };
  const share = (frame: number) => `${(Math.min(frame, last) / last) * 100}%`;

  return (
    <div className="wr-track-place">
      <div
        ref={track}
        className="wr-track"
        role="slider"
        tabIndex={0}
        aria-label="Frame"
        aria-valuemin={0}
        aria-valuemax={Math.max(0, length - 1)}
        aria-valuenow={step}
        aria-valuetext={`Frame ${step} of ${length}`}
        onPointerDown={(event) => {
          if (event.button !== 0 || length === 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          play(false);
          goTo(at(event));
        }}
        onPointerMove={(event) => {
          const frame = at(event);
          setOver(frame);
          if (event.currentTarget.hasPointerCapture(event.pointerId)) goTo(frame);
        }}
        onPointerLeave={() => setOver(null)}
        onKeyDown={(event) => {
          const steps: Record<string, number> = {
            ArrowRight: 1,
            ArrowUp: 1,
            ArrowLeft: -1,
            ArrowDown: -1,
            PageUp: 10,
            PageDown: -10,
          };
          const by = steps[event.key];
          if (by === undefined) return;
          event.preventDefault();
          play(false);
          goTo(Math.max(0, Math.min(length - 1, step + by)));
        }}
      >
        <div className="wr-track-rail">
          <div className="wr-track-done" style={{ width: share(step) }} />
          {range && (
            <>
              <div className="wr-track-outside" style={{ left: 0, width: share(range.from) }} />
              <div className="wr-track-outside" style={{ left: share(range.to), right: 0 }} />
            </>
          )}
        </div>
        {chosen.slice(0, MAX_MARKS).map((frame) => (
          <i key={frame} className="wr-track-chosen" style={{ left: share(frame) }} />
        ))}
        <div className="wr-track-thumb" style={{ left: share(step) }} />
        {over !== null && length > 1 && (
          <span className="wr-track-over" style={{ left: share(over) }}>
            {over}
          </span>
        )}
      </div>
      {/* Beside the slider, not in it: they are buttons of their own. */}
      {Object.entries(bookmarks)
        .slice(0, MAX_MARKS)
        .map(([frame, label]) => (
          <Tooltip key={frame} label={`${label} (frame ${frame})`}>
            <button
              type="button"
              className="wr-track-bookmark"
              style={{ left: share(Number(frame)) }}
              aria-label={`Go to bookmark ${label}, frame ${frame}`}
              tabIndex={-1}
              onClick={() => goTo(Number(frame))}
            />
          </Tooltip>
        ))}
    </div>
  );
}
