import { Button, type ButtonProps, FileButton } from "@mantine/core";
import { IconFilePlus } from "@tabler/icons-react";

/** A button that chooses files on this computer. */
export function AddFileButton({
  label,
  busy,
  onFiles,
  ...more
}: { label: string; busy: boolean; onFiles: (files: File[]) => void } & ButtonProps) {
  return (
    <FileButton onChange={onFiles} multiple inputProps={{ "aria-label": `${label}: files` }}>
      {(props) => (
        <Button
          {...props}
          variant="default"
          leftSection={<IconFilePlus size={15} />}
          loading={busy}
          aria-label={label}
          {...more}
        >
          {label}
        </Button>
      )}
    </FileButton>
  );
}
