// A message as markdown, in which mentions of frames are links to them.
import { Anchor } from "@mantine/core";
import type { ComponentProps } from "react";
import { isSafeUrl, Markdown, MarkdownLink } from "@/components/Markdown";
import { goTo, play } from "@/lib/room/playback";
import { FRAME_LINK, frameOfLink, remarkMentions } from "./mentions";

const PLUGINS = [remarkMentions];
const isLink = (url: string) => url.startsWith(FRAME_LINK) || isSafeUrl(url);

function MessageLink(props: ComponentProps<typeof MarkdownLink>) {
  const frame = frameOfLink(props.href);
  if (frame === null) return <MarkdownLink {...props} />;
  return (
    <Anchor
      component="button"
      type="button"
      fz="inherit"
      onClick={() => {
        play(false);
        goTo(frame);
      }}
    >
      {props.children}
    </Anchor>
  );
}

export function MessageMarkdown({ text }: { text: string }) {
  return <Markdown text={text} remarkPlugins={PLUGINS} isLink={isLink} link={MessageLink} />;
}
