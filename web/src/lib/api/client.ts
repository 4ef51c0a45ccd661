// The REST client, typed by the OpenAPI document. Error responses are thrown as Problem.
import createClient, { type Middleware } from "openapi-fetch";
import type { components, paths } from "@/generated/api";
import { useSession } from "@/lib/api/session";
import { serverUrl } from "@/lib/rootPath";

export type Schemas = components["schemas"];

export interface FieldError {
  path: string;
  message: string;
}

/** An error response of the server: RFC 9457 with a stable code. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly body: Record<string, unknown> = {},
  ) {
    super(message);
    this.name = "Problem";
  }

  get fieldErrors(): FieldError[] {
    return Array.isArray(this.body.errors) ? (this.body.errors as FieldError[]) : [];
  }
}

/** Whether a retry may succeed: network errors and server errors, but not client errors. */
export function isTransient(error: unknown): boolean {
  return !(error instanceof Problem) || error.status === 0 || error.status >= 500;
}

/** Whether the server has no such thing, or does not show it to this user. */
export const isNotFound = (error: unknown) => error instanceof Problem && error.status === 404;

/** Whether an id in an address can be one of the server's. */
export const isUuid = (id: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id);

export function authorization(): Record<string, string> {
  const token = useSession.getState().token;
  return token ? { Authorization: `Bearer ${token}` } : {};
}

async function problemOf(response: Response): Promise<Problem> {
  const body = (await response.json().catch(() => ({}))) as Record<string, unknown>;
  const message = typeof body.detail === "string" ? body.detail : `The server answered ${response.status}.`;
  return new Problem(response.status, typeof body.code === "string" ? body.code : "error", message, body);
}

async function throwIfError(response: Response): Promise<Response> {
  if (response.ok) return response;
  const problem = await problemOf(response);
  if (response.status === 401 && useSession.getState().token) useSession.getState().end("refused");
  throw problem;
}

async function fetchOrThrow(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    if (request.signal.aborted) throw error;
    throw new Problem(0, "unreachable", "The server cannot be reached.");
  }
}

const authentication: Middleware = {
  onRequest({ request }) {
    for (const [name, value] of Object.entries(authorization())) request.headers.set(name, value);
    return request;
  },
  onResponse: ({ response }) => throwIfError(response),
};

/** Errors are thrown, so `data` of a response is always set. */
export const api = createClient<paths>({ baseUrl: serverUrl, fetch: fetchOrThrow });
api.use(authentication);

/** Ends the session of this browser, in all its tabs. The tokens of other devices stay valid unless everywhere is asked for. */
export async function signOut({ everywhere }: { everywhere: boolean }): Promise<void> {
  // The token goes along although the session may have ended when the request is made.
  const recorded = api
    .POST("/api/logout", { body: { everywhere }, headers: authorization(), keepalive: true })
    .catch(() => undefined);
  if (everywhere) await recorded;
  useSession.getState().end();
}
