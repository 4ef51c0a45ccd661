import { ActionIcon, Box, Tooltip } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { copyText } from "@/lib/copyText";
import classes from "./CodeBlock.module.css";

const COPIED_MS = 1_500;

/** Text to copy, without syntax colours. */
export function CodeBlock({ code, label, maxHeight }: { code: string; label?: string; maxHeight?: number }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <Box className={classes.frame}>
      <pre
        className={classes.code}
        style={{ maxHeight }}
        role="region"
        aria-label={label ?? "Code"}
        tabIndex={0}
      >
        {code}
      </pre>
      <Tooltip label={copied ? "Copied" : "Copy"}>
        <ActionIcon
          className={classes.copy}
          onClick={async () => setCopied(await copyText(code))}
          aria-label={copied ? "Copied" : "Copy"}
          size="sm"
          variant="default"
        >
          {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
        </ActionIcon>
      </Tooltip>
    </Box>
  );
}
