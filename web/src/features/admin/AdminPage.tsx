import { Tabs } from "@mantine/core";
import { Outlet, useNavigate, useRouterState } from "@tanstack/react-router";
import { NotFound } from "@/components/NotFound";
import { Page } from "@/components/Page";
import { useSession } from "@/lib/api/session";

const TABS = [
  { value: "users", label: "Users" },
  { value: "rooms", label: "Rooms" },
  { value: "space", label: "Space" },
  { value: "queues", label: "Queues" },
  { value: "audit", label: "Audit" },
  { value: "settings", label: "Settings" },
] as const;

export default function AdminPage() {
  const navigate = useNavigate();
  const part = useRouterState({ select: (state) => state.location.pathname.split("/")[2] ?? "users" });
  const user = useSession((session) => session.user);
  if (user?.role !== "admin")
    return (
      <NotFound title="For admins only">
        The accounts, rooms and queues of this server are for its admins. You are signed in as {user?.name},{" "}
        {user?.role === "guest" ? "a guest" : "a user"}; an admin can make your account one.
      </NotFound>
    );
  return (
    <Page title="Admin" subtitle="Accounts, rooms and queues of this server.">
      <Tabs
        value={part}
        onChange={(next) => void navigate({ to: `/admin/${next}` as "/admin/users" })}
        mb="md"
      >
        <Tabs.List>
          {TABS.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={part} pt="md">
          <Outlet />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
