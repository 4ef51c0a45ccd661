// The profile of one posted function: costs, callers and callees, an icicle chart, and a comparison.
import { Group, Loader, Paper, Select, Stack, Tabs } from "@mantine/core";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { ErrorAlert } from "@/components/ErrorBoundary";
import { Page } from "@/components/Page";
import { fineDuration, plural } from "@/lib/format";
import { choiceParam, withoutEmpty } from "@/lib/searchParams";
import { CallersAndCallees, CostsTab } from "./CostsTab";
import { DiffTab } from "./DiffTab";
import { IcicleTab } from "./IcicleTab";
import { Downloads } from "./ProfileDownloads";
import { PROFILE_TABS, type ProfileSearch } from "./profileSearch";
import { type ProfileSelector, useProfiledFunctions, useTop } from "./queries";
export default function ProfilePage() {
  const { function: name } = useParams({ from: "/in/profiles/$function" });
  const search = useSearch({ from: "/in/profiles/$function" });
  const navigate = useNavigate();
  const which: ProfileSelector = { version: search.version, machine: search.machine };
  const top = useTop(name, which);
  const profiled = useProfiledFunctions();
  const about = profiled.data?.find((one) => one.function === name);
  const set = (change: ProfileSearch) =>
    void navigate({
      to: "/profiles/$function",
      params: { function: name },
      search: withoutEmpty({ ...search, ...change }),
      replace: true,
    });

  return (
    <Page
      title={name}
      subtitle={
        top.data
          ? `${plural(top.data.executions, "execution")} measured, ${fineDuration(top.data.totalMs)} in all, ${fineDuration(top.data.totalMs / Math.max(1, top.data.executions))} each`
          : " "
      }
      actions={<Downloads name={name} />}
    >
      {top.isLoadingError && <ErrorAlert error={top.error} onRetry={() => top.refetch()} />}
      {!top.data && !top.error && <Loader size="sm" role="status" aria-label="Loading" />}
      {top.data && (
        <Stack gap="md">
          {about && (about.codeVersions.length > 1 || about.machines.length > 1) && (
            <Group gap="sm">
              <Select
                aria-label="Version"
                placeholder="All versions"
                clearable
                size="xs"
                data={about.codeVersions}
                value={search.version ?? null}
                onChange={(version) => set({ version: version ?? undefined })}
              />
              <Select
                aria-label="Machine"
                placeholder="All machines"
                clearable
                size="xs"
                data={about.machines}
                value={search.machine ?? null}
                onChange={(machine) => set({ machine: machine ?? undefined })}
              />
            </Group>
          )}
          <Paper className="surface" radius="md">
            <Tabs
              value={search.tab ?? "table"}
              keepMounted={false}
              onChange={(tab) => set({ tab: choiceParam(tab, PROFILE_TABS) })}
            >
              <Tabs.List px="sm">
                <Tabs.Tab value="table">Functions</Tabs.Tab>
                <Tabs.Tab value="icicle">Icicle</Tabs.Tab>
                <Tabs.Tab value="diff">Compare</Tabs.Tab>
              </Tabs.List>
              <Tabs.Panel value="table" p="md">
                <CostsTab
                  items={top.data.items}
                  total={top.data.totalMs}
                  of={search.of}
                  pick={(of) => set({ of: search.of === of ? undefined : of })}
                />
                {search.of && <CallersAndCallees name={name} which={which} of={search.of} />}
              </Tabs.Panel>
              <Tabs.Panel value="icicle" p="md">
                <IcicleTab name={name} which={which} />
              </Tabs.Panel>
              <Tabs.Panel value="diff" p="md">
                <DiffTab name={name} about={about} search={search} set={set} />
              </Tabs.Panel>
            </Tabs>
          </Paper>
        </Stack>
      )}
    </Page>
  );
}
