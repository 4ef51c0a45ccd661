// What an account or a room uses of its quotas.
import { Progress, Table, Text } from "@mantine/core";
import { bytes, count } from "@/lib/format";

interface Quota {
  name: string;
  meaning: string;
  used: number;
  limit: number | null;
}

export function QuotaTable({ quotas }: { quotas: Quota[] }) {
  return (
    <Table aria-label="Quotas" verticalSpacing={4}>
      <Table.Tbody>
        {quotas.map((quota) => {
          const shown = quota.name === "bytes" ? bytes : count;
          return (
            <Table.Tr key={quota.name}>
              <Table.Td>
                <Text size="sm" fw={560}>
                  {quota.name}
                </Text>
                <Text size="xs" c="dimmed">
                  {quota.meaning}
                </Text>
              </Table.Td>
              <Table.Td w={220}>
                <Text size="sm">
                  {shown(quota.used)}
                  {quota.limit === null ? ", no limit" : ` of ${shown(quota.limit)}`}
                </Text>
                {quota.limit !== null && (
                  <Progress
                    size="xs"
                    aria-label={`Used share of ${quota.name}`}
                    value={quota.limit ? Math.min(100, (100 * quota.used) / quota.limit) : 100}
                    color={quota.used >= 0.9 * quota.limit ? "red" : undefined}
                  />
                )}
              </Table.Td>
            </Table.Tr>
          );
        })}
      </Table.Tbody>
    </Table>
  );
}
