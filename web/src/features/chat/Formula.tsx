// A formula, drawn by KaTeX. It builds elements and no HTML text, and `trust` is off: a formula has neither links nor images.
import katex from "katex";
import "katex/dist/katex.min.css";
import { useLayoutEffect, useRef, useState } from "react";
import remarkMath from "remark-math";

export { remarkMath };

const LONGEST = 4_000;

export function Formula({ tex, display }: { tex: string; display: boolean }) {
  const host = useRef<HTMLSpanElement>(null);
  const [fault, setFault] = useState<string | null>(null);
  useLayoutEffect(() => {
    if (!host.current) return;
    try {
      if (tex.length > LONGEST) throw new Error("The formula is too long.");
      katex.render(tex, host.current, {
        displayMode: display,
        throwOnError: true,
        trust: false,
        strict: "ignore",
        maxSize: 20,
        maxExpand: 200,
      });
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error));
    }
  }, [tex, display]);
  const fence = display ? "$$" : "$";
  if (fault !== null)
    return (
      <code title={fault}>
        {fence}
        {tex}
        {fence}
      </code>
    );
  return <span ref={host} className={display ? "wr-formula-display" : undefined} />;
}
