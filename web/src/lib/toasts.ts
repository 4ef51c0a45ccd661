// Short words at the corner of the page.
import { notifications } from "@mantine/notifications";
import { Problem } from "@/lib/api";

export function tell(message: string, title?: string) {
  notifications.show({ message, title, color: "iris", autoClose: 4_000 });
}

export function tellProblem(error: unknown, title?: string) {
  const message = error instanceof Error ? error.message : String(error);
  const gone = error instanceof Problem && error.code === "unreachable";
  notifications.show({
    id: gone ? "unreachable" : undefined,
    message,
    title: title ?? (gone ? "No connection" : "That did not work"),
    color: "red",
    autoClose: 8_000,
  });
}
