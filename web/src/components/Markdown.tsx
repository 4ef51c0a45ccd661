// Text as markdown: no raw HTML, no images, links open in another tab.
import { Anchor } from "@mantine/core";
import { memo, type ReactNode } from "react";
import ReactMarkdown, { type Options } from "react-markdown";
import rehypeSanitize, { defaultSchema } from "rehype-sanitize";
import remarkGfm from "remark-gfm";
import classes from "./Markdown.module.css";

// Images are removed: loading one would reveal the reader to another host.
const schema = {
  ...defaultSchema,
  tagNames: (defaultSchema.tagNames ?? []).filter(
    (name) => !["img", "input", "picture", "source"].includes(name),
  ),
  clobberPrefix: "markdown-",
};

export const isSafeUrl = (url: string) => /^(https?:|mailto:)/i.test(url);

export function MarkdownLink({ href, children }: { href?: string; children?: ReactNode }) {
  return (
    <Anchor href={href} target="_blank" rel="noopener noreferrer nofollow" fz="inherit">
      {children}
    </Anchor>
  );
}

export const Markdown = memo(function Markdown({
  text,
  remarkPlugins = [],
  isLink = isSafeUrl,
  link = MarkdownLink,
  components,
}: {
  text: string;
  remarkPlugins?: NonNullable<Options["remarkPlugins"]>;
  /** Whether an address may be linked. */
  isLink?: (url: string) => boolean;
  link?: typeof MarkdownLink;
  /** What other elements are shown as. */
  components?: Options["components"];
}) {
  return (
    <div className={classes.text}>
      <ReactMarkdown
        skipHtml
        remarkPlugins={[remarkGfm, ...remarkPlugins]}
        rehypePlugins={[[rehypeSanitize, schema]]}
        urlTransform={(url) => (isLink(url) ? url : "")}
        components={{ ...components, a: link }}
      >
        {text}
      </ReactMarkdown>
    </div>
  );
});

/** The first line of markdown as plain text, for a place with one line. */
export const MarkdownLine = memo(function MarkdownLine({ text }: { text: string }) {
  return (
    <ReactMarkdown skipHtml remarkPlugins={[remarkGfm]} allowedElements={[]} unwrapDisallowed>
      {text.trim().split("\n", 1)[0]}
    </ReactMarkdown>
  );
});
