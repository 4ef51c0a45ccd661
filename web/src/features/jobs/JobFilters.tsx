// Filters of the job table; the filter values are part of the address.
import { Button, Group, MultiSelect, Select, TextInput } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { STATE_LABELS, STATES } from "@/components/StateBadge";
import { useExtensions } from "@/live/queries";
import classes from "./JobsPage.module.css";
import type { JobsSearch } from "./jobsSearch";
export function JobFilters({
  room,
  search,
  set,
  admin,
}: {
  room: string | undefined;
  search: JobsSearch;
  set: (change: Partial<JobsSearch>) => void;
  admin: boolean;
}) {
  const extensions = useExtensions(room ?? "", room !== undefined);
  const categories = [...new Set(extensions.data?.map((one) => one.category))].sort();
  const filtered = Boolean(search.status?.length || search.category || search.name || search.search);
  return (
    <Group p="sm" gap="sm" className={classes.filters}>
      <MultiSelect
        aria-label="State"
        placeholder={search.status?.length ? undefined : "Any state"}
        size="xs"
        miw={160}
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
          w={150}
          data={[...new Set([...categories, ...(search.category ? [search.category] : [])])]}
          value={search.category ?? null}
          onChange={(category) => set({ category: category ?? undefined })}
          clearable
        />
      )}
      <TextInput
        aria-label="Extension"
        placeholder="Any extension"
        size="xs"
        w={160}
        key={search.search ?? search.name}
        defaultValue={search.search ?? search.name ?? ""}
        onBlur={(event) => {
          const text = event.currentTarget.value.trim();
          if (text !== (search.search ?? search.name ?? ""))
            set({ search: text || undefined, name: undefined });
        }}
        onKeyDown={(event) => event.key === "Enter" && event.currentTarget.blur()}
      />
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
      {filtered && (
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconX size={13} />}
          onClick={() => set({ status: undefined, category: undefined, name: undefined, search: undefined })}
        >
          Clear
        </Button>
      )}
    </Group>
  );
}
