// Every page has an address. Pages are loaded when they are first opened.
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from "@tanstack/react-router";
import { NotFoundPage } from "@/app/NotFoundPage";
import { Shell } from "@/app/shell/Shell";
import { ErrorAlert } from "@/components/ErrorBoundary";
import { useSession } from "@/lib/api/session";

type Search = Record<string, unknown>;

/** A word of the address, where it is one. */
const word = (value: unknown) => (typeof value === "string" && value ? value : undefined);
const words = (value: unknown) =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : undefined;

/** Only what is there becomes part of the address. */
function told<T extends object>(search: T): T {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as T;
}

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFoundPage });

const signin = createRoute({
  getParentRoute: () => root,
  path: "/login",
  validateSearch: (search: Search): { next?: string } => told({ next: word(search.next) }),
  component: lazyRouteComponent(() => import("@/features/signin/SignInPage")),
});

/** Everything for which one has to be signed in. */
const inside = createRoute({
  getParentRoute: () => root,
  id: "in",
  beforeLoad: ({ location }) => {
    if (!useSession.getState().token) throw redirect({ to: "/login", search: { next: location.href } });
  },
  component: Shell,
});

const rooms = createRoute({
  getParentRoute: () => inside,
  path: "/",
  validateSearch: (search: Search): { q?: string } => told({ q: word(search.q) }),
  component: lazyRouteComponent(() => import("@/features/rooms/RoomsPage")),
});

const room = createRoute({
  getParentRoute: () => inside,
  path: "/rooms/$room",
  component: lazyRouteComponent(() => import("@/app/room/RoomLayout")),
});
const workspace = createRoute({
  getParentRoute: () => room,
  path: "/",
  validateSearch: (search: Search): { ext?: string } => told({ ext: word(search.ext) }),
  component: lazyRouteComponent(() => import("@/app/room/RoomPage")),
});

const jobsSearch = (search: Search): { status?: string[]; category?: string; name?: string; of?: "mine" } =>
  told({
    status: words(search.status),
    category: word(search.category),
    name: word(search.name),
    of: search.of === "mine" ? "mine" : undefined,
  });
const jobsPage = lazyRouteComponent(() => import("@/features/jobs/JobsPage"));
const workersPage = lazyRouteComponent(() => import("@/features/workers/WorkersPage"));
const roomJobs = createRoute({
  getParentRoute: () => room,
  path: "jobs",
  validateSearch: jobsSearch,
  component: jobsPage,
});
const roomWorkers = createRoute({ getParentRoute: () => room, path: "workers", component: workersPage });
const roomSettings = createRoute({
  getParentRoute: () => room,
  path: "settings",
  component: lazyRouteComponent(() => import("@/features/roomsettings/RoomSettingsPage")),
});

const jobs = createRoute({
  getParentRoute: () => inside,
  path: "/jobs",
  validateSearch: jobsSearch,
  component: jobsPage,
});
const job = createRoute({
  getParentRoute: () => inside,
  path: "/jobs/$job",
  component: lazyRouteComponent(() => import("@/features/jobs/JobPage")),
});
const workers = createRoute({ getParentRoute: () => inside, path: "/workers", component: workersPage });
const postings = createRoute({
  getParentRoute: () => inside,
  path: "/postings",
  validateSearch: (search: Search): { show?: "open" | "ended" } =>
    told({ show: search.show === "open" || search.show === "ended" ? search.show : undefined }),
  component: lazyRouteComponent(() => import("@/features/postings/PostingsPage")),
});
const posting = createRoute({
  getParentRoute: () => inside,
  path: "/postings/$posting",
  component: lazyRouteComponent(() => import("@/features/postings/PostingPage")),
});
const profiles = createRoute({
  getParentRoute: () => inside,
  path: "/profiles",
  component: lazyRouteComponent(() => import("@/features/profiles/ProfilesPage")),
});
const profile = createRoute({
  getParentRoute: () => inside,
  path: "/profiles/$function",
  validateSearch: (
    search: Search,
  ): { tab?: "icicle" | "diff"; version?: string; machine?: string; a?: string; b?: string; of?: string } =>
    told({
      tab: search.tab === "icicle" || search.tab === "diff" ? search.tab : undefined,
      version: word(search.version),
      machine: word(search.machine),
      a: word(search.a),
      b: word(search.b),
      of: word(search.of),
    }),
  component: lazyRouteComponent(() => import("@/features/profiles/ProfilePage")),
});
const account = createRoute({
  getParentRoute: () => inside,
  path: "/account",
  component: lazyRouteComponent(() => import("@/features/account/AccountPage")),
});
const join = createRoute({
  getParentRoute: () => inside,
  path: "/join/$link",
  component: lazyRouteComponent(() => import("@/features/roomsettings/JoinPage")),
});

const admin = createRoute({
  getParentRoute: () => inside,
  path: "/admin",
  component: lazyRouteComponent(() => import("@/features/admin/AdminPage")),
});
const adminFirst = createRoute({
  getParentRoute: () => admin,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/admin/users" });
  },
});
const adminUsers = createRoute({
  getParentRoute: () => admin,
  path: "users",
  component: lazyRouteComponent(() => import("@/features/admin/UsersTable")),
});
const adminRooms = createRoute({
  getParentRoute: () => admin,
  path: "rooms",
  component: lazyRouteComponent(() => import("@/features/admin/RoomsTable")),
});
const adminQueues = createRoute({
  getParentRoute: () => admin,
  path: "queues",
  component: lazyRouteComponent(() => import("@/features/admin/QueueCharts")),
});
const adminAudit = createRoute({
  getParentRoute: () => admin,
  path: "audit",
  component: lazyRouteComponent(() => import("@/features/admin/AuditLog")),
});
const adminSettings = createRoute({
  getParentRoute: () => admin,
  path: "settings",
  component: lazyRouteComponent(() => import("@/features/admin/SettingsTable")),
});

export const router = createRouter({
  routeTree: root.addChildren([
    signin,
    inside.addChildren([
      rooms,
      room.addChildren([workspace, roomJobs, roomWorkers, roomSettings]),
      jobs,
      job,
      workers,
      postings,
      posting,
      profiles,
      profile,
      account,
      join,
      admin.addChildren([adminFirst, adminUsers, adminRooms, adminQueues, adminAudit, adminSettings]),
    ]),
  ]),
  defaultPreload: "intent",
  defaultErrorComponent: ({ error, reset }) => <ErrorAlert error={error} onRetry={reset} />,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

useSession.subscribe((now, before) => {
  if (before.token && !now.token) void router.invalidate();
});
