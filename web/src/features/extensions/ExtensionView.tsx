// One extension: its form, its running jobs and its latest jobs.
import { ActionIcon, Alert, Badge, Box, Button, Group, Stack, Text, Title, Tooltip } from "@mantine/core";
import type { ErrorSchema } from "@rjsf/utils";
import { IconArrowLeft, IconInfoCircle } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from "react";
import { EmptyState } from "@/components/EmptyState";
import { ExtensionForm } from "@/components/form/ExtensionForm";
import { fittingValues, withDefaults, withoutSecrets } from "@/components/form/formValues";
import { normaliseSchema } from "@/components/form/normalise/normaliseSchema";
import { toRequestData } from "@/components/form/requestData";
import { useFormValues } from "@/components/form/useFormValues";
import { placeFaults, serverFaults } from "@/components/form/validation/placeFaults";
import { validationFaults } from "@/components/form/validation/pydanticFaults";
import { UnparsedFields } from "@/components/form/validation/unparsedText";
import { Markdown } from "@/components/Markdown";
import { api, Problem, type Schemas } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";
import { copyText } from "@/lib/copyText";
import { extensionName } from "@/lib/jobs/extensionPath";
import { runSnippet } from "@/lib/jobs/pythonSnippet";
import { notify, notifyError } from "@/lib/notifications";
import { rootPath, serverUrl } from "@/lib/rootPath";
import { useNow } from "@/lib/useNow";
import { useJob, useRoomInfo } from "@/live/queries";
import { SelectionOwnerNote } from "@/live/room/SelectionOwnerNote";
import { useWriteBlockedReason } from "@/live/room/writeBlockedReason";
import { ExtensionHistory, SubmittedJob } from "./ExtensionHistory";
import { categoryTitle, WorkerCount } from "./ExtensionList";
import classes from "./ExtensionView.module.css";
import { PythonModal } from "./PythonModal";
import { readAddress, writeAddress } from "./page/addressValues";
import { FormResult } from "./page/FormResult";
import { PresetMenu } from "./presets/PresetMenu";
import { RemoveButton } from "./RemoveButton";
import { RunButtons } from "./RunButtons";
import { runBlockedReason } from "./runBlockedReason";
import { useRunShortcut } from "./useRunShortcut";

const SweepModal = lazy(() => import("./sweep/SweepModal"));

type Extension = Schemas["ExtensionInfo"];

interface Props {
  room: string;
  address: string;
  extension: Extension | undefined;
  offered: boolean;
  /** The values in the address of a page that shows this form alone. */
  given?: Record<string, unknown>;
  back: () => void;
}

export default function ExtensionView({ address, extension, ...rest }: Props) {
  if (!extension)
    return (
      <Box p="xs">
        <Button variant="subtle" color="gray" leftSection={<IconArrowLeft size={14} />} onClick={rest.back}>
          All extensions
        </Button>
        <EmptyState icon={IconInfoCircle} title={`${address} is not here`}>
          It was removed, or never offered here. Its form appears when a worker offers it.
        </EmptyState>
      </Box>
    );
  return <RunForm extension={extension} {...rest} />;
}

function RunForm({
  room,
  extension,
  offered,
  given,
  back,
}: Omit<Props, "address" | "extension"> & { extension: Extension }) {
  const { category, name, scope, schema } = extension;
  const of = { room, category, name, scope };
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
  const { schemaHash } = extension;
  const memory = useMemo(
    () => (isSettings || given ? null : { room, scope, category, name, schemaHash }),
    [isSettings, given, room, scope, category, name, schemaHash],
  );
  const address = useMemo(() => given && readAddress(schema, shape, given), [schema, shape, given]);
  const form = useFormValues({ schema, shape }, memory, address?.values ?? stored.data);
  const [unparsed] = useState(() => new UnparsedFields());
  const [unparsedText, setUnparsedText] = useState<string | null>(null);
  const [resets, setResets] = useState(0);
  const [serverErrors, setServerErrors] = useState<ErrorSchema>({});
  const [python, setPython] = useState(false);
  const [sweep, setSweep] = useState(false);
  const info = useRoomInfo(room);
  const now = useNow(10_000);
  const writeBlocked = useWriteBlockedReason(room, "trajectory");
  const reason = runBlockedReason(extension, offered, info.data?.rights, writeBlocked, now);
  // The list that had the focus is gone: the keyboard goes on from the form.
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
  }, []);
  const formId = `form-${category}-${name}`;
  const requestData = () => (toRequestData(shape, form.data) ?? {}) as Record<string, unknown>;

  const shownData = () => withoutSecrets(shape, requestData()) as Record<string, unknown>;
  // Keys of mappings and JSON texts are in the state of their fields, which only a new form renews.
  const hasOwnState = useMemo(
    () => /"additionalProperties"|"ui:field":"json"/.test(JSON.stringify(shape.uiSchema)),
    [shape],
  );

  const submitting = useRef(false);
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
    onSettled: () => {
      submitting.current = false;
    },
    onSuccess: (accepted) => {
      if (accepted.jobId === null) notify("Your values are saved for this room.", name);
    },
    onError: (error) => {
      if (error instanceof Problem && error.fieldErrors.length)
        setServerErrors(placeFaults(shape, serverFaults(error.fieldErrors)));
      else notifyError(error, `${name} was not submitted`);
    },
  });

  // The validators of a class run in its worker: what they refuse is shown at the fields that it concerns.
  const submitted = submit.data?.jobId ?? "";
  const { data: job } = useJob(submitted, submitted !== "");
  const jobError = job?.jobId === submitted ? job.error : null;
  useEffect(() => {
    const faults = jobError ? validationFaults(jobError) : [];
    if (faults.length) setServerErrors(placeFaults(shape, faults));
  }, [jobError, shape]);

  const isParsed = () => {
    const text = unparsed.focusFirst();
    setUnparsedText(text);
    return text === null;
  };
  const change = (next: unknown) => {
    form.change(next);
    setUnparsedText(null);
    setServerErrors({});
  };
  /** Start again from these values and the defaults. */
  const renew = (from: Record<string, unknown>) => {
    change(withDefaults(schema, shape, fittingValues(schema, shape, from)));
    setResets((count) => count + 1);
  };
  const copyLink = async () => {
    const path = [room, "forms", category, extensionName(extension)].map(encodeURIComponent).join("/");
    const values = writeAddress(schema, shape, form.data);
    const query = values.size ? `?${values}` : "";
    if (await copyText(`${location.origin}${rootPath}/rooms/${path}${query}`))
      notify("The link is copied. It opens the form with these values.", name);
  };
  const run = () => (document.getElementById(formId) as HTMLFormElement | null)?.requestSubmit();
  useRunShortcut(formId, () => (!reason || reason.canWait) && run());

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
            <Title
              order={3}
              ref={heading}
              tabIndex={-1}
              style={{ overflowWrap: "anywhere", outline: "none" }}
            >
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
      {address && address.refused.length > 0 && (
        <Alert p="xs" color="yellow" role="alert">
          The address has values that no field of {name} takes: {address.refused.join(", ")}
        </Alert>
      )}
      {!isSettings && (
        <PresetMenu
          room={room}
          extension={extension}
          rights={info.data?.rights}
          present={() => (isParsed() ? shownData() : null)}
          apply={renew}
        />
      )}
      {(!isSettings || stored.isSuccess) && (
        <ExtensionForm
          key={`${resets} ${hasOwnState ? extension.schemaHash : ""}`}
          room={room}
          formId={formId}
          extension={extension}
          schema={schema}
          shape={shape}
          data={form.data}
          unparsed={unparsed}
          serverErrors={serverErrors}
          onChange={change}
          onUnparsed={setUnparsedText}
          onSubmit={(formData) => {
            setUnparsedText(null);
            // The button is disabled a moment later, and a shortcut has no button.
            if (submitting.current) return;
            submitting.current = true;
            submit.mutate(formData);
          }}
        />
      )}
      <Stack gap="sm" className={classes.actions}>
        {!isSettings && <SelectionOwnerNote room={room} forRun />}
        {reason && (
          <Alert p="xs" color="gray" icon={<IconInfoCircle size={16} />} role="status" data-testid="reason">
            {reason.text}
            {offered && extension.removable && <RemoveButton room={room} extension={extension} />}
          </Alert>
        )}
        {unparsedText !== null && (
          <Alert p="xs" color="red" role="alert">
            {unparsedText}
          </Alert>
        )}
        <RunButtons
          name={name}
          formId={formId}
          isSettings={isSettings}
          busy={submit.isPending}
          reason={reason}
          run={run}
          python={() => isParsed() && setPython(true)}
          sweep={() => isParsed() && setSweep(true)}
          link={() => isParsed() && void copyLink()}
          reset={() => renew({})}
        />
        {!given && submitted && <SubmittedJob {...of} job={submitted} />}
      </Stack>
      {given && submitted && <FormResult room={room} job={submitted} />}
      {!isSettings && <ExtensionHistory {...of} shown={submitted} />}
      <PythonModal
        opened={python}
        close={() => setPython(false)}
        code={python ? runSnippet({ room, url: serverUrl, category, name, data: shownData() }) : ""}
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
