// Completion of names after an @ in the message that is written.
import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, type RefObject, useState } from "react";
import { api } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";
import { useSession } from "@/lib/api/session";
import { mentionOf, typedMention } from "@/lib/peopleMentions";
import { useMessages } from "./useChat";

const MAX_NAMES = 6;

/** The names of people who are in the room or have written in it, without the user's own. */
function usePeople(room: string): string[] {
  const me = useSession((session) => session.user?.name);
  const { data: presence } = useQuery({
    queryKey: queryKeys.presence(room),
    queryFn: async () => (await api.GET("/api/rooms/{room}/presence", { params: { path: { room } } })).data!,
  });
  const { data: messages } = useMessages(room);
  const names = [
    ...(presence?.people ?? []).map((one) => one.name),
    ...(messages ?? []).flatMap((one) => (one.jobId === null && one.user ? [one.user] : [])),
  ];
  return [...new Set(names)].filter((name) => name !== me);
}

export function useMentionCompletion(
  room: string,
  input: RefObject<HTMLTextAreaElement | null>,
  text: string,
  setText: (text: string) => void,
) {
  const people = usePeople(room);
  const [caret, setCaret] = useState(0);
  const [marked, setMarked] = useState(0);
  const [closed, setClosed] = useState(false);
  const typed = closed ? null : typedMention(text, caret);
  const wanted = typed?.typed.toLowerCase() ?? "";
  const names = typed ? people.filter((name) => name.toLowerCase().includes(wanted)).slice(0, MAX_NAMES) : [];
  const at = Math.min(marked, Math.max(0, names.length - 1));

  const choose = (name: string) => {
    const inserted = `${mentionOf(name)} `;
    const place = typed!.start + inserted.length;
    setText(text.slice(0, typed!.start) + inserted + text.slice(caret));
    requestAnimationFrame(() => {
      input.current?.focus();
      input.current?.setSelectionRange(place, place);
      setCaret(place);
    });
  };
  const moved = () => {
    setCaret(input.current?.selectionStart ?? 0);
    setClosed(false);
    setMarked(0);
  };
  /** Whether the key was for the completion. */
  const press = (event: KeyboardEvent): boolean => {
    if (!names.length) return false;
    if (event.key === "ArrowDown") setMarked((at + 1) % names.length);
    else if (event.key === "ArrowUp") setMarked((at + names.length - 1) % names.length);
    else if (event.key === "Enter" || event.key === "Tab") choose(names[at]!);
    else if (event.key === "Escape") setClosed(true);
    else return false;
    event.preventDefault();
    return true;
  };
  return { names, marked: at, choose, press, moved };
}
