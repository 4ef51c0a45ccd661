// Where something breaks, only that part is replaced, by a word on what happened.
import { Alert, Button, Stack, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { Component, type ReactNode } from "react";

export class ErrorNotice extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state = { error: null as Error | null };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    if (!this.state.error) return this.props.children;
    return <Trouble error={this.state.error} again={() => this.setState({ error: null })} />;
  }
}

export function Trouble({ error, again }: { error: unknown; again?: () => void }) {
  return (
    <Alert m="md" color="red" icon={<IconAlertTriangle size={18} />} title="This part could not be shown">
      <Stack gap="xs" align="flex-start">
        <Text size="sm" style={{ overflowWrap: "anywhere" }}>
          {error instanceof Error ? error.message : String(error)}
        </Text>
        {again && (
          <Button variant="default" onClick={again}>
            Try again
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
