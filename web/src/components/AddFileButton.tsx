import { Button, type ButtonProps, FileButton } from "@mantine/core";
import { IconFilePlus } from "@tabler/icons-react";

/** A button that chooses files on this computer. */
export function AddFileButton({
  label,
  busy,
  short = false,
  onFiles,
  ...more
}: {
  label: string;
  busy: boolean;
  /** Show the icon alone. */
  short?: boolean;
  onFiles: (files: File[]) => void;
} & ButtonProps) {
  return (
    <FileButton onChange={onFiles} multiple inputProps={{ "aria-label": `${label}: files` }}>
      {(props) => (
        <Button
          {...props}
          variant="default"
          leftSection={short ? undefined : <IconFilePlus size={15} />}
          px={short ? 7 : undefined}
          loading={busy}
          aria-label={label}
          {...more}
        >
          {short ? <IconFilePlus size={17} aria-hidden /> : label}
        </Button>
      )}
    </FileButton>
  );
}
