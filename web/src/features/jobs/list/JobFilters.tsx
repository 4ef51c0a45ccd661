// Filters of the job table; the filter values are part of the address.
import { Button, Group, MultiSelect, Pill, Select, Switch, TextInput } from "@mantine/core";
import { IconSearch, IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { STATE_LABELS, STATES } from "@/components/jobs/StateBadge";
import { useExtensions } from "@/live/queries";
import classes from "./JobsPage.module.css";
import { filterOf, isFiltered, type JobsSearch } from "./jobsSearch";
import { TimeFilter } from "./TimeFilter";

const NONE: JobsSearch = {
  status: undefined,
  category: undefined,
  name: undefined,
  search: undefined,
  text: undefined,
  user: undefined,
  worker: undefined,
  since: undefined,
  until: undefined,
  errorType: undefined,
  errorPlace: undefined,
  single: undefined,
};

export function JobFilters({
  room,
  search,
  set,
  admin,
  mine,
}: {
  room: string | undefined;
  search: JobsSearch;
  set: (change: Partial<JobsSearch>) => void;
  admin: boolean;
  /** All shown jobs are those of the user. */
  mine: boolean;
}) {
  const extensions = useExtensions(room ?? "", room !== undefined);
  const categories = [...new Set(extensions.data?.map((one) => one.category))].sort();
  return (
    <Group p="sm" gap="sm" className={classes.filters}>
      <FilterText
        label="Search"
        placeholder="Search arguments and errors"
        width={210}
        icon={<IconSearch size={13} />}
        value={search.text}
        set={(text) => set({ text })}
      />
      <MultiSelect
        aria-label="State"
        placeholder={search.status?.length ? undefined : "Any state"}
        size="xs"
        miw={130}
        maw={420}
        data={STATES.map((state) => ({ value: state, label: STATE_LABELS[state]! }))}
        value={search.status ?? []}
        onChange={(status) => set({ status })}
        clearable
        clearButtonProps={{ "aria-label": "Any state" }}
      />
      {room !== undefined && (
        <Select
          aria-label="Category"
          placeholder="Any category"
          size="xs"
          w={140}
          data={[...new Set([...categories, ...(search.category ? [search.category] : [])])]}
          value={search.category ?? null}
          onChange={(category) => set({ category: category ?? undefined })}
          clearable
        />
      )}
      <FilterText
        label="Extension"
        placeholder="Any extension"
        width={140}
        value={search.search ?? search.name}
        set={(text) => set({ search: text, name: undefined })}
      />
      <TimeFilter since={search.since} until={search.until} set={set} />
      {!mine && (
        <FilterText
          label="User"
          placeholder="Any user"
          width={110}
          value={search.user}
          set={(user) => set({ user })}
        />
      )}
      <FilterText
        label="Worker"
        placeholder="Any worker"
        width={120}
        value={search.worker}
        set={(worker) => set({ worker })}
      />
      {/* The list of one user has no calls of postings. */}
      {!mine && (
        <Switch
          size="xs"
          label="Without calls of postings"
          checked={search.single ?? false}
          onChange={(event) => set({ single: event.currentTarget.checked || undefined })}
        />
      )}
      {admin && (
        <Select
          aria-label="Whose"
          size="xs"
          w={120}
          allowDeselect={false}
          data={[
            { value: "all", label: "All users" },
            { value: "mine", label: "Mine" },
          ]}
          value={search.of ?? "all"}
          onChange={(of) => set({ of: of === "mine" ? "mine" : undefined })}
        />
      )}
      {search.errorType && (
        <Pill
          withRemoveButton
          removeButtonProps={{ "aria-label": "Any error", "aria-hidden": false, tabIndex: 0 }}
          onRemove={() => set({ errorType: undefined, errorPlace: undefined })}
        >
          {search.errorType}
          {search.errorPlace && search.errorPlace !== "?" && ` at ${search.errorPlace}`}
        </Pill>
      )}
      {isFiltered(filterOf(search)) && (
        <Button variant="subtle" color="gray" leftSection={<IconX size={13} />} onClick={() => set(NONE)}>
          Clear
        </Button>
      )}
    </Group>
  );
}

/** A text that filters once Enter is pressed or the field is left. */
function FilterText({
  label,
  placeholder,
  width,
  value,
  set,
  icon,
}: {
  label: string;
  placeholder: string;
  width: number;
  value: string | undefined;
  set: (text: string | undefined) => void;
  icon?: ReactNode;
}) {
  return (
    <TextInput
      aria-label={label}
      placeholder={placeholder}
      size="xs"
      w={width}
      leftSection={icon}
      key={value}
      defaultValue={value ?? ""}
      maxLength={200}
      onBlur={(event) => {
        const text = event.currentTarget.value.trim();
        if (text !== (value ?? "")) set(text || undefined);
      }}
      onKeyDown={(event) => event.key === "Enter" && event.currentTarget.blur()}
    />
  );
}
