// A link may carry a token behind `#token=`: whoever follows it is signed in, and the address forgets it at once.
// What is behind `#` never reaches a server or its logs. With `play` in it the trajectory plays as soon as it is there.
import { useSession } from "@/lib/session";

export const arrival = { play: false };

export async function arrive(): Promise<void> {
  const wishes = new URLSearchParams(location.hash.slice(1));
  const token = wishes.get("token");
  if (!token) return;
  arrival.play = wishes.has("play");
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
