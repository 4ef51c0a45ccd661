// A field whose choices a worker answers. It asks again when a field that the answer depends on changes.
import { ActionIcon, Loader, MultiSelect, Select, Tooltip } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import type { FieldProps } from "@rjsf/utils";
import { IconRefresh } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api, Problem } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";
import { chosenValues } from "../formValues";
import type { FormContext } from "../validation/unparsedText";

const TYPING_MS = 300;

export function RemoteChoicesField(props: FieldProps) {
  const { formData, onChange, schema, uiSchema, fieldPathId, name, rawErrors, required, registry, disabled } =
    props;
  const context = registry.formContext as FormContext;
  const options = uiSchema?.["ui:options"] ?? {};
  const asked = useChoices(context, name, (options.dependsOn ?? []) as string[]);
  const many = schema.type === "array";
  const chosen = chosenValues(formData, many);
  const known = asked.data?.choices ?? [];
  // A value that is not among the answered choices stays visible.
  const missing = chosen.filter((value) => !known.some((one) => one.value === value));
  const all = [...known, ...missing.map((value) => ({ value, label: String(value) }))];
  const data = all.map((one, at) => ({ value: String(at), label: one.label }));
  const places = chosen.map((value) => String(all.findIndex((one) => one.value === value)));
  const label = schema.title ?? name;
  const answer = asked.isError
    ? asked.error instanceof Problem
      ? asked.error.message
      : "The choices could not be asked for."
    : null;
  const isOld = asked.isSuccess && !asked.isFetching && missing.length > 0;
  const common = {
    id: fieldPathId.$id,
    label,
    description: schema.description,
    size: "xs" as const,
    withAsterisk: required && schema.default === undefined,
    data,
    searchable: true,
    disabled,
    error:
      answer ??
      (isOld ? `${missing.join(", ")}: not among the choices any more` : Boolean(rawErrors?.length)),
    placeholder: asked.isFetching ? "asking a worker …" : options.nullable ? "none" : "choose",
    nothingFoundMessage: asked.isFetching ? "Asking a worker …" : "No choices",
    comboboxProps: { withinPortal: true },
    rightSectionPointerEvents: "all" as const,
    rightSection: asked.isFetching ? (
      <Loader size={14} aria-label={`Asking for the choices of ${label}`} />
    ) : (
      <Tooltip label="Ask again">
        <ActionIcon
          size="sm"
          aria-label={`Ask again for the choices of ${label}`}
          onClick={() => void asked.refetch()}
        >
          <IconRefresh size={13} />
        </ActionIcon>
      </Tooltip>
    ),
  };
  if (many)
    return (
      <MultiSelect
        {...common}
        value={places}
        onChange={(next) =>
          onChange(
            next.map((at) => all[Number(at)]!.value),
            fieldPathId.path,
          )
        }
      />
    );
  return (
    <Select
      {...common}
      value={places[0] ?? null}
      allowDeselect={Boolean(options.nullable)}
      onChange={(next) => onChange(next === null ? undefined : all[Number(next)]!.value, fieldPathId.path)}
    />
  );
}

function useChoices({ room, extension, data }: FormContext, field: string, dependsOn: string[]) {
  const values = (data ?? {}) as Record<string, unknown>;
  const narrowed = JSON.stringify(Object.fromEntries(dependsOn.map((one) => [one, values[one] ?? null])));
  const [key] = useDebouncedValue(narrowed, TYPING_MS);
  const { category = "", name = "", scope = "", schemaHash = "" } = extension ?? {};
  return useQuery({
    queryKey: queryKeys.room(room, "choices", scope, category, name, schemaHash, field, key),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    retry: false,
    enabled: extension !== null,
    queryFn: async ({ signal }) =>
      (
        await api.POST("/api/rooms/{room}/extensions/{category}/{name}/choices", {
          params: { path: { room, category, name } },
          body: { field, data: values, scope },
          signal,
        })
      ).data!,
  });
}
