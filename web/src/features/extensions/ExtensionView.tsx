// One extension: its form, its running jobs and its latest jobs.
import {
  ActionIcon,
  Alert,
  Badge,
  Box,
  Button,
  Group,
  Menu,
  Stack,
  Text,
  Title,
  Tooltip,
} from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import type { ErrorSchema } from "@rjsf/utils";
import {
  IconArrowLeft,
  IconBrandPython,
  IconChevronDown,
  IconClockPlay,
  IconGridDots,
  IconInfoCircle,
  IconPlayerPlay,
  IconRestore,
} from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useMemo, useState } from "react";
import { EmptyState } from "@/components/EmptyState";
import { Markdown } from "@/components/Markdown";
import { api, Problem, type Schemas } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";
import { runSnippet } from "@/lib/jobs/pythonSnippet";
import { notify, notifyError } from "@/lib/notifications";
import { useRoomInfo } from "@/live/queries";
import { ExtensionHistory } from "./ExtensionHistory";
import { categoryTitle, WorkerCount } from "./ExtensionList";
import classes from "./ExtensionView.module.css";
import { ExtensionForm } from "./form/ExtensionForm";
import { placeFaults, serverFaults } from "./form/faults";
import { withDefaults, withoutSecrets } from "./form/formValues";
import { normaliseSchema } from "./form/normaliseSchema";
import { toRequestData } from "./form/requestData";
import { focusUnparsed } from "./form/unparsedText";
import { useFormValues } from "./form/useFormValues";
import { PythonModal } from "./PythonModal";
import { runBlockedReason } from "./runBlockedReason";

const SweepModal = lazy(() => import("./sweep/SweepModal"));

type Extension = Schemas["ExtensionInfo"];

interface Props {
  room: string;
  address: string;
  extension: Extension | undefined;
  offered: boolean;
  back: () => void;
}

export default function ExtensionView({ room, address, extension, offered, back }: Props) {
  if (!extension)
    return (
      <Box p="xs">
        <Button variant="subtle" color="gray" leftSection={<IconArrowLeft size={14} />} onClick={back}>
          All extensions
        </Button>
        <EmptyState icon={IconInfoCircle} title={`${address} is not here`}>
          No worker offers this extension now. Its form appears again when a worker does.
        </EmptyState>
      </Box>
    );
  return <RunForm room={room} extension={extension} offered={offered} back={back} />;
}

function RunForm({
  room,
  extension,
  offered,
  back,
}: Omit<Props, "address" | "extension"> & { extension: Extension }) {
  const { category, name, scope, schema } = extension;
  const isSettings = category === "settings";
  const shape = useMemo(() => normaliseSchema(schema), [schema]);
  const stored = useQuery({
    queryKey: queryKeys.room(room, "settings", category, name),
    enabled: isSettings,
    queryFn: async ({ signal }) =>
      (
        await api.GET("/api/rooms/{room}/extensions/{category}/{name}/values", {
          params: { path: { room, category, name } },
          signal,
        })
      ).data!,
  });
  const storageKey = isSettings ? null : `workroom.values.${room}/${scope}/${category}/${name}`;
  const values = useFormValues({ schema, shape }, storageKey, stored.data);
  const [unparsed] = useState(() => new Set<string>());
  const [resets, setResets] = useState(0);
  const [serverErrors, setServerErrors] = useState<ErrorSchema>({});
  const [python, setPython] = useState(false);
  const [sweep, setSweep] = useState(false);
  const info = useRoomInfo(room);
  const reason = runBlockedReason(extension, offered, info.data?.rights);
  const formId = `form-${category}-${name}`;
  const requestData = () => (toRequestData(shape, values.data) ?? {}) as Record<string, unknown>;

  const shownData = () => withoutSecrets(shape, requestData()) as Record<string, unknown>;
  // Keys of mappings and JSON texts are in the state of their fields, which only a new form renews.
  const hasOwnState = useMemo(
    () => /"additionalProperties"|"ui:field":"json"/.test(JSON.stringify(shape.uiSchema)),
    [shape],
  );

  const submit = useMutation({
    meta: { quiet: true },
    mutationFn: async (formData: Record<string, unknown>) =>
      (
        await api.POST("/api/rooms/{room}/extensions/{category}/{name}/submit", {
          params: { path: { room, category, name } },
          body: { data: formData, scope },
        })
      ).data!,
    onMutate: () => setServerErrors({}),
    onSuccess: (accepted) => {
      if (accepted.jobId === null) notify("Your values are saved for this room.", name);
    },
    onError: (error) => {
      if (error instanceof Problem && error.fieldErrors.length)
        setServerErrors(placeFaults(shape, serverFaults(error.fieldErrors)));
      else notifyError(error, `${name} was not submitted`);
    },
  });

  const change = (next: unknown) => {
    values.change(next);
    setServerErrors({});
  };
  const reset = () => {
    change(withDefaults(schema, shape, {}));
    setResets((count) => count + 1);
  };
  const run = () => (document.getElementById(formId) as HTMLFormElement | null)?.requestSubmit();
  useHotkeys([["mod+Enter", () => !reason && run()]], []);

  return (
    <Stack gap="sm" p="sm" maw={620}>
      <Group gap={6} wrap="nowrap" align="flex-start">
        <Tooltip label="All extensions">
          <ActionIcon aria-label="All extensions" onClick={back} mt={-2}>
            <IconArrowLeft size={16} />
          </ActionIcon>
        </Tooltip>
        <Box style={{ flex: 1, minWidth: 0 }}>
          <Group gap={8} wrap="nowrap">
            <Title order={3} style={{ overflowWrap: "anywhere" }}>
              {name}
            </Title>
            <Box style={{ flex: 1 }} />
            {scope !== "room" && (
              <Badge size="xs" variant="default" c="dimmed" fw={500}>
                {scope}
              </Badge>
            )}
            {offered && <WorkerCount extension={extension} />}
          </Group>
          <Text size="xs" c="dimmed">
            {categoryTitle(category)}
          </Text>
        </Box>
      </Group>
      {typeof schema.description === "string" && <Markdown text={schema.description} />}
      {(!isSettings || stored.isSuccess) && (
        <ExtensionForm
          key={`${resets} ${hasOwnState ? extension.schemaHash : ""}`}
          room={room}
          formId={formId}
          schema={schema}
          shape={shape}
          data={values.data}
          unparsed={unparsed}
          serverErrors={serverErrors}
          onChange={change}
          onSubmit={(formData) => submit.mutate(formData)}
        />
      )}
      <Stack gap="sm" className={classes.actions}>
        {reason && (
          <Alert p="xs" color="gray" icon={<IconInfoCircle size={16} />} role="status" data-testid="reason">
            {reason.text}
          </Alert>
        )}
        <Group gap={0} wrap="nowrap">
          <Tooltip label={reason?.text ?? "Ctrl Enter"} disabled={!reason && isSettings} multiline maw={280}>
            <Button
              flex={1}
              type="submit"
              form={formId}
              loading={submit.isPending}
              leftSection={<IconPlayerPlay size={15} />}
              data-disabled={reason ? true : undefined}
              aria-disabled={Boolean(reason)}
              onClick={(event) => reason && event.preventDefault()}
              style={{ borderTopRightRadius: 0, borderBottomRightRadius: 0 }}
              size="sm"
            >
              {isSettings ? "Save" : "Run"}
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
              <Menu.Item
                leftSection={<IconBrandPython size={15} />}
                onClick={() => !focusUnparsed(unparsed) && setPython(true)}
              >
                Copy as Python
              </Menu.Item>
              {!isSettings && (
                <Menu.Item
                  leftSection={<IconGridDots size={15} />}
                  onClick={() => !focusUnparsed(unparsed) && setSweep(true)}
                >
                  Turn into a sweep
                </Menu.Item>
              )}
              {reason?.canWait && (
                <Menu.Item leftSection={<IconClockPlay size={15} />} onClick={run}>
                  Queue it until a worker is online
                </Menu.Item>
              )}
              <Menu.Divider />
              <Menu.Item leftSection={<IconRestore size={15} />} onClick={reset}>
                Reset to defaults
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </Group>
      </Stack>
      {!isSettings && <ExtensionHistory room={room} category={category} name={name} />}
      <PythonModal
        opened={python}
        close={() => setPython(false)}
        code={python ? runSnippet({ room, url: location.origin, category, name, data: shownData() }) : ""}
      />
      {sweep && (
        <Suspense>
          <SweepModal
            room={room}
            extension={extension}
            shape={shape}
            data={requestData()}
            shownData={shownData()}
            close={() => setSweep(false)}
          />
        </Suspense>
      )}
    </Stack>
  );
}
