/** Small bars, newest last. It is hidden from screen readers, so the same information must be in the text beside it. */
export function Sparkline({
  values,
  colour,
  width = 120,
  height = 28,
}: {
  values: number[];
  colour: string;
  width?: number;
  height?: number;
}) {
  const most = Math.max(...values, 1);
  const step = width / values.length;
  return (
    <svg width={width} height={height} aria-hidden style={{ display: "block", flex: "none" }}>
      <rect y={height - 1} width={width} height={1} fill="var(--wr-line)" />
      {values.map((value, at) => {
        const tall = Math.max(2, (value / most) * height);
        return value ? (
          <rect
            key={at}
            x={at * step}
            y={height - tall}
            width={Math.max(1, step - 1)}
            height={tall}
            rx={1}
            fill={colour}
          />
        ) : null;
      })}
    </svg>
  );
}
