import { Modal, Text } from "@mantine/core";
import { CodeBlock } from "@/components/CodeBlock";

export function PythonModal({ opened, close, code }: { opened: boolean; close: () => void; code: string }) {
  return (
    <Modal opened={opened} onClose={close} title="The same in Python" size="lg" centered>
      <Text size="sm" c="dimmed" mb="xs">
        Runs on any machine that can reach this server; it needs only `pip install workroom`.
      </Text>
      <CodeBlock code={code} label="Python" />
    </Modal>
  );
}
