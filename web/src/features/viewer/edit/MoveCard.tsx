// Moves or turns the selected atoms, with the gizmo or by numbers.
import { Button, Group, NumberInput, SegmentedControl, Text } from "@mantine/core";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useSelection } from "@/lib/room/selectionStore";
import { useWriteBlockedReason } from "@/live/room/writeBlockedReason";
import type { TransformMode } from "../stage/pointer/transformGizmo";
import type { Stage } from "../stage/stage";
import { AtomMover, FEWEST_ATOMS, type MoverState } from "./atomMover";
import { EditCard } from "./EditCard";
import { setTool } from "./editStore";
import { motionText, NO_MOTION, NO_TURN, turnAbout } from "./motion";

const AXES = ["x", "y", "z"] as const;
const IDLE: MoverState = { count: 0, fixed: 0, motion: null, saving: false };

export function MoveCard({ room, stage, mode }: { room: string; stage: Stage; mode: TransformMode }) {
  const atoms = useSelection((now) => now.atoms);
  const blocked = useWriteBlockedReason(room, "trajectory");
  const [state, setState] = useState(IDLE);
  const mover = useRef<AtomMover | null>(null);
  const fewest = FEWEST_ATOMS[mode];

  useEffect(() => {
    if (blocked) return;
    const made = new AtomMover(stage, room, setState);
    mover.current = made;
    return () => {
      made.dispose();
      mover.current = null;
      setState(IDLE);
    };
  }, [stage, room, blocked]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new mover knows neither the mode nor the atoms
  useEffect(() => {
    mover.current?.take(atoms, mode);
  }, [atoms, mode, stage, room, blocked]);

  return (
    <EditCard title="Move atoms" blocked={blocked}>
      <SegmentedControl
        aria-label="Motion"
        size="xs"
        fullWidth
        data={[
          { value: "translate", label: "Move (T)" },
          { value: "rotate", label: "Turn (R)" },
        ]}
        value={mode}
        onChange={(chosen) => setTool(chosen as TransformMode)}
      />
      {state.count < fewest ? (
        <Text size="xs" c="dimmed">
          {mode === "rotate"
            ? "Select two or more atoms to turn them."
            : "Select the atoms first: click them, or draw a box with Shift."}
        </Text>
      ) : (
        <>
          <output className="wr-viewer-motion" data-testid="motion">
            {state.saving
              ? "Saving…"
              : state.motion
                ? motionText(state.motion)
                : `${state.count.toLocaleString("en")} ${state.count === 1 ? "atom" : "atoms"}: drag a handle`}
          </output>
          {mode === "translate" ? (
            <ShiftForm disabled={state.saving} apply={(motion) => mover.current?.apply(motion)} />
          ) : (
            <TurnForm disabled={state.saving} apply={(motion) => mover.current?.apply(motion)} />
          )}
          {state.fixed > 0 && (
            <Text size="xs" c="dimmed">
              A constraint fixes {state.fixed === state.count ? "them" : `${state.fixed} of them`}: they are
              moved, too.
            </Text>
          )}
        </>
      )}
    </EditCard>
  );
}

interface MotionForm {
  disabled: boolean;
  apply: (motion: typeof NO_MOTION) => Promise<void> | undefined;
}

function ShiftForm({ disabled, apply }: MotionForm) {
  const [shift, setShift] = useState<(number | string)[]>([0, 0, 0]);
  const numbers = shift.map(Number);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const [x, y, z] = numbers as [number, number, number];
    void apply({ shift: [x, y, z], turn: NO_TURN });
  };
  return (
    <form onSubmit={submit}>
      <Group gap={4} wrap="nowrap" align="end">
        {AXES.map((axis, at) => (
          <NumberInput
            key={axis}
            label={`${axis} (Å)`}
            aria-label={`Shift along ${axis} (Å)`}
            size="xs"
            hideControls
            step={0.1}
            value={shift[at]}
            onChange={(value) => setShift(shift.with(at, value))}
          />
        ))}
        <ApplyButton
          disabled={disabled || !numbers.every(Number.isFinite) || numbers.every((one) => one === 0)}
        />
      </Group>
    </form>
  );
}

function TurnForm({ disabled, apply }: MotionForm) {
  const [axis, setAxis] = useState<(typeof AXES)[number]>("z");
  const [angle, setAngle] = useState<number | string>(0);
  const degrees = Number(angle);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const about = AXES.indexOf(axis) as 0 | 1 | 2;
    void apply({ ...NO_MOTION, turn: turnAbout(about, degrees) });
  };
  return (
    <form onSubmit={submit}>
      <Group gap={4} wrap="nowrap" align="end">
        <SegmentedControl
          aria-label="Axis"
          size="xs"
          style={{ flexShrink: 0 }}
          data={[...AXES]}
          value={axis}
          onChange={(chosen) => setAxis(chosen as typeof axis)}
        />
        <NumberInput label="Angle (°)" size="xs" hideControls step={5} value={angle} onChange={setAngle} />
        <ApplyButton disabled={disabled || !Number.isFinite(degrees) || degrees % 360 === 0} />
      </Group>
    </form>
  );
}

function ApplyButton({ disabled }: { disabled: boolean }) {
  return (
    <Button type="submit" size="compact-sm" px="xs" style={{ flexShrink: 0 }} disabled={disabled}>
      Apply
    </Button>
  );
}
