// Run or save, and what else can be done with the values of a form.
import { Button, Group, Menu, Tooltip } from "@mantine/core";
import {
  IconBrandPython,
  IconChevronDown,
  IconClockPlay,
  IconGridDots,
  IconLink,
  IconPlayerPlay,
  IconRestore,
} from "@tabler/icons-react";
import type { RunBlockedReason } from "./runBlockedReason";

export function RunButtons(props: {
  name: string;
  formId: string;
  isSettings: boolean;
  busy: boolean;
  /** Why it cannot run now. */
  reason: RunBlockedReason | null;
  run: () => void;
  python: () => void;
  sweep: () => void;
  link: () => void;
  reset: () => void;
}) {
  const { reason, isSettings, name } = props;
  const blocked = reason !== null && !reason.canWait;
  return (
    <Group gap={0} wrap="nowrap">
      <Tooltip label={reason?.text ?? "Ctrl Enter"} disabled={!reason && isSettings} multiline maw={280}>
        <Button
          flex={1}
          type="submit"
          form={props.formId}
          loading={props.busy}
          leftSection={reason?.canWait ? <IconClockPlay size={15} /> : <IconPlayerPlay size={15} />}
          data-disabled={blocked ? true : undefined}
          aria-disabled={blocked}
          onClick={(event) => blocked && event.preventDefault()}
          style={{ borderTopRightRadius: 0, borderBottomRightRadius: 0 }}
          size="sm"
        >
          {isSettings ? "Save" : reason?.canWait ? "Queue" : "Run"}
        </Button>
      </Tooltip>
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <Button
            aria-label={`More about ${name}`}
            size="sm"
            px={8}
            style={{
              borderTopLeftRadius: 0,
              borderBottomLeftRadius: 0,
              borderLeft: "1px solid rgb(255 255 255 / 30%)",
            }}
          >
            <IconChevronDown size={15} />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconBrandPython size={15} />} onClick={props.python}>
            Copy as Python
          </Menu.Item>
          <Menu.Item leftSection={<IconLink size={15} />} onClick={props.link}>
            Copy link to this form
          </Menu.Item>
          {!isSettings && (
            <Menu.Item leftSection={<IconGridDots size={15} />} onClick={props.sweep}>
              Turn into a sweep
            </Menu.Item>
          )}
          {reason?.anyway && (
            <Menu.Item leftSection={<IconClockPlay size={15} />} onClick={props.run}>
              {reason.anyway}
            </Menu.Item>
          )}
          <Menu.Divider />
          <Menu.Item leftSection={<IconRestore size={15} />} onClick={props.reset}>
            Reset to defaults
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}
