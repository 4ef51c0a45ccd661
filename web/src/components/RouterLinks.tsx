// Links to pages that look like the component library's, with the routes' types.
import { Anchor, type AnchorProps, Paper, type PaperProps } from "@mantine/core";
import { createLink } from "@tanstack/react-router";
import type { AnchorHTMLAttributes, Ref } from "react";

type Plain = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "style"> & { ref?: Ref<HTMLAnchorElement> };

function StyledAnchor({ ref, ...props }: AnchorProps & Plain) {
  return <Anchor ref={ref} {...props} />;
}

function Card({ ref, style, ...props }: PaperProps & Plain) {
  return (
    <Paper
      component="a"
      ref={ref}
      className="surface"
      radius="md"
      {...props}
      style={[{ textDecoration: "none", color: "inherit", display: "block", minWidth: 0 }, style]}
    />
  );
}

export const AnchorLink = createLink(StyledAnchor);
export const CardLink = createLink(Card);
