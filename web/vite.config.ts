import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

/** KaTeX offers each font in three formats; every browser that runs the app reads the first. */
const woff2Only: Plugin = {
  name: "woff2-only",
  enforce: "pre",
  transform: (css, id) =>
    id.includes("katex.min.css")
      ? css.replace(/,url\([^)]+\.(?:woff|ttf)\) format\("[a-z]+"\)/g, "")
      : undefined,
};

const server = process.env.WORKROOM_URL ?? "http://127.0.0.1:8686";

export default defineConfig({
  // Parts of the app find each other wherever it is; the server completes the addresses in index.html.
  base: "./",
  plugins: [react(), woff2Only],
  resolve: {
    alias: {
      "@": fileURLToPath(new URL("./src", import.meta.url)),
      // The form library imports it for its own tests; it compiles schemas to code, which the page may not.
      "@rjsf/validator-ajv8": fileURLToPath(new URL("./src/lib/emptyModule.ts", import.meta.url)),
    },
  },
  build: {
    outDir: fileURLToPath(new URL("../src/workroom/server/static", import.meta.url)),
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 5_000,
    manifest: true,
    rolldownOptions: {
      input: ["index.html", "explorer.html"].map((page) => fileURLToPath(new URL(page, import.meta.url))),
    },
  },
  server: {
    port: 5173,
    proxy: { "/api": server, "/socket.io": { target: server, ws: true } },
  },
  test: { include: ["src/**/*.test.{ts,tsx}"], environment: "node", testTimeout: 60_000 },
});
