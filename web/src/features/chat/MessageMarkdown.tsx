// A message as markdown: no raw HTML, no images, external links open safely.
import { Anchor } from "@mantine/core";
import { memo } from "react";
import Markdown, { type Components } from "react-markdown";
import rehypeSanitize, { defaultSchema } from "rehype-sanitize";
import remarkGfm from "remark-gfm";
import { goTo, play } from "@/lib/room/playback";
import { FRAME_LINK, frameOfLink, remarkMentions } from "./mentions";

// Images are removed: loading one would reveal the reader to another host.
const schema = {
  ...defaultSchema,
  tagNames: (defaultSchema.tagNames ?? []).filter(
    (name) => !["img", "input", "picture", "source"].includes(name),
  ),
};

const components: Components = {
  a: ({ href, children }) => {
    const frame = frameOfLink(href);
    if (frame !== null)
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
          {children}
        </Anchor>
      );
    return (
      <Anchor href={href} target="_blank" rel="noopener noreferrer nofollow" fz="inherit">
        {children}
      </Anchor>
    );
  },
};

export const MessageMarkdown = memo(function MessageMarkdown({ text }: { text: string }) {
  return (
    <div className="wr-chat-message">
      <Markdown
        skipHtml
        remarkPlugins={[remarkGfm, remarkMentions]}
        rehypePlugins={[[rehypeSanitize, { ...schema, clobberPrefix: "chat-" }]]}
        urlTransform={(url) => (url.startsWith(FRAME_LINK) || /^(https?:|mailto:)/i.test(url) ? url : "")}
        components={components}
      >
        {text}
      </Markdown>
    </div>
  );
});
