import {
  type Icon,
  IconBolt,
  IconChartBar,
  IconDoor,
  IconServer2,
  IconShieldCog,
  IconStack2,
} from "@tabler/icons-react";
import { useSession } from "@/lib/session";

interface Place {
  to: string;
  label: string;
  icon: Icon;
  /** The second key of its shortcut, after g. */
  key: string;
  isHere: (path: string) => boolean;
}

const below = (start: string) => (path: string) => path === start || path.startsWith(`${start}/`);

const PLACES: Place[] = [
  {
    to: "/",
    label: "Rooms",
    icon: IconDoor,
    key: "r",
    isHere: (path) => path === "/" || below("/rooms")(path),
  },
  { to: "/jobs", label: "Jobs", icon: IconBolt, key: "j", isHere: below("/jobs") },
  { to: "/workers", label: "Workers", icon: IconServer2, key: "w", isHere: below("/workers") },
  { to: "/postings", label: "Postings", icon: IconStack2, key: "p", isHere: below("/postings") },
  { to: "/profiles", label: "Profiles", icon: IconChartBar, key: "f", isHere: below("/profiles") },
];
const ADMIN: Place = { to: "/admin", label: "Admin", icon: IconShieldCog, key: "a", isHere: below("/admin") };

export function usePlaces(): Place[] {
  const admin = useSession((session) => session.user?.role === "admin");
  return admin ? [...PLACES, ADMIN] : PLACES;
}
