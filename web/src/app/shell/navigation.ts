import {
  type Icon,
  IconBolt,
  IconChartBar,
  IconDoor,
  IconServer2,
  IconShieldCog,
  IconStack2,
} from "@tabler/icons-react";
import { useSession } from "@/lib/api/session";

interface NavigationItem {
  to: string;
  label: string;
  icon: Icon;
  /** The second key of the shortcut, after g. */
  key: string;
  isActive: (path: string) => boolean;
}

const isWithin = (start: string) => (path: string) => path === start || path.startsWith(`${start}/`);

const ITEMS: NavigationItem[] = [
  {
    to: "/",
    label: "Rooms",
    icon: IconDoor,
    key: "r",
    isActive: (path) => path === "/" || isWithin("/rooms")(path),
  },
  { to: "/jobs", label: "Jobs", icon: IconBolt, key: "j", isActive: isWithin("/jobs") },
  { to: "/workers", label: "Workers", icon: IconServer2, key: "w", isActive: isWithin("/workers") },
  { to: "/postings", label: "Postings", icon: IconStack2, key: "p", isActive: isWithin("/postings") },
  { to: "/profiles", label: "Profiles", icon: IconChartBar, key: "f", isActive: isWithin("/profiles") },
];
const ADMIN_ITEM: NavigationItem = {
  to: "/admin",
  label: "Admin",
  icon: IconShieldCog,
  key: "a",
  isActive: isWithin("/admin"),
};

/** All items with their keys, also the one that only admins have. */
export const ALL_ITEMS: readonly NavigationItem[] = [...ITEMS, ADMIN_ITEM];

export function useNavigationItems(): NavigationItem[] {
  const admin = useSession((session) => session.user?.role === "admin");
  return admin ? [...ALL_ITEMS] : ITEMS;
}
