// Short words at the corner of the page.
import { notifications } from "@mantine/notifications";
import { Problem } from "@/lib/api/client";

export function notify(message: string, title?: string) {
  notifications.show({ message, title, color: "iris", autoClose: 4_000 });
}

export function notifyError(error: unknown, title?: string) {
  const message = error instanceof Error ? error.message : String(error);
  const unreachable = error instanceof Problem && error.code === "unreachable";
  notifications.show({
    id: unreachable ? "unreachable" : undefined,
    message,
    title: title ?? (unreachable ? "No connection" : "That did not work"),
    color: "red",
    autoClose: 8_000,
  });
}
