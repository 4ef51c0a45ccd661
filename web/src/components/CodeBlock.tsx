import { ActionIcon, Box, CopyButton, Tooltip } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import classes from "./CodeBlock.module.css";

/** Text to copy, without syntax colours. */
export function CodeBlock({ code, label, maxHeight }: { code: string; label?: string; maxHeight?: number }) {
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
      <CopyButton value={code} timeout={1500}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? "Copied" : "Copy"}>
            <ActionIcon className={classes.copy} onClick={copy} aria-label="Copy" size="sm" variant="default">
              {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </Box>
  );
}
