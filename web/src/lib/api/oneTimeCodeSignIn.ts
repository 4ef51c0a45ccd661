// Signs in with a link that carries a one-time code in its fragment (`#code=…`), and removes the code from the address.
// Browsers do not send the fragment to servers, so it appears in no log. `play` in the fragment starts playback,
// `panel` names the panel in front, and `tour` starts the tour of the room.
import { useSession } from "@/lib/api/session";
import { rootPath } from "@/lib/rootPath";

export const signInLink: { play: boolean; panel: string | null; tour: boolean } = {
  play: false,
  panel: null,
  tour: false,
};

export async function signInFromLink(): Promise<void> {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const code = fragment.get("code");
  if (!code) return;
  signInLink.play = fragment.has("play");
  signInLink.panel = fragment.get("panel");
  signInLink.tour = fragment.has("tour");
  history.replaceState(history.state, "", location.pathname + location.search);
  try {
    const response = await fetch(`${rootPath}/api/login/code`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ code }),
    });
    if (response.ok) useSession.getState().begin(await response.json());
  } catch {
    // The server cannot be reached: the sign-in page says so.
  }
}
