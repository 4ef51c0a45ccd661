import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { queryClient } from "@/app/queryClient";
import { router } from "@/app/router";
import { resolveCssVariables, theme } from "@/app/theme";
import { LiveUpdates } from "@/live/LiveUpdates";

export function App() {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={resolveCssVariables} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <Notifications position="bottom-right" limit={4} />
        <LiveUpdates />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  );
}
