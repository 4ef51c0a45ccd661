import { useSelected, written } from "@/lib/selected";

export function Status({ count }: { count: number | null }) {
  const atoms = useSelected((now) => now.atoms);
  if (count === null) return null;
  return (
    <div className="wr-viewer-chip" aria-live="polite">
      {count.toLocaleString("en")} atoms
      {atoms.length > 0 && ` · ${atoms.length.toLocaleString("en")} selected: ${written(atoms, 5)}`}
    </div>
  );
}
