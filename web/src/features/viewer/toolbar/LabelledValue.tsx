// A label with the present value beside it, above the input that sets the value.
import { Group, Text } from "@mantine/core";

export function LabelledValue({
  label,
  value,
  children,
}: {
  label: string;
  value: string;
  children: React.ReactNode;
}) {
  return (
    <div>
      <Group justify="space-between" mb={4}>
        <Text size="sm" fw={500}>
          {label}
        </Text>
        <Text size="xs" c="dimmed" className="numbers">
          {value}
        </Text>
      </Group>
      {children}
    </div>
  );
}
