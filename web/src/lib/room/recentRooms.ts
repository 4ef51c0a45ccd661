// Rooms visited lately, in this browser.
import { create } from "zustand";
import { persist } from "zustand/middleware";

interface RecentRooms {
  rooms: { name: string; at: number }[];
  visit: (name: string) => void;
  forget: (name: string) => void;
}

const MAX_ROOMS = 8;

export const useRecentRooms = create<RecentRooms>()(
  persist(
    (set) => ({
      rooms: [],
      visit: (name) =>
        set(({ rooms }) => ({
          rooms: [{ name, at: Date.now() }, ...rooms.filter((room) => room.name !== name)].slice(
            0,
            MAX_ROOMS,
          ),
        })),
      forget: (name) => set(({ rooms }) => ({ rooms: rooms.filter((room) => room.name !== name) })),
    }),
    { name: "workroom.recent" },
  ),
);
