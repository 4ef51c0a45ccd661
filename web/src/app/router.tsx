// The routes of the app. The code of a page is loaded when the page is first opened.
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
import { parseJobsSearch } from "@/features/jobs/list/jobsSearch";
import { parseProfileSearch } from "@/features/profiles/profileSearch";
import { SORTS, type Sort } from "@/features/rooms/queries";
import { useSession } from "@/lib/api/session";
import { rootPath } from "@/lib/rootPath";
import { choiceParam, indexParam, type SearchParams, textParam } from "@/lib/searchParams";

const root = createRootRoute({ component: Outlet });

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/login",
  validateSearch: (search: SearchParams): { next?: string } => ({ next: textParam(search.next) }),
  component: lazyRouteComponent(() => import("@/features/signin/SignInPage")),
});

/** Parent of all routes that require a signed-in user. */
const authenticated = createRoute({
  getParentRoute: () => root,
  id: "in",
  beforeLoad: ({ location }) => {
    if (!useSession.getState().token) throw redirect({ to: "/login", search: { next: location.href } });
  },
  component: Shell,
});

/** Any other address, also of a room: inside the shell, so that its navigation stays. */
const unknownPage = createRoute({ getParentRoute: () => authenticated, path: "$", component: NotFoundPage });

const rooms = createRoute({
  getParentRoute: () => authenticated,
  path: "/",
  validateSearch: (search: SearchParams): { q?: string; sort?: Sort; archived?: boolean } => ({
    q: textParam(search.q),
    sort: choiceParam(search.sort, SORTS),
    archived: search.archived === true ? true : undefined,
  }),
  component: lazyRouteComponent(() => import("@/features/rooms/RoomsPage")),
});

const room = createRoute({
  getParentRoute: () => authenticated,
  path: "/rooms/$room",
  component: lazyRouteComponent(() => import("@/app/room/RoomLoader")),
});
const workspace = createRoute({
  getParentRoute: () => room,
  path: "/",
  validateSearch: (search: SearchParams): { ext?: string; frame?: number } => ({
    ext: textParam(search.ext),
    frame: indexParam(search.frame),
  }),
  component: lazyRouteComponent(() => import("@/app/room/RoomPage")),
});

const jobsPage = lazyRouteComponent(() => import("@/features/jobs/list/JobsPage"));
const workersPage = lazyRouteComponent(() => import("@/features/workers/WorkersPage"));
const roomJobs = createRoute({
  getParentRoute: () => room,
  path: "jobs",
  validateSearch: parseJobsSearch,
  component: jobsPage,
});
const roomWorkers = createRoute({ getParentRoute: () => room, path: "workers", component: workersPage });
const roomSettings = createRoute({
  getParentRoute: () => room,
  path: "settings",
  component: lazyRouteComponent(() => import("@/features/roomsettings/RoomSettingsPage")),
});

const form = createRoute({
  getParentRoute: () => room,
  path: "forms/$category/$name",
  // Its parameters are the fields of the form: the page reads them.
  component: lazyRouteComponent(() => import("@/features/extensions/page/FormPage")),
});

const unknownRoomPage = createRoute({ getParentRoute: () => room, path: "$", component: NotFoundPage });

const jobs = createRoute({
  getParentRoute: () => authenticated,
  path: "/jobs",
  validateSearch: parseJobsSearch,
  component: jobsPage,
});
const job = createRoute({
  getParentRoute: () => authenticated,
  path: "/jobs/$job",
  component: lazyRouteComponent(() => import("@/features/jobs/page/JobPage")),
});
const workers = createRoute({
  getParentRoute: () => authenticated,
  path: "/workers",
  component: workersPage,
});
const postings = createRoute({
  getParentRoute: () => authenticated,
  path: "/postings",
  validateSearch: (search: SearchParams): { show?: "open" | "ended" } => ({
    show: choiceParam(search.show, ["open", "ended"]),
  }),
  component: lazyRouteComponent(() => import("@/features/postings/PostingsPage")),
});
const posting = createRoute({
  getParentRoute: () => authenticated,
  path: "/postings/$posting",
  validateSearch: (search: SearchParams): { part?: string } => ({
    part: choiceParam(search.part, ["grid", "plot", "results", "failures"]),
  }),
  component: lazyRouteComponent(() => import("@/features/postings/PostingPage")),
});
const profiles = createRoute({
  getParentRoute: () => authenticated,
  path: "/profiles",
  component: lazyRouteComponent(() => import("@/features/profiles/ProfilesPage")),
});
const profile = createRoute({
  getParentRoute: () => authenticated,
  path: "/profiles/$function",
  validateSearch: parseProfileSearch,
  component: lazyRouteComponent(() => import("@/features/profiles/ProfilePage")),
});
const account = createRoute({
  getParentRoute: () => authenticated,
  path: "/account",
  component: lazyRouteComponent(() => import("@/features/account/AccountPage")),
});
const join = createRoute({
  getParentRoute: () => authenticated,
  path: "/join/$link",
  component: lazyRouteComponent(() => import("@/features/roomsettings/JoinPage")),
});

const admin = createRoute({
  getParentRoute: () => authenticated,
  path: "/admin",
  component: lazyRouteComponent(() => import("@/features/admin/AdminPage")),
});
const adminIndex = createRoute({
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
const adminSpace = createRoute({
  getParentRoute: () => admin,
  path: "space",
  component: lazyRouteComponent(() => import("@/features/admin/RoomDiskUsage")),
});
const adminQueues = createRoute({
  getParentRoute: () => admin,
  path: "queues",
  component: lazyRouteComponent(() => import("@/features/admin/QueuesTab")),
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
  basepath: rootPath || "/",
  routeTree: root.addChildren([
    signIn,
    authenticated.addChildren([
      rooms,
      room.addChildren([workspace, roomJobs, roomWorkers, roomSettings, form, unknownRoomPage]),
      jobs,
      job,
      workers,
      postings,
      posting,
      profiles,
      profile,
      account,
      join,
      admin.addChildren([
        adminIndex,
        adminUsers,
        adminRooms,
        adminSpace,
        adminQueues,
        adminAudit,
        adminSettings,
      ]),
      unknownPage,
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
