// The icicle chart of a profile.
import { Alert, Loader, Stack } from "@mantine/core";
import { IconInfoCircle } from "@tabler/icons-react";
import { lazy, Suspense, useMemo } from "react";
import { ErrorAlert } from "@/components/ErrorBoundary";
import { type ProfileSelector, useStacks } from "./queries";
import { buildStackTree } from "./stackTree";

const IcicleChart = lazy(() => import("./IcicleChart"));

export function IcicleTab({ name, which }: { name: string; which: ProfileSelector }) {
  const stacks = useStacks(name, which);
  const tree = useMemo(() => stacks.data && buildStackTree(stacks.data, name), [stacks.data, name]);
  if (stacks.isLoadingError) return <ErrorAlert error={stacks.error} onRetry={() => stacks.refetch()} />;
  if (!tree) return <Loader size="sm" role="status" aria-label="Loading" />;
  const estimated = /estimate/i.test(
    `${stacks.data?.name} ${stacks.data?.profiles.map((one) => one.name).join(" ")}`,
  );
  return (
    <Stack gap="sm">
      {estimated && (
        <Alert p="xs" color="gray" icon={<IconInfoCircle size={16} />}>
          An estimate: only callers and callees were measured, so the time of a function is divided among its
          callers as their calls were.
        </Alert>
      )}
      <Suspense fallback={<Loader size="sm" />}>
        <IcicleChart tree={tree} />
      </Suspense>
    </Stack>
  );
}
