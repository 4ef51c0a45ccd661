// A message as markdown, in which mentions of frames are links to them, and formulas are drawn.
import { Anchor } from "@mantine/core";
import { type ComponentProps, useEffect, useMemo, useState } from "react";
import type { ExtraProps } from "react-markdown";
import { isSafeUrl, Markdown, MarkdownLink } from "@/components/Markdown";
import { goTo, play } from "@/lib/room/playback";
import { FRAME_LINK, frameOfLink, remarkMentions } from "./frameLinks";
import { formulaKind, hasMath, remarkDollars } from "./mathText";

type MathModule = typeof import("./Formula");

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

let loadedMath: MathModule | null = null;

/** KaTeX, once it is loaded; until then, and if it cannot be loaded, formulas are shown as their source. */
function useMath(wanted: boolean): MathModule | null {
  const [math, setMath] = useState(loadedMath);
  useEffect(() => {
    if (!wanted || loadedMath) return;
    let current = true;
    import("./Formula").then(
      (module) => {
        loadedMath = module;
        if (current) setMath(module);
      },
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, [wanted]);
  return wanted ? (math ?? loadedMath) : null;
}

export function MessageMarkdown({ text }: { text: string }) {
  const math = useMath(hasMath(text));
  const formulas = useMemo(
    () =>
      math && {
        plugins: [math.remarkMath, remarkDollars, remarkMentions],
        components: formulaComponents(math),
      },
    [math],
  );
  return (
    <div className="wr-chat-text">
      <Markdown
        text={text}
        remarkPlugins={formulas?.plugins ?? PLUGINS}
        isLink={isLink}
        link={MessageLink}
        components={formulas?.components}
      />
    </div>
  );
}

type ElementNode = NonNullable<ExtraProps["node"]>;
const textOf = (node: ElementNode) =>
  node.children.map((child) => ("value" in child ? child.value : "")).join("");

function formulaComponents({ Formula }: MathModule) {
  return {
    code({ node, ...props }: ComponentProps<"code"> & ExtraProps) {
      const kind = formulaKind(props.className);
      if (!kind || !node) return <code {...props} />;
      const tex = textOf(node);
      return <Formula key={tex} tex={tex} display={kind === "display"} />;
    },
    pre({ node, ...props }: ComponentProps<"pre"> & ExtraProps) {
      const code = node?.children[0];
      if (code?.type !== "element" || !formulaKind(code.properties.className)) return <pre {...props} />;
      const tex = textOf(code);
      return <Formula key={tex} tex={tex} display />;
    },
  };
}
