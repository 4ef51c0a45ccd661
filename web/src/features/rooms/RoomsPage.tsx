import {
  Button,
  FileButton,
  Group,
  Loader,
  Paper,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  TextInput,
  Title,
} from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconDoor, IconFileUpload, IconLock, IconPlus, IconSearch } from "@tabler/icons-react";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { useFileChoice } from "@/components/AddFileButton";
import { EmptyState } from "@/components/EmptyState";
import { ErrorAlert } from "@/components/ErrorBoundary";
import { FileDropZone } from "@/components/FileDropZone";
import { Page } from "@/components/Page";
import { RelativeTime } from "@/components/RelativeTime";
import { CardLink } from "@/components/RouterLinks";
import { count, plural } from "@/lib/format";
import { useRecentRooms } from "@/lib/room/recentRooms";
import { serverUrl } from "@/lib/rootPath";
import { type Room, type Sort, useRooms } from "./queries";
import { RoomTable } from "./RoomTable";
import { RoomThumbnail } from "./RoomThumbnail";
import { useFileUpload } from "./useFileUpload";

const NewRoomModal = lazy(() => import("./NewRoomModal"));

export default function RoomsPage() {
  const { q = "", sort = "changed", archived = false } = useSearch({ from: "/in/" });
  const navigate = useNavigate();
  const rooms = useRooms(q, sort, archived);
  const show = (change: { q?: string; sort?: Sort; archived?: boolean }) => {
    const next = { q, sort, archived, ...change };
    const search = {
      q: next.q || undefined,
      sort: next.sort === "changed" ? undefined : next.sort,
      archived: next.archived || undefined,
    };
    void navigate({ to: "/", search, replace: true });
  };
  const [making, setMaking] = useState(false);
  const [wasMaking, setWasMaking] = useState(false);
  const make = () => {
    setWasMaking(true);
    setMaking(true);
  };
  const { open, opening } = useFileUpload();
  const choice = useFileChoice(open);
  const search = useDebouncedCallback((text: string) => show({ q: text }), 150);

  return (
    <FileDropZone onDrop={open} busy={opening} hint="Drop to open in a new room">
      <Page
        title="Rooms"
        subtitle="A room holds frames, figures, chat and jobs that people work on together."
        actions={
          <>
            <FileButton {...choice} inputProps={{ "aria-label": "Files to open" }}>
              {(props) => (
                <Button
                  {...props}
                  variant="default"
                  leftSection={<IconFileUpload size={15} />}
                  loading={opening}
                >
                  Open a file
                </Button>
              )}
            </FileButton>
            <Button leftSection={<IconPlus size={15} />} onClick={make}>
              New room
            </Button>
          </>
        }
      >
        <Stack gap="lg">
          {!q && !archived && (
            <RecentRooms known={rooms.data?.items} all={rooms.isSuccess && !rooms.hasNextPage} />
          )}
          <Paper className="surface" radius="md">
            <Group p="sm" justify="space-between">
              <TextInput
                aria-label="Search rooms"
                placeholder="Search rooms"
                leftSection={<IconSearch size={15} />}
                rightSection={rooms.isFetching ? <Loader size={14} /> : null}
                defaultValue={q}
                onChange={(event) => search(event.currentTarget.value)}
                w={{ base: "100%", xs: 300 }}
                size="sm"
              />
              <Group gap="md">
                <Switch
                  size="xs"
                  label="Archived"
                  checked={archived}
                  onChange={(event) => show({ archived: event.currentTarget.checked })}
                />
                {rooms.data && (
                  <Text size="xs" c="dimmed">
                    {rooms.hasNextPage && `${count(rooms.data.items.length)} of `}
                    {plural(rooms.data.total, "room")}
                  </Text>
                )}
              </Group>
            </Group>
            {rooms.isLoadingError && <ErrorAlert error={rooms.error} onRetry={() => rooms.refetch()} />}
            {rooms.data && rooms.data.items.length > 0 && (
              <RoomTable rooms={rooms.data.items} sort={sort} onSort={(next) => show({ sort: next })} />
            )}
            {rooms.hasNextPage && (
              <Button
                variant="subtle"
                fullWidth
                loading={rooms.isFetchingNextPage}
                onClick={() => void rooms.fetchNextPage()}
              >
                Show more rooms
              </Button>
            )}
            {rooms.data?.items.length === 0 &&
              (archived && !q ? (
                <EmptyState icon={IconDoor} title="No archived rooms">
                  Owners archive a room from its row in this list.
                </EmptyState>
              ) : q ? (
                <EmptyState icon={IconSearch} title={`No room is called “${q}”`}>
                  Only members can find private rooms.
                </EmptyState>
              ) : (
                <EmptyState
                  icon={IconDoor}
                  title="No rooms yet"
                  code={`from workroom import Room\n\nroom = Room("my-room", url="${serverUrl}")\nroom.append(atoms)  # any ase.Atoms`}
                  action={<Button onClick={make}>Create the first room</Button>}
                >
                  Drop a structure or trajectory file on this page, create an empty room, or start in Python:
                </EmptyState>
              ))}
          </Paper>
        </Stack>
        {/* It stays for the animation of its closing. */}
        {wasMaking && (
          <Suspense>
            <NewRoomModal opened={making} close={() => setMaking(false)} />
          </Suspense>
        )}
      </Page>
    </FileDropZone>
  );
}

/** `all`: there are no rooms besides the known ones. */
function RecentRooms({ known, all }: { known: Room[] | undefined; all: boolean }) {
  const recent = useRecentRooms((state) => state.rooms);
  const shown = recent.filter(({ name }) => !all || known?.some((room) => room.name === name)).slice(0, 4);
  if (!shown.length) return null;
  return (
    <section aria-labelledby="recent">
      <Title order={2} id="recent" size="h4" mb="xs" c="dimmed">
        Recent
      </Title>
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
        {shown.map(({ name, at }) => {
          const room = known?.find((one) => one.name === name);
          return (
            <CardLink key={name} to="/rooms/$room" params={{ room: name }} p="sm">
              <Group gap="sm" wrap="nowrap">
                <RoomThumbnail room={name} madeAt={room?.thumbnailAt ?? null} />
                <div style={{ minWidth: 0 }}>
                  <Group gap={6} wrap="nowrap">
                    <Text fw={600} truncate>
                      {name}
                    </Text>
                    {room?.visibility === "private" && <IconLock size={13} aria-label="private" />}
                  </Group>
                  <Text size="xs" c="dimmed" truncate>
                    {room?.description || <RelativeTime at={new Date(at).toISOString()} />}
                  </Text>
                </div>
              </Group>
            </CardLink>
          );
        })}
      </SimpleGrid>
    </section>
  );
}
