import { Modal, Text } from "@mantine/core";
import { CodeBlock } from "@/components/CodeBlock";

export function PythonModal({ opened, close, code }: { opened: boolean; close: () => void; code: string }) {
  return (
    <Modal opened={opened} onClose={close} title="The same in Python" size="lg" centered>
      <Text size="sm" c="dimmed" mb="xs">
        Runs wherever this server can be reached; `pip install workroom` is all it needs.
      </Text>
      <CodeBlock code={code} label="Python" />
    </Modal>
  );
}
