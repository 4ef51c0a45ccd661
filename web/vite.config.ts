import { readFileSync } from "node:fs";
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

/** Components of Mantine that the app does not have. Their styles are a quarter of the library's. */
const UNUSED =
  "ActionBar Affix AngleSlider AspectRatio BackgroundImage Blockquote Breadcrumbs Cascader DataList FloatingWindow Marquee Menubar OverflowList Pagination PinInput Rating RingProgress RollingNumber Scroller SemiCircleProgress Skeleton Splitter Spoiler TableOfContents Timeline Toggle Toolbar Tour Tree TreeSelect Typography".split(
    " ",
  );

/** Leaves the styles of these components out, and refuses a build that has one of them. */
const usedStylesOnly: Plugin = {
  name: "used-styles-only",
  enforce: "pre",
  transform: (css, id) => {
    if (!id.endsWith("@mantine/core/styles.css")) return undefined;
    return UNUSED.reduce((rest, name) => {
      const styles = readFileSync(id.replace(/styles\.css$/, `styles/${name}.css`), "utf8").trim();
      if (!rest.includes(styles)) throw new Error(`${id} does not have the styles of ${name}`);
      return rest.replace(styles, "");
    }, css);
  },
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle))
      for (const [id, { renderedLength }] of Object.entries(chunk.type === "chunk" ? chunk.modules : {})) {
        const [, name] = id.match(/@mantine\/core\/esm\/components\/(\w+)\//) ?? [];
        if (renderedLength > 0 && name && UNUSED.includes(name))
          throw new Error(
            `The app has ${name}: take it out of UNUSED in vite.config.ts, for it has no styles.`,
          );
      }
  },
};

const server = process.env.WORKROOM_URL ?? "http://127.0.0.1:8686";

export default defineConfig({
  // Parts of the app find each other wherever it is; the server completes the addresses in index.html.
  base: "./",
  plugins: [react(), woff2Only, usedStylesOnly],
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
