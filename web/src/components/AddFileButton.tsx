import { Button, type ButtonProps, FileButton } from "@mantine/core";
import { IconFilePlus } from "@tabler/icons-react";
import { useRef } from "react";

/** What `FileButton` needs so that the same file can be chosen again, e.g. after it was corrected. */
export function useFileChoice(choose: (files: File[]) => void) {
  const resetRef = useRef<() => void>(null);
  const onChange = (files: File[]) => {
    choose(files);
    resetRef.current?.(); // the browser tells of no change while the input still has a file of this name
  };
  return { resetRef, onChange, multiple: true as const };
}

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
  const choice = useFileChoice(onFiles);
  return (
    <FileButton {...choice} inputProps={{ "aria-label": `${label}: files` }}>
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
