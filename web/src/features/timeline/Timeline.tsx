// The bar below all panels: playback, frame slider, speed, follow. It also synchronises the page with the room.
import { ActionIcon, Loader, Menu, NumberInput, Text, Tooltip } from "@mantine/core";
import {
  IconArrowsLeftRight,
  IconBookmarkPlus,
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconPlayerSkipBackFilled,
  IconPlayerSkipForwardFilled,
  IconPlayerTrackNextFilled,
  IconRepeat,
  IconRepeatOff,
  IconUsers,
  IconUsersMinus,
} from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { useShallow } from "zustand/react/shallow";
import { api } from "@/lib/api/client";
import { signInLink } from "@/lib/api/oneTimeCodeSignIn";
import { queryKeys } from "@/lib/api/queryKeys";
import type { RoomPanelProps } from "@/lib/room/panelDefinition";
import { type EndBehaviour, enterRoom, goTo, play, SPEEDS, usePlayback } from "@/lib/room/playback";
import { useSharedSelection } from "@/live/room/sharedSelection";
import { useSharedStep } from "@/live/room/sharedStep";
import { useTrajectory, useTrajectoryEvents } from "@/live/room/sharedTrajectory";
import { DownloadMenu } from "./DownloadMenu";
import { PlaybackFramesMenu } from "./PlaybackFramesMenu";
import { TimelineTrack } from "./TimelineTrack";
import { useAddressedFrame } from "./useAddressedFrame";
import { usePlaybackTimer } from "./usePlaybackTimer";
import { useTimelineKeys } from "./useTimelineKeys";
import "./timeline.css";

const END_BEHAVIOURS: Record<EndBehaviour, { next: EndBehaviour; label: string; icon: ReactNode }> = {
  loop: { next: "bounce", label: "At the end: start again", icon: <IconRepeat size={16} /> },
  bounce: { next: "stop", label: "At the end: play backwards", icon: <IconArrowsLeftRight size={16} /> },
  stop: { next: "loop", label: "At the end: stop", icon: <IconRepeatOff size={16} /> },
};

export default function Timeline({ room }: RoomPanelProps) {
  useEffect(() => enterRoom(room), [room]);
  const trajectory = useTrajectory(room);
  const isEntered = useTrajectoryEvents(room, useSharedStep(room));
  useSharedSelection(room);
  usePlaybackTimer(trajectory);
  useTimelineKeys();
  useEffect(() => () => play(false), []);
  // Does not subscribe to the step, which changes with every frame.
  const { length, playing, speed, ending, waiting } = usePlayback(
    useShallow(({ length, playing, speed, ending, waiting }) => ({
      length,
      playing,
      speed,
      ending,
      waiting,
    })),
  );
  useAddressedFrame(room, length, isEntered);
  useEffect(() => {
    if (length > 1 && signInLink.play) {
      signInLink.play = false;
      play(true);
    }
  }, [length]);
  const bookmarks = useQuery({
    queryKey: queryKeys.bookmarks(room),
    queryFn: async () => (await api.GET("/api/rooms/{room}/bookmarks", { params: { path: { room } } })).data!,
  });
  const chosen = useQuery({
    queryKey: queryKeys.frameSelection(room),
    queryFn: async () =>
      (await api.GET("/api/rooms/{room}/frame-selection", { params: { path: { room } } })).data!,
  });
  const selected = chosen.data?.indices;
  useEffect(() => {
    usePlayback.setState(({ onlySelected }) => ({
      selected: selected ?? [],
      onlySelected: onlySelected && (selected?.length ?? 0) > 0,
    }));
  }, [selected]);

  return (
    <section className="wr-timeline" aria-label="Timeline">
      <TimelineButton label="First frame (Home)" onClick={() => goTo(0)} off={length === 0} edge>
        <IconPlayerSkipBackFilled size={15} />
      </TimelineButton>
      <TimelineButton
        label={playing ? "Pause (Space)" : "Play (Space)"}
        onClick={() => play(!playing)}
        off={length < 2}
        filled
      >
        {playing ? <IconPlayerPauseFilled size={17} /> : <IconPlayerPlayFilled size={17} />}
      </TimelineButton>
      <TimelineButton label="Last frame (End)" onClick={() => goTo(length - 1)} off={length === 0} edge>
        <IconPlayerSkipForwardFilled size={15} />
      </TimelineButton>
      <TimelineTrack bookmarks={bookmarks.data?.bookmarks ?? {}} chosen={chosen.data?.indices ?? []} />
      {waiting && <Loader size={14} aria-label="Waiting for frames" />}
      <FrameNumber />
      <div className="wr-timeline-more">
        <SpeedMenu speed={speed} />
        <PlaybackFramesMenu room={room} />
        <TimelineButton
          label={END_BEHAVIOURS[ending].label}
          onClick={() => usePlayback.setState({ ending: END_BEHAVIOURS[ending].next })}
        >
          {END_BEHAVIOURS[ending].icon}
        </TimelineButton>
        <BookmarkButton room={room} off={length === 0} />
        <DownloadMenu room={room} />
      </div>
      <FollowButton />
    </section>
  );
}

function FrameNumber() {
  const step = usePlayback((now) => now.step);
  const length = usePlayback((now) => now.length);
  return (
    <div className="wr-timeline-frame">
      <NumberInput
        aria-label="Frame number"
        size="xs"
        hideControls
        allowDecimal={false}
        // As wide as the largest frame number and never less than four digits, with the padding of the field.
        w={`calc(${Math.max(4, String(Math.max(0, length - 1)).length)}ch + 26px)`}
        value={step}
        min={0}
        max={Math.max(0, length - 1)}
        disabled={length === 0}
        onChange={(value) => {
          if (typeof value !== "number" || value === usePlayback.getState().step) return;
          play(false);
          goTo(value);
        }}
      />
      <Text span size="sm" c="dimmed" data-testid="length">
        of {length.toLocaleString("en")}
      </Text>
    </div>
  );
}

function SpeedMenu({ speed }: { speed: number }) {
  const [opened, setOpened] = useState(false);
  return (
    <Menu position="top" width={130} opened={opened} onChange={setOpened}>
      <Menu.Target>
        <Tooltip label="Frames a second" disabled={opened}>
          <ActionIcon w="auto" px={6} aria-label={`${speed}/s: frames a second`}>
            <IconPlayerTrackNextFilled size={13} />
            <Text span size="xs" ml={4}>
              {speed}/s
            </Text>
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        {SPEEDS.map((one) => (
          <Menu.Item
            key={one}
            fw={one === speed ? 700 : 400}
            onClick={() => usePlayback.setState({ speed: one })}
          >
            {one} a second
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function BookmarkButton({ room, off }: { room: string; off: boolean }) {
  const mark = useMutation({
    mutationFn: (step: number) =>
      api.PUT("/api/rooms/{room}/bookmarks/{index}", {
        params: { path: { room, index: step } },
        body: { label: `Frame ${step}` },
      }),
  });
  return (
    <TimelineButton
      label="Bookmark this frame"
      onClick={() => mark.mutate(usePlayback.getState().step)}
      off={off || mark.isPending}
    >
      <IconBookmarkPlus size={16} />
    </TimelineButton>
  );
}

function FollowButton() {
  const follow = usePlayback((now) => now.follow);
  const presenter = usePlayback((now) => now.presenter);
  const label = follow
    ? "You share the frame and the selection with the others. Click to have your own."
    : "Frame and selection are only yours. Click to follow the room again.";
  return (
    <>
      {follow && presenter && (
        <Text size="xs" c="dimmed" truncate maw={140} className="wr-timeline-presenter">
          with {presenter.name}
        </Text>
      )}
      <Tooltip label={label} multiline w={230}>
        <ActionIcon
          aria-label="Follow the others"
          aria-pressed={follow}
          variant={follow ? "light" : "subtle"}
          color={follow ? "iris" : "gray"}
          onClick={() => usePlayback.setState({ follow: !follow, presenter: null })}
        >
          {follow ? <IconUsers size={16} /> : <IconUsersMinus size={16} />}
        </ActionIcon>
      </Tooltip>
    </>
  );
}

function TimelineButton(props: {
  label: string;
  onClick: () => void;
  off?: boolean;
  filled?: boolean;
  /** Left out on a phone, where the track does the same. */
  edge?: boolean;
  children: ReactNode;
}) {
  const { label, onClick, off, filled, edge, children } = props;
  return (
    <Tooltip label={label}>
      <ActionIcon
        aria-label={label}
        className={edge ? "wr-timeline-edge" : undefined}
        onClick={onClick}
        disabled={off}
        variant={filled ? "filled" : "subtle"}
        color={filled ? "iris" : "gray"}
      >
        {children}
      </ActionIcon>
    </Tooltip>
  );
}
