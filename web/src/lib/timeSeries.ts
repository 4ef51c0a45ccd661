// A short memory of figures, for live charts.
import { useEffect, useRef, useState } from "react";

export interface TimeSeries {
  times: number[];
  values: (number | null)[][];
}

export function appendPoint(
  series: TimeSeries,
  time: number,
  point: (number | null)[],
  most: number,
): TimeSeries {
  const from = Math.max(0, series.times.length + 1 - most);
  return {
    times: [...series.times, time].slice(from),
    values: point.map((value, at) =>
      [...(series.values[at] ?? series.times.map(() => null)), value].slice(from),
    ),
  };
}

/** Notes the figures at every new moment, given in milliseconds. */
export function useTimeSeries(
  point: (number | null)[] | undefined,
  updatedAt: number,
  most = 300,
): TimeSeries {
  const [series, setSeries] = useState<TimeSeries>({ times: [], values: [] });
  const latest = useRef(point);
  latest.current = point;
  useEffect(() => {
    const now = latest.current;
    if (now && updatedAt) setSeries((known) => appendPoint(known, updatedAt / 1000, now, most));
  }, [updatedAt, most]);
  return series;
}
