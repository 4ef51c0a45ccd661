// Where the server is: the server writes the path that it is reached below into the page (setting `root_path`).

/** Without a slash at its end; empty at the root of a host name. */
export const rootPath =
  globalThis.document?.querySelector<HTMLMetaElement>('meta[name="workroom-root"]')?.content ?? "";

/** The address that Python clients use. */
export const serverUrl = (globalThis.location?.origin ?? "") + rootPath;
