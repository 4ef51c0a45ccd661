// A link may carry a token behind `#token=`: whoever follows it is signed in, and the address forgets it at once.
// What is behind `#` never reaches a server or its logs.
import { useSession } from "@/lib/session";

export async function arrive(): Promise<void> {
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  if (!token) return;
  history.replaceState(history.state, "", location.pathname + location.search);
  try {
    const answer = await fetch("/api/login/renew", {
      method: "POST",
      headers: { Authorization: `Bearer ${token}` },
    });
    if (answer.ok) useSession.getState().begin(await answer.json());
  } catch {
    // The server cannot be reached: the sign-in page says so.
  }
}
