// The points of a curve: each can be taken, set by numbers and removed.
import { ActionIcon, Button, Group, NumberInput } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { type FormEvent, useState } from "react";
import type { Point } from "../stage/layers/cylinders";
import { draw } from "./editStore";

/** A long curve is edited in the scene: only its first points are listed, and the one that is taken. */
const MOST_LISTED = 200;

interface PointListProps {
  points: readonly Point[];
  chosen: number | null;
  /** The points after an edit, and the one that is taken then. */
  change: (points: readonly Point[], chosen: number | null) => void;
  /** Whether points can be added by numbers. */
  adds: boolean;
}

export function PointList({ points, chosen, change, adds }: PointListProps) {
  const listed = [...points.entries()].filter(([at]) => at < MOST_LISTED || at === chosen);
  const taken = chosen === null ? undefined : points[chosen];
  return (
    <>
      {points.length > 0 && (
        <ol className="wr-viewer-points" aria-label="Points">
          {listed.map(([at, point]) => (
            <li key={at}>
              <Button
                size="compact-xs"
                variant={at === chosen ? "light" : "subtle"}
                color={at === chosen ? "iris" : "gray"}
                aria-pressed={at === chosen}
                onClick={() => draw({ chosen: at === chosen ? null : at })}
              >
                {at + 1}: {point.map((part) => part.toFixed(2)).join(", ")}
              </Button>
              <ActionIcon
                size="xs"
                variant="subtle"
                color="gray"
                aria-label={`Remove point ${at + 1}`}
                onClick={() => change(points.toSpliced(at, 1), null)}
              >
                <IconX size={12} />
              </ActionIcon>
            </li>
          ))}
        </ol>
      )}
      {points.length > MOST_LISTED && `and ${(points.length - MOST_LISTED).toLocaleString("en")} more`}
      {taken ? (
        <PointForm
          key={taken.join()}
          from={taken}
          action="Set"
          apply={(point) => change(points.with(chosen!, point), chosen)}
        />
      ) : (
        adds && (
          <PointForm from={[0, 0, 0]} action="Add" apply={(point) => change([...points, point], null)} />
        )
      )}
    </>
  );
}

function PointForm(props: { from: Point; action: string; apply: (point: Point) => void }) {
  const { from, action, apply } = props;
  // A part that is not typed anew keeps all its digits.
  const shown = from.map((part) => Math.round(part * 1e3) / 1e3);
  const [given, setGiven] = useState<(number | string)[]>(shown);
  const numbers = given.map((part, at) =>
    part === shown[at] ? from[at]! : part === "" ? Number.NaN : Number(part),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const [x, y, z] = numbers as [number, number, number];
    apply([x, y, z]);
  };
  return (
    <form onSubmit={submit}>
      <Group gap={4} wrap="nowrap">
        {["x", "y", "z"].map((axis, at) => (
          <NumberInput
            key={axis}
            aria-label={`${axis} of the point (Å)`}
            size="xs"
            hideControls
            styles={{ input: { paddingInline: 6 } }}
            value={given[at]}
            onChange={(value) => setGiven(given.with(at, value))}
          />
        ))}
        <Button
          type="submit"
          variant="default"
          size="compact-sm"
          px="xs"
          style={{ flexShrink: 0 }}
          disabled={!numbers.every(Number.isFinite)}
        >
          {action}
        </Button>
      </Group>
    </form>
  );
}
