import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { client } from "@/app/client";
import { router } from "@/app/router";
import { theme, variables } from "@/app/theme";
import { Live } from "@/live/Live";

export function App() {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={variables} defaultColorScheme="auto">
      <QueryClientProvider client={client}>
        <Notifications position="bottom-right" limit={4} />
        <Live />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  );
}
