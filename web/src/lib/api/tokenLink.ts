// Signs in with a link that carries a token in its fragment (`#token=…`), and removes the token from the address.
// Browsers do not send the fragment to servers, so it appears in no log. `play` in the fragment starts playback.
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
