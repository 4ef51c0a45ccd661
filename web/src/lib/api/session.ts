// Who is signed in. The token lives in this browser only and is renewed before it ends.
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
  /** When the token ends, in milliseconds since 1970. */
  expiresAt: number;
  begin: (answer: { token: string; expiresIn: number; user: SignedInUser }) => void;
  end: () => void;
}

export const useSession = create<Session>()(
  persist(
    (set) => ({
      token: null,
      user: null,
      expiresAt: 0,
      begin: ({ token, expiresIn, user }) => set({ token, user, expiresAt: Date.now() + expiresIn * 1000 }),
      end: () => set({ token: null, user: null, expiresAt: 0 }),
    }),
    { name: "workroom.session" },
  ),
);

export const isAdmin = () => useSession.getState().user?.role === "admin";
