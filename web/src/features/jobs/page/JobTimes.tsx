// The time stamps and identifiers of a job.
import { Table, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { duration, moment } from "@/lib/format";
import type { JobDetail } from "@/live/jobs/jobPatches";

export function JobTimes({ job }: { job: JobDetail }) {
  const rows: [string, ReactNode][] = [
    ["Submitted", moment(job.createdAt)],
    ["Assigned", job.assignedAt && moment(job.assignedAt)],
    ["Started", job.startedAt && moment(job.startedAt)],
    ["Ended", job.finishedAt && moment(job.finishedAt)],
    ["Waited", job.waitTimeMs !== null && duration(job.waitTimeMs)],
    ["Ran", job.executionTimeMs !== null && duration(job.executionTimeMs)],
    ["Timeout", job.timeoutSeconds !== null && duration(job.timeoutSeconds * 1000)],
    ["Priority", job.priority],
    ["Tries left", job.triesLeft],
    [
      "Retry of",
      job.retryOf && (
        <Link key="retry" to="/jobs/$job" params={{ job: job.retryOf }}>
          the job before
        </Link>
      ),
    ],
    [
      "Posting",
      job.postingId && (
        <Link key="posting" to="/postings/$posting" params={{ posting: job.postingId }}>
          all its jobs
        </Link>
      ),
    ],
    [
      "Job",
      <Text key="id" span size="xs" ff="monospace">
        {job.jobId}
      </Text>,
    ],
  ];
  return (
    <Table withRowBorders={false} verticalSpacing={3} horizontalSpacing={0}>
      <Table.Tbody>
        {rows
          .filter(([, value]) => value !== null && value !== false && value !== undefined)
          .map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Td c="dimmed" w={120}>
                {name}
              </Table.Td>
              <Table.Td className="numbers">{value}</Table.Td>
            </Table.Tr>
          ))}
      </Table.Tbody>
    </Table>
  );
}
