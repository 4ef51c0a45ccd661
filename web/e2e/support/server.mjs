// The server under test: its REST interface, and workers and pools in processes of their own.
import { spawn } from "node:child_process";
import { once } from "node:events";

/** @typedef {import("node:child_process").ChildProcess} ChildProcess */
/** @typedef {import("./pages.mjs").Session} Session */

export class Server {
  /** @param {{ url: string; adminPassword: string; data?: string; python?: string; root?: string }} options */
  constructor({ url, adminPassword, data = "", python = "", root = "" }) {
    this.url = url;
    this.adminPassword = adminPassword;
    this.data = data;
    this.python = python;
    this.root = root;
    /** @type {Set<ChildProcess>} */
    this.processes = new Set();
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {{ token?: string; body?: unknown; headers?: Record<string, string> }} [options]
   * @returns {Promise<any>}
   */
  async call(method, path, { token, body, headers } = {}) {
    const raw = typeof body === "string" || body instanceof Uint8Array;
    const response = await fetch(this.url + path, {
      method,
      headers: {
        ...(token ? { Authorization: `Bearer ${token}` } : {}),
        ...(body !== undefined && !raw ? { "Content-Type": "application/json" } : {}),
        ...headers,
      },
      body: body === undefined ? undefined : raw ? body : JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text ? JSON.parse(text) : undefined;
  }

  /**
   * @param {string} user
   * @param {string} [password]
   * @returns {Promise<Session>}
   */
  signIn(user, password) {
    // With the same key, a guest of the same name is the same one in all tests.
    const secret = password ? { password } : { guestKey: "the key of all guests in these tests" };
    return this.call("POST", "/api/login", { body: { user, ...secret } });
  }

  admin() {
    return this.signIn("admin", this.adminPassword);
  }

  /** A room in which workers of other users may run. @param {Session} session @param {string} name @param {object} [more] */
  makeRoom(session, name, more = {}) {
    const body = { name, extensionsFrom: "guests", ...more };
    return this.call("POST", "/api/rooms", { token: session.token, body });
  }

  /** @param {Session} session @param {string} room @param {string} extension @param {object} [data] */
  submit(session, room, extension, data = {}) {
    return this.call("POST", `/api/rooms/${room}/extensions/${extension}/submit`, {
      token: session.token,
      body: { data },
    });
  }

  /** The job once it has one of these states. @param {Session} session @param {string} id @param {string[]} states */
  async job(session, id, ...states) {
    for (let turn = 0; turn < 500; turn += 1) {
      const job = await this.call("GET", `/api/jobs/${id}`, { token: session.token });
      if (states.includes(job.status)) return job;
      await new Promise((next) => setTimeout(next, 50));
    }
    throw new Error(`job ${id} never became ${states}`);
  }

  /**
   * Run `workroom ARGS…` in a process of its own, and wait for a text in its output.
   * @param {string[]} args @param {string} ready @param {Record<string, string>} [environment]
   */
  async run(args, ready, environment = {}) {
    const child = spawn(this.python, ["-m", "workroom.cli", ...args], {
      cwd: this.root,
      env: {
        ...process.env,
        PYTHONPATH: `${this.root}/src:${this.root}`,
        WORKROOM_URL: this.url,
        ...environment,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.processes.add(child);
    let output = "";
    await new Promise((resolve, reject) => {
      const read = (/** @type {string} */ chunk) => {
        output += chunk;
        if (output.includes(ready)) resolve(undefined);
      };
      child.stdout.on("data", read);
      child.stderr.on("data", read);
      child.once("exit", () => reject(new Error(`workroom ${args.join(" ")} ended:\n${output}`)));
    });
    return child;
  }

  /** A remote worker of a room. @param {string} room @param {string[]} more */
  worker(room, file = "tests/web/extensions.py", user = "wanda", name = "gpu-box", more = []) {
    return this.run(["worker", file, "--room", room, "--user", user, "--name", name, ...more], "offers");
  }

  /** A pool on the server's own database. @param {string} version of the code that it runs */
  pool(version) {
    return this.run(
      ["pool", "--import", "tests/web/functions.py", "--workers", "1", "--data", this.data],
      "process runs",
      { WORKROOM_CODE_VERSION: version },
    );
  }

  /** The posting once it has one of these states. @param {Session} session @param {string} id @param {string[]} statuses */
  async posting(session, id, ...statuses) {
    for (let turn = 0; turn < 500; turn += 1) {
      const posting = await this.call("GET", `/api/postings/${id}`, { token: session.token });
      if (statuses.includes(posting.status)) return posting;
      await new Promise((next) => setTimeout(next, 50));
    }
    throw new Error(`posting ${id} never became ${statuses}`);
  }

  /** @param {ChildProcess} child */
  async stop(child) {
    this.processes.delete(child);
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill("SIGTERM");
    await exited;
  }

  async stopAll() {
    await Promise.all([...this.processes].map((child) => this.stop(child)));
  }
}
