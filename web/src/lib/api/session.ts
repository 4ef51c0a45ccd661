// The signed-in user and the token. The token is stored in this browser and renewed before it expires.
import { create } from "zustand";
import { persist } from "zustand/middleware";

export interface SignedInUser {
  id: string;
  name: string;
  role: "guest" | "user" | "admin";
}

interface Session {
  token: string | null;
  user: SignedInUser | null;
  /** When the token expires, in milliseconds since 1970. */
  expiresAt: number;
  /** The server did not accept the token any more: the sign-in page says so. */
  refused: boolean;
  begin: (answer: { token: string; expiresIn: number; user: SignedInUser }) => void;
  end: (why?: "refused") => void;
}

const STORAGE_KEY = "workroom.session";

export const useSession = create<Session>()(
  persist(
    (set) => ({
      token: null,
      user: null,
      expiresAt: 0,
      refused: false,
      begin: ({ token, expiresIn, user }) =>
        set({ token, user, expiresAt: Date.now() + expiresIn * 1000, refused: false }),
      end: (why) => set({ token: null, user: null, expiresAt: 0, refused: why === "refused" }),
    }),
    { name: STORAGE_KEY },
  ),
);

// All tabs of this browser have one session: signing out or in and renewed tokens of one tab hold for the others.
globalThis.addEventListener?.("storage", ({ key, newValue }) => {
  if (key !== STORAGE_KEY && key !== null) return;
  if (newValue === null) useSession.getState().end();
  else void useSession.persist.rehydrate();
});

export const isAdmin = () => useSession.getState().user?.role === "admin";
