// What surrounds a browser: the server's REST interface, and real workers in processes of their own.
import { spawn } from "node:child_process";
import { once } from "node:events";

export class World {
  constructor({ url, data, adminPassword, python, root }) {
    Object.assign(this, { url, data, adminPassword, python, root });
    this.processes = new Set();
  }

  async call(method, path, { token, body, headers } = {}) {
    const raw = typeof body === "string" || body instanceof Uint8Array;
    const answer = await fetch(this.url + path, {
      method,
      headers: {
        ...(token ? { Authorization: `Bearer ${token}` } : {}),
        ...(body !== undefined && !raw ? { "Content-Type": "application/json" } : {}),
        ...headers,
      },
      body: body === undefined ? undefined : raw ? body : JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text ? JSON.parse(text) : undefined;
  }

  signIn(user, password) {
    return this.call("POST", "/api/login", { body: { user, ...(password ? { password } : {}) } });
  }

  admin() {
    return this.signIn("admin", this.adminPassword);
  }

  makeRoom(session, name, more = {}) {
    return this.call("POST", "/api/rooms", { token: session.token, body: { name, ...more } });
  }

  submit(session, room, extension, data = {}) {
    return this.call("POST", `/api/rooms/${room}/extensions/${extension}/submit`, {
      token: session.token,
      body: { data },
    });
  }

  async job(session, id, ...states) {
    for (let turn = 0; turn < 500; turn += 1) {
      const job = await this.call("GET", `/api/jobs/${id}`, { token: session.token });
      if (states.includes(job.status)) return job;
      await new Promise((next) => setTimeout(next, 50));
    }
    throw new Error(`job ${id} never became ${states}`);
  }

  /** `workroom ARGS…` in a process of its own, once it has said what is awaited. */
  async run(args, awaited, environment = {}) {
    const made = spawn(this.python, ["-m", "workroom.cli", ...args], {
      cwd: this.root,
      env: {
        ...process.env,
        PYTHONPATH: `${this.root}/src:${this.root}`,
        WORKROOM_URL: this.url,
        ...environment,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.processes.add(made);
    let said = "";
    await new Promise((ready, fail) => {
      const hear = (chunk) => {
        said += chunk;
        if (said.includes(awaited)) ready();
      };
      made.stdout.on("data", hear);
      made.stderr.on("data", hear);
      made.once("exit", () => fail(new Error(`workroom ${args.join(" ")} ended:\n${said}`)));
    });
    return made;
  }

  worker(room, file = "tests/web/extensions.py", user = "wanda", name = "gpu-box") {
    return this.run(["worker", file, "--room", room, "--user", user, "--name", name], "offers");
  }

  /** A pool on the server's own database. */
  pool(version) {
    return this.run(
      ["pool", "--import", "tests/web/functions.py", "--workers", "1", "--data", this.data],
      "processes",
      { WORKROOM_CODE_VERSION: version },
    );
  }

  async posting(session, id, ...statuses) {
    for (let turn = 0; turn < 500; turn += 1) {
      const posting = await this.call("GET", `/api/postings/${id}`, { token: session.token });
      if (statuses.includes(posting.status)) return posting;
      await new Promise((next) => setTimeout(next, 50));
    }
    throw new Error(`posting ${id} never became ${statuses}`);
  }

  async stop(made) {
    this.processes.delete(made);
    if (made.exitCode !== null || made.signalCode !== null) return;
    const ended = once(made, "exit");
    made.kill("SIGTERM");
    await ended;
  }

  async end() {
    await Promise.all([...this.processes].map((made) => this.stop(made)));
  }
}
