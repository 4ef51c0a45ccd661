// A link may carry a token behind `#token=`: whoever follows it is signed in, and the address forgets it at once.
// What is behind `#` never reaches a server or its logs. With `play` in it the trajectory plays as soon as it is there.
import { useSession } from "@/lib/api/session";

export const tokenLink = { play: false };

export async function signInFromTokenLink(): Promise<void> {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const token = fragment.get("token");
  if (!token) return;
  tokenLink.play = fragment.has("play");
  history.replaceState(history.state, "", location.pathname + location.search);
  try {
    const response = await fetch("/api/login/renew", {
      method: "POST",
      headers: { Authorization: `Bearer ${token}` },
    });
    if (response.ok) useSession.getState().begin(await response.json());
  } catch {
    // The server cannot be reached: the sign-in page says so.
  }
}
