// The explorer of the REST interface, the server's page /api/docs. It is signed in as the app of this browser is.
import "swagger-ui-dist/swagger-ui.css";
import "./explorer.css";
import SwaggerUI from "swagger-ui-dist/swagger-ui-es-bundle.js";
import { useSession } from "@/lib/api/session";
import { rootPath } from "@/lib/rootPath";

async function show(): Promise<void> {
  document.documentElement.classList.toggle("dark-mode", matchMedia("(prefers-color-scheme: dark)").matches);
  const response = await fetch(`${rootPath}/api/openapi.json`);
  const description = await response.json();
  const explorer = SwaggerUI({
    domNode: document.getElementById("explorer"),
    spec: { ...description, servers: [{ url: rootPath || "/" }] },
    deepLinking: true,
    displayRequestDuration: true,
    docExpansion: "none",
    filter: true,
    validatorUrl: null, // no request to another host
    onComplete: () => {
      const { token } = useSession.getState();
      if (token) explorer.preauthorizeApiKey("HTTPBearer", token);
    },
  });
}

void show();
