// Every page has an address. Pages are loaded when they are first opened.
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from "@tanstack/react-router";
import { Lost } from "@/app/Lost";
import { Shell } from "@/app/Shell";
import { Trouble } from "@/components/ErrorNotice";
import { useSession } from "@/lib/session";

const root = createRootRoute({ component: Outlet, notFoundComponent: Lost });

const signin = createRoute({
  getParentRoute: () => root,
  path: "/login",
  validateSearch: (search): { next?: string } =>
    typeof search.next === "string" ? { next: search.next } : {},
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
  validateSearch: (search): { q?: string } =>
    typeof search.q === "string" && search.q ? { q: search.q } : {},
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
  component: lazyRouteComponent(() => import("@/app/room/RoomPage")),
});

export const router = createRouter({
  routeTree: root.addChildren([signin, inside.addChildren([rooms, room.addChildren([workspace])])]),
  defaultPreload: "intent",
  defaultErrorComponent: ({ error, reset }) => <Trouble error={error} again={reset} />,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

useSession.subscribe((now, before) => {
  if (before.token && !now.token) void router.invalidate();
});
