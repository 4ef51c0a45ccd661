// Rooms visited lately, in this browser.
import { create } from "zustand";
import { persist } from "zustand/middleware";

interface Recent {
  rooms: { name: string; at: number }[];
  visit: (name: string) => void;
  forget: (name: string) => void;
}

const MOST = 8;

export const useRecent = create<Recent>()(
  persist(
    (set) => ({
      rooms: [],
      visit: (name) =>
        set(({ rooms }) => ({
          rooms: [{ name, at: Date.now() }, ...rooms.filter((room) => room.name !== name)].slice(0, MOST),
        })),
      forget: (name) => set(({ rooms }) => ({ rooms: rooms.filter((room) => room.name !== name) })),
    }),
    { name: "workroom.recent" },
  ),
);
