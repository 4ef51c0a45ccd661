import { formatAtoms, useSelection } from "@/lib/room/selectionStore";

interface StatusProps {
  count: number | null;
  nowhere: number;
  hidden: number;
}

export function SelectionStatus({ count, nowhere, hidden }: StatusProps) {
  const atoms = useSelection((now) => now.atoms);
  if (count === null) return null;
  return (
    <div className="wr-viewer-chip" aria-live="polite">
      {count === 1 ? "1 atom" : `${count.toLocaleString("en")} atoms`}
      {nowhere > 0 && (
        <b>
          {" "}
          · {nowhere.toLocaleString("en")} not drawn:{" "}
          {nowhere === 1 ? "its position is" : "their positions are"} not finite (NaN or infinite)
        </b>
      )}
      {hidden > 0 && ` · ${hidden.toLocaleString("en")} hidden`}
      {atoms.length > 0 && ` · ${atoms.length.toLocaleString("en")} selected: ${formatAtoms(atoms, 5)}`}
    </div>
  );
}
