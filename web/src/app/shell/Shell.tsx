// The frame around every page: navigation rail on the left, top bar, page.
import { AppShell, Box, Burger, Drawer, Group, NavLink, Stack, VisuallyHidden } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Link, Outlet, useRouterState } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useRef } from "react";
import { ConnectionBanner } from "@/app/shell/ConnectionBanner";
import { useCommandPalette } from "@/app/shell/commandPaletteState";
import { useNavigationItems } from "@/app/shell/navigation";
import { ShortcutSheet } from "@/app/shell/ShortcutSheet";
import { TopBar } from "@/app/shell/TopBar";
import { useShortcuts } from "@/app/shell/useShortcuts";
import { Brand } from "@/components/Brand";
import { ErrorBoundary } from "@/components/ErrorBoundary";
import { useSession } from "@/lib/api/session";
import { useAnnouncement } from "@/live/browserNotifications";
import classes from "./Shell.module.css";

/** Without a session nothing is shown until the router has gone to the sign-in page: pages need a user, and would ask the
 * server without a token. */
const CommandPalette = lazy(() => import("@/app/shell/CommandPalette"));

export function Shell() {
  const isSignedIn = useSession((session) => session.token !== null);
  return isSignedIn ? <SignedInShell /> : null;
}

function SignedInShell() {
  const places = useNavigationItems();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const [menu, { toggle, close }] = useDisclosure();
  const announcement = useAnnouncement();
  const paletteWasOpened = useCommandPalette((now) => now.wasOpened);
  useShortcuts();
  const page = useRef<HTMLDivElement>(null);
  const shown = useRef(path);
  useEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    close();
    // The keyboard goes on from the top of the page that was opened.
    if (!document.activeElement?.matches("input, textarea")) page.current?.focus({ preventScroll: true });
  }, [path, close]);

  return (
    <AppShell
      header={{ height: 48 }}
      navbar={{ width: 60, breakpoint: "sm", collapsed: { mobile: true } }}
      layout="alt"
      classNames={{ navbar: classes.rail, header: classes.bar, main: classes.main }}
    >
      <a href="#page" className={classes.skip}>
        Skip to the page
      </a>
      <AppShell.Navbar>
        <Link to="/" className={classes.brand} aria-label="Workroom, all rooms">
          <Brand size={28} />
        </Link>
        <Stack gap={2} component="nav" aria-label="Pages">
          {places.map(({ to, label, icon: Icon, isActive }) => (
            <Link key={to} to={to} className={classes.place} data-here={isActive(path) || undefined}>
              <Icon size={20} stroke={1.6} aria-hidden />
              <span>{label}</span>
            </Link>
          ))}
        </Stack>
      </AppShell.Navbar>
      <AppShell.Header>
        <Group h="100%" px="md" gap="sm" wrap="nowrap">
          <Burger opened={menu} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Pages" />
          <TopBar />
        </Group>
      </AppShell.Header>
      <AppShell.Main>
        <ConnectionBanner />
        <Box id="page" ref={page} tabIndex={-1} className={classes.page}>
          <ErrorBoundary key={path}>
            <Outlet />
          </ErrorBoundary>
        </Box>
      </AppShell.Main>
      <Drawer
        opened={menu}
        onClose={close}
        title="Workroom"
        size={240}
        hiddenFrom="sm"
        closeButtonProps={{ "aria-label": "Close" }}
      >
        {places.map(({ to, label, icon: Icon, isActive }) => (
          <NavLink
            key={to}
            component={Link}
            to={to}
            label={label}
            leftSection={<Icon size={18} />}
            active={isActive(path)}
          />
        ))}
      </Drawer>
      <VisuallyHidden aria-live="polite" data-testid="announcement">
        {/* Screen readers say what is added: the same text again has to be another element. */}
        <span key={announcement.number}>{announcement.text}</span>
      </VisuallyHidden>
      {paletteWasOpened && (
        <Suspense>
          <CommandPalette />
        </Suspense>
      )}
      <ShortcutSheet />
    </AppShell>
  );
}
