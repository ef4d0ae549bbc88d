import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { fail, succeed, type Result } from "../base/result.ts";
import { listenForHooks, type Listening } from "./hook-listen.ts";
import type { HookPlace } from "./hook-place.ts";
import { checkRequest, largestBody, refusals, type HookRefusal, type HookRequest } from "./hook-request.ts";
import type { PurserHome } from "./purser-home.ts";

export interface HookServerPorts {
  readonly home: PurserHome;
  /**
   * Answers a hook's body with the text for the agent, empty for nothing. Should it reject, the agent gets nothing.
   * @param signal aborts when nobody waits for the answer any more
   */
  readonly answer: (body: Buffer, request: HookRequest, signal: AbortSignal) => Promise<string>;
  /** @param kind what makes it the same as another */
  readonly onProblem: (kind: string, message: string) => void;
}

/** Milliseconds. */
const times = { headers: 5000, request: 10_000, keepAlive: 120_000, farewell: 500 };
const mostConnections = 512;
const largestHeader = 8192; // bytes

/**
 * Answers hooks over HTTP on loopback. An agent shows its user every answer that is no success, so whatever an agent sends
 * is answered with success; refused is only who is no agent of this user.
 */
export class HookServer {
  readonly #ports: HookServerPorts;
  readonly #server: Server;
  #place: HookPlace | undefined;

  constructor(ports: HookServerPorts) {
    this.#ports = ports;
    this.#server = createServer({
      maxHeaderSize: largestHeader,
      headersTimeout: times.headers,
      requestTimeout: times.request,
      keepAliveTimeout: times.keepAlive,
      noDelay: true,
    });
    this.#server.maxConnections = mostConnections;
    this.#server.on("request", (request, response) => void this.#serve(request, response));
  }

  async listen(): Promise<Result<Listening, "unwritable" | "unsafe_place">> {
    const listening = await listenForHooks(this.#server, this.#ports.home);
    if (!listening.ok) return listening;
    this.#place = listening.value.place;
    this.#server.on("error", (error) => this.#ports.onProblem("server", `Hooks: ${String(error)}`));
    return listening;
  }

  /** Takes no more, and ends when what it has taken is answered, or the time for it is over. */
  async close(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeIdleConnections();
    const timer = setTimeout(() => this.#server.closeAllConnections(), times.farewell);
    await closed;
    clearTimeout(timer);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // Who goes away meanwhile is not answered.
    response.on("error", () => undefined);
    const place = this.#place;
    if (place === undefined) return void response.destroy();
    const checked = checkRequest(request, place);
    if (!checked.ok) {
      this.#refuse(response, checked.reason, checked.detail);
      return;
    }
    const body = await readBody(request);
    if (!body.ok) {
      if (body.reason === "too_large") this.#refuse(response, body.reason, body.detail);
      else response.destroy();
      return;
    }
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    send(response, await this.#answer(body.value, checked.value, gone.signal));
    // What ends waits for no connection that is merely kept.
    if (!this.#server.listening) this.#server.closeIdleConnections();
  }

  async #answer(body: Buffer, request: HookRequest, signal: AbortSignal): Promise<string> {
    try {
      return await this.#ports.answer(body, request, signal);
    } catch (error) {
      this.#ports.onProblem("answer", `A hook could not be answered: ${String(error)}`);
      return "";
    }
  }

  /** The connection ends: what is left of the request is not read. */
  #refuse(response: ServerResponse, reason: HookRefusal, detail: string): void {
    this.#ports.onProblem(`refused ${reason}`, `A hook was refused: ${detail}`);
    const body = JSON.stringify({ error: reason, detail });
    response.writeHead(refusals[reason], {
      "Content-Type": "application/json",
      "Content-Length": Buffer.byteLength(body),
      Connection: "close",
    });
    response.end(body);
  }
}

function send(response: ServerResponse, text: string): void {
  const body = Buffer.from(text);
  const type = body.length === 0 ? {} : { "Content-Type": "application/json" };
  response.writeHead(200, { ...type, "Content-Length": body.length });
  response.end(body);
}

function readBody(request: IncomingMessage): Promise<Result<Buffer, "too_large" | "gone">> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= largestBody) chunks.push(chunk);
      else {
        request.pause();
        resolve(fail("too_large", `a hook's body has at most ${largestBody} bytes`));
      }
    });
    request.once("end", () => resolve(succeed(Buffer.concat(chunks))));
    request.once("error", (error) => resolve(fail("gone", String(error))));
    request.once("close", () => resolve(fail("gone", "the connection was closed")));
  });
}
