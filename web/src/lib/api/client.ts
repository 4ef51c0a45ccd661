// The REST interface: typed by the OpenAPI document, errors as Problem.
import createClient, { type Middleware } from "openapi-fetch";
import type { components, paths } from "@/generated/api";
import { useSession } from "@/lib/api/session";

export type Schemas = components["schemas"];

export interface FieldError {
  path: string;
  message: string;
}

/** An error the server explains: RFC 9457, with a stable code. */
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

/** Whether the same call may succeed a little later: what the server explains as the caller's fault will not. */
export function isTransient(error: unknown): boolean {
  return !(error instanceof Problem) || error.status === 0 || error.status >= 500;
}

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
  if (response.status === 401 && useSession.getState().token) useSession.getState().end();
  throw problem;
}

async function fetchOrThrow(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    if (request.signal.aborted) throw error;
    throw new Problem(0, "unreachable", "The server cannot be reached just now.");
  }
}

const authentication: Middleware = {
  onRequest({ request }) {
    for (const [name, value] of Object.entries(authorization())) request.headers.set(name, value);
    return request;
  },
  onResponse: ({ response }) => throwIfError(response),
};

/** Typed calls: `data` is always there, because errors are thrown. */
export const api = createClient<paths>({ baseUrl: "", fetch: fetchOrThrow });
api.use(authentication);

interface CallOptions {
  query?: Record<string, string | number | boolean | string[] | null | undefined>;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

function address(path: string, query: CallOptions["query"]): string {
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === null || value === undefined || value === "") continue;
    for (const one of Array.isArray(value) ? value : [value]) words.append(name, String(one));
  }
  const text = words.toString();
  return text ? `${path}?${text}` : path;
}

/** A call whose answer the OpenAPI document leaves open; bodies that are not bytes or forms are sent as JSON. */
export async function call(method: string, path: string, options: CallOptions = {}): Promise<Response> {
  const { body, query, headers, signal } = options;
  const raw =
    body instanceof FormData ||
    body instanceof Blob ||
    body instanceof ArrayBuffer ||
    ArrayBuffer.isView(body);
  const request = new Request(new URL(address(path, query), location.origin), {
    method,
    signal,
    headers: {
      ...authorization(),
      ...(body !== undefined && !raw ? { "Content-Type": "application/json" } : {}),
      ...headers,
    },
    body: body === undefined ? undefined : raw ? (body as BodyInit) : JSON.stringify(body),
  });
  return throwIfError(await fetchOrThrow(request));
}

export async function callJson<T>(method: string, path: string, options: CallOptions = {}): Promise<T> {
  const response = await call(method, path, options);
  return response.status === 204 ? (undefined as T) : ((await response.json()) as T);
}

/** A path below a room; every part is escaped. */
export function roomPath(room: string, ...parts: (string | number)[]): string {
  return ["/api/rooms", ...[room, ...parts].map((part) => encodeURIComponent(part))].join("/");
}
