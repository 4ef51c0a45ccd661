import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

const server = process.env.WORKROOM_URL ?? "http://127.0.0.1:8686";

export default defineConfig({
  plugins: [react()],
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
  },
  server: {
    port: 5173,
    proxy: { "/api": server, "/socket.io": { target: server, ws: true } },
  },
  test: { include: ["src/**/*.test.{ts,tsx}"], environment: "node", testTimeout: 60_000 },
});
