import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "@fontsource-variable/inter/wght.css";
import "@/app/app.css";
import { createRoot } from "react-dom/client";
import { App } from "@/app/App";
import { signInFromLink } from "@/lib/api/oneTimeCodeSignIn";

void signInFromLink().then(() => createRoot(document.getElementById("root")!).render(<App />));
