import "./icicle.css";
import { Text } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import flamegraph from "d3-flame-graph";
import { select } from "d3-selection";
import { useEffect, useRef, useState } from "react";
import type { StackNode } from "./stackTree";

/** Who spends the time, from the outermost call at the top; a click opens a part of it. */
export default function IcicleChart({ tree }: { tree: StackNode }) {
  const { ref, width } = useElementSize();
  const box = useRef<HTMLDivElement>(null);
  const [told, setTold] = useState("");

  useEffect(() => {
    if (!box.current || width < 50) return;
    const here = box.current;
    const chart = flamegraph()
      .width(width)
      .cellHeight(20)
      .inverted(true)
      .minFrameSize(2)
      .transitionDuration(200)
      .sort(true)
      .title("")
      .onHover((node: { data: StackNode }) => {
        const { name, place, value } = node.data;
        const share = tree.value ? ` (${((value / tree.value) * 100).toFixed(1)} %)` : "";
        setTold(`${name}${share}${place && ` · ${place}`}`);
      });
    select(here).datum(tree).call(chart);
    return () => {
      chart.destroy?.();
      here.replaceChildren();
    };
  }, [tree, width]);

  return (
    <div ref={ref}>
      <div ref={box} className="icicle" role="img" aria-label={`Icicle of ${tree.name}`} />
      <Text size="sm" mt="xs" mih={20} className="numbers">
        {told}
      </Text>
    </div>
  );
}
