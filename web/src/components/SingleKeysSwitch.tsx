import { Switch } from "@mantine/core";
import { useSingleKeys } from "@/lib/shortcuts/singleKeys";

export function SingleKeysSwitch() {
  const { on, set } = useSingleKeys();
  return (
    <Switch
      label="Single keys are shortcuts"
      description="Letters and signs; keys with Ctrl, Escape, Space and arrows always are. Holds in this browser"
      checked={on}
      onChange={(event) => set(event.currentTarget.checked)}
    />
  );
}
