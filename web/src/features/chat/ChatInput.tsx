// The message that is written, with completion of names after an @.
import { ActionIcon, Group, Paper, Textarea, UnstyledButton } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { type KeyboardEvent, useRef, useState } from "react";
import { useMentionCompletion } from "./useMentionCompletion";

export function ChatInput(props: {
  room: string;
  busy: boolean;
  onSend: (text: string) => Promise<unknown>;
}) {
  const { busy, onSend } = props;
  const [text, setText] = useState("");
  const input = useRef<HTMLTextAreaElement>(null);
  const completion = useMentionCompletion(props.room, input, text, setText);
  const send = () => {
    const message = text.trim();
    if (!message || busy) return;
    // The text is cleared only after the server accepted it.
    onSend(message).then(
      () => setText((now) => (now.trim() === message ? "" : now)),
      () => undefined,
    );
  };
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || completion.press(event)) return;
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    send();
  };
  return (
    <Group gap={6} p={8} align="flex-end" wrap="nowrap" className="wr-chat-compose" pos="relative">
      {completion.names.length > 0 && (
        <Paper withBorder shadow="md" role="listbox" aria-label="People" className="wr-chat-people">
          {completion.names.map((name, at) => (
            <UnstyledButton
              key={name}
              role="option"
              aria-selected={at === completion.marked}
              className="wr-chat-person"
              // The text keeps the focus.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => completion.choose(name)}
            >
              {name}
            </UnstyledButton>
          ))}
        </Paper>
      )}
      <Textarea
        ref={input}
        aria-label="Message"
        placeholder="Write a message; @12 links to frame 12"
        autosize
        maxRows={6}
        flex={1}
        maxLength={20_000}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          completion.moved();
        }}
        onKeyDown={press}
      />
      <ActionIcon
        variant="filled"
        color="iris"
        aria-label="Send"
        onClick={send}
        disabled={!text.trim()}
        loading={busy}
        size={30}
      >
        <IconSend size={15} />
      </ActionIcon>
    </Group>
  );
}
