import { useRouterState } from "@tanstack/react-router";
import { NotFound } from "@/components/NotFound";

/** For an address that no route has. */
export function NotFoundPage() {
  const path = useRouterState({ select: (state) => state.location.pathname });
  return <NotFound>There is no page at {path}.</NotFound>;
}
