// Formats numbers and times.

/** A length of time: 8 ms, 1.3 s, 2 min 5 s, 3 h 12 min, 4 d 2 h. */
export function duration(ms: number | null | undefined): string {
  if (ms === null || ms === undefined || !Number.isFinite(ms)) return "–";
  if (ms < 0) return "0 ms";
  if (ms < 1) return "<1 ms";
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1_000;
  if (seconds < 59.95) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  const whole = Math.round(seconds);
  if (whole < 3_600) return two(Math.floor(whole / 60), "min", whole % 60, "s");
  if (whole < 86_400) return two(Math.floor(whole / 3_600), "h", Math.floor((whole % 3_600) / 60), "min");
  return two(Math.floor(whole / 86_400), "d", Math.floor((whole % 86_400) / 3_600), "h");
}

/** The same for durations in microseconds: 12.4 µs, 0.83 ms. */
export function fineDuration(ms: number | null | undefined): string {
  if (ms === null || ms === undefined || !Number.isFinite(ms)) return "–";
  if (ms === 0) return "0";
  if (ms < 0.1) return `${trimmed(ms * 1_000)} µs`;
  if (ms < 10) return `${ms.toFixed(2)} ms`;
  return duration(ms);
}

function two(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small ? `${large} ${largeUnit} ${small} ${smallUnit}` : `${large} ${largeUnit}`;
}

/** How long ago: just now, 40 s ago, 5 min ago, 3 h ago, 2 d ago, then the date. */
export function ago(then: string | number | Date, now: number): string {
  const ms = now - new Date(then).getTime();
  if (ms < 5_000) return "just now";
  if (ms < 60_000) return `${Math.floor(ms / 1_000)} s ago`;
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min ago`;
  if (ms < 86_400_000) return `${Math.floor(ms / 3_600_000)} h ago`;
  if (ms < 7 * 86_400_000) return `${Math.floor(ms / 86_400_000)} d ago`;
  return day(then);
}

export function day(then: string | number | Date): string {
  return new Date(then).toLocaleDateString(undefined, { year: "numeric", month: "short", day: "numeric" });
}

export function moment(then: string | number | Date): string {
  return new Date(then).toLocaleString(undefined, {
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
}

/** 1,234,567; in the short form 12.3k from ten thousand on. */
export function count(number: number, short = false): string {
  if (!short || number < 10_000) return number.toLocaleString("en");
  if (number < 1_000_000) return `${trimmed(number / 1_000)}k`;
  return `${trimmed(number / 1_000_000)}M`;
}

function trimmed(number: number): string {
  return number < 100 ? number.toFixed(1).replace(/\.0$/, "") : Math.round(number).toString();
}

/** A rate: 0.4, 12.5, 380, 1.2M. */
export function rate(number: number): string {
  return number < 100 ? trimmed(number) : count(Math.round(number), true);
}

export function plural(number: number, one: string, many = `${one}s`): string {
  return `${count(number)} ${number === 1 ? one : many}`;
}

export function bytes(number: number): string {
  if (number < 1_000) return `${number} B`;
  if (number < 1_000_000) return `${trimmed(number / 1_000)} kB`;
  if (number < 1_000_000_000) return `${trimmed(number / 1_000_000)} MB`;
  return `${trimmed(number / 1_000_000_000)} GB`;
}

/** A number with at most five significant digits. */
export function number(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e9) return value.toLocaleString("en");
  if (value !== 0 && (Math.abs(value) >= 1e6 || Math.abs(value) < 1e-4)) return value.toExponential(3);
  return String(Number(value.toPrecision(5)));
}
