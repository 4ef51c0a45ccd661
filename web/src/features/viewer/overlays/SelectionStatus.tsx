import { formatAtoms, useSelection } from "@/lib/room/selectionStore";

export function SelectionStatus({ count }: { count: number | null }) {
  const atoms = useSelection((now) => now.atoms);
  if (count === null) return null;
  return (
    <div className="wr-viewer-chip" aria-live="polite">
      {count.toLocaleString("en")} atoms
      {atoms.length > 0 && ` · ${atoms.length.toLocaleString("en")} selected: ${formatAtoms(atoms, 5)}`}
    </div>
  );
}
