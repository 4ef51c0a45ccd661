// Whose selection it is: who set that of the room, and whether this page has another one.
import { Alert, Button, Group, Text } from "@mantine/core";
import { useSession } from "@/lib/api/session";
import { usePlayback } from "@/lib/room/playback";
import { isSameSelection, setFromRoom, useSelection } from "@/lib/room/selectionStore";
import { PARTICLES, useMayWrite, useSelections, useShareSelection } from "@/live/room/sharedSelection";

/** `forRun`: beside a form, whose job uses the room's selection. Nothing is shown there while both are the same. */
export function SelectionOwnerNote({ room, forRun = false }: { room: string; forRun?: boolean }) {
  const { data } = useSelections(room);
  const share = useShareSelection(room);
  const mayWrite = useMayWrite(room);
  const follow = usePlayback((now) => now.follow);
  const atoms = useSelection((now) => now.atoms);
  const me = useSession((session) => session.user?.name);
  if (!data) return null;
  const theirs = data.selections[PARTICLES] ?? [];
  const author = data.authors[PARTICLES];
  // While following, the selections differ only where this page has cleared what another person selected.
  const isClearedHere = follow && atoms.length === 0 && theirs.length > 0 && Boolean(author) && author !== me;
  const isSame = isSameSelection(atoms, theirs);
  // A page that follows and may write sends its selection at once.
  if (!isSame && follow && mayWrite && !isClearedHere) return null;
  if (isSame) {
    if (forRun || !theirs.length || !author || author === me) return null;
    return (
      <Text size="xs" c="dimmed">
        Selected by {author}
      </Text>
    );
  }
  const count = theirs.length === 1 ? "1 atom" : `${theirs.length.toLocaleString("en")} atoms`;
  const by = author ? `, selected by ${author === me ? "you" : author}` : "";
  return (
    <Alert p="xs" color="gray" role="status" data-testid="own-selection">
      <Text size="xs">
        {isClearedHere
          ? "The selection is cleared on this page alone."
          : mayWrite
            ? "You do not follow the room, so this selection is only yours."
            : "You may not change the room, so this selection is only yours."}{" "}
        The room has {count}
        {by}
        {forRun ? ", and a job uses these." : "."}
      </Text>
      <Group gap={6} mt={4}>
        {mayWrite && (
          <Button
            size="compact-xs"
            variant="default"
            loading={share.isPending}
            onClick={() => share.mutate(atoms)}
          >
            {isClearedHere ? "Clear it for all" : "Share mine"}
          </Button>
        )}
        <Button size="compact-xs" variant="subtle" onClick={() => setFromRoom(room, theirs)}>
          Use the room's
        </Button>
      </Group>
    </Alert>
  );
}
