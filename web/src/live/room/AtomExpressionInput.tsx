// Selects atoms by text: a list of indices ("0-5, 9") or an expression ('element == "O" and z > 5'), with completion.
import { Autocomplete, Text } from "@mantine/core";
import { useMemo, useState } from "react";
import { DROPDOWN_IN_POPOVER } from "@/lib/dropdownInPopover";
import { completions } from "@/lib/expression/completion";
import { atomsWhere, compileExpression, ExpressionError } from "@/lib/expression/expression";
import { notifyError } from "@/lib/notifications";
import { atomsOfFrame, formatAtoms, parseAtoms, select, useSelection } from "@/lib/room/selectionStore";
import { useAtomColumns, useCurrentAtomColumns } from "@/live/room/useWholeFrame";

const MOST_RANGES = 40;

export function AtomExpressionInput({ room, inside = false }: { room: string; inside?: boolean }) {
  const atoms = useSelection((now) => now.atoms);
  const [draft, setDraft] = useState<string | null>(null);
  /** Whether the user asked for the text as it is; until then, what can still be completed is no fault. */
  const [tried, setTried] = useState(false);
  const known = useAtomColumns(room);
  const current = useCurrentAtomColumns(room);
  const fault = useMemo(() => faultOf(draft, known), [draft, known]);
  const offered = useMemo(
    () => (draft === null || !known || parseAtoms(draft) ? [] : completions(draft, known, known.elements)),
    [draft, known],
  );
  const words = new Map(offered.map(({ text, word }) => [text, word]));

  const apply = async (text: string) => {
    setTried(true);
    const listed = parseAtoms(text);
    try {
      const now = listed?.length === 0 ? null : await current();
      if (listed) select(now ? atomsOfFrame(listed, now.count) : []);
      else if (now) select(atomsWhere(text, now.columns, now.count));
    } catch (error) {
      // A fault of the text stays visible at the field.
      if (!(error instanceof ExpressionError)) notifyError(error, "The atoms were not selected");
      return;
    }
    setDraft(null);
  };

  return (
    <Autocomplete
      label={`Selected now: ${atoms.length.toLocaleString("en")}`}
      description="Indices, or a condition; Enter selects"
      placeholder={'0-5, 9 or element == "O" and z > 5'}
      value={draft ?? formatAtoms(atoms, MOST_RANGES)}
      data={offered.map(({ text }) => text)}
      filter={({ options }) => options}
      renderOption={({ option }) => (
        <Text size="sm" ff="monospace">
          {words.get(option.value) ?? option.value}
        </Text>
      )}
      comboboxProps={inside ? DROPDOWN_IN_POPOVER : undefined}
      maxDropdownHeight={220}
      error={fault && (tried || offered.length === 0) ? fault : undefined}
      spellCheck={false}
      autoComplete="off"
      onChange={(text) => {
        setDraft(text);
        setTried(false);
      }}
      onBlur={() => {
        if (draft !== null && parseAtoms(draft)) void apply(draft);
      }}
      onKeyDown={(event) => {
        // With an option highlighted, Enter completes the text instead.
        const choosing = event.currentTarget.getAttribute("aria-activedescendant");
        if (event.key === "Enter" && !choosing && draft !== null) void apply(draft);
        if (event.key === "Escape") setDraft(null);
      }}
    />
  );
}

/** What is wrong with the text. */
function faultOf(draft: string | null, known: ReturnType<typeof useAtomColumns>): string | null {
  if (draft === null || !known) return null;
  try {
    const listed = parseAtoms(draft);
    if (listed) atomsOfFrame(listed, known.count);
    else compileExpression(draft, known);
    return null;
  } catch (error) {
    return error instanceof ExpressionError ? error.message : String(error);
  }
}
