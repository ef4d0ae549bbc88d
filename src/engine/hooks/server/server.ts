import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Result } from "../../base/result.ts";
import { isPipe } from "../../rpc/endpoint-trust.ts";
import { openBeside, type Endpoint } from "../../rpc/endpoint.ts";
import { readBody, type HookBody } from "./body.ts";
import { listenForHooks, type Listening } from "./listen.ts";
import type { HookPlace } from "./address.ts";
import { HookProofs } from "./proofs.ts";
import { checkOwnRequest, checkRequest, refusals, type HookRefusal, type HookRequest } from "./request.ts";
import type { PurserHome } from "../../base/disk/home.ts";

export interface HookServerPorts {
  readonly home: PurserHome;
  /**
   * Answers a hook's body with the text for the agent, empty for nothing. Should it reject, the agent gets nothing.
   * @param signal aborts when nobody waits for the answer any more
   */
  readonly answer: (body: HookBody, request: HookRequest, signal: AbortSignal) => Promise<string>;
  /** @param kind what makes it the same as another */
  readonly onProblem: (kind: string, message: string) => void;
}

/** Milliseconds. */
const times = { headers: 5000, request: 10_000, keepAlive: 120_000, farewell: 500 };
const mostConnections = 512;
const largestHeader = 8192; // bytes

type Checked = Result<HookRequest, HookRefusal>;

/**
 * Answers hooks over HTTP: on loopback those that agents post themselves, which show the token, and on an endpoint of the user's own those
 * that programs of ours hand over. An agent shows its user every answer that is no success, so whatever an agent sends is answered with
 * success; refused is only who is no agent of this user.
 */
export class HookServer {
  readonly #ports: HookServerPorts;
  readonly #open = newServer();
  readonly #own = newServer();
  #place: HookPlace | undefined;

  constructor(ports: HookServerPorts) {
    this.#ports = ports;
    this.#open.on("request", (request, response) => {
      const place = this.#place;
      if (place === undefined) response.destroy();
      else void this.#serve(request, response, checkRequest(request, place));
    });
  }

  /** Listens on loopback, for whoever shows the token that is in the agents' settings. */
  async listen(): Promise<Result<Listening, "unwritable" | "unsafe_place">> {
    const listening = await listenForHooks(this.#open, this.#ports.home);
    if (!listening.ok) return listening;
    this.#place = listening.value.place;
    this.#watch(this.#open);
    return listening;
  }

  /**
   * Listens where only this user can connect, beside the service's endpoint for its clients.
   * @param mustProve whether its address alone does not see to that
   */
  async listenBeside(
    endpoint: Pick<Endpoint, "address">,
    token: string,
    mustProve = isPipe(endpoint.address),
  ): Promise<Result<Endpoint, "unwritable">> {
    const listening = await openBeside(endpoint, this.#own);
    if (!listening.ok) return listening;
    const proofs = new HookProofs({ token, address: listening.value.address }, mustProve);
    this.#own.on("request", (request, response) => {
      if (proofs.answer(request, response)) return;
      void this.#serve(request, response, checkOwnRequest(request, proofs));
    });
    this.#watch(this.#own);
    return listening;
  }

  /** Takes no more, and ends when what it has taken is answered, or the time for it is over. */
  async close(): Promise<void> {
    await Promise.all([this.#open, this.#own].map((server) => close(server)));
  }

  #watch(server: Server): void {
    server.on("error", (error) => this.#ports.onProblem("server", `Hooks: ${String(error)}`));
  }

  async #serve(request: IncomingMessage, response: ServerResponse, checked: Checked): Promise<void> {
    // Who goes away meanwhile is not answered.
    response.on("error", () => undefined);
    if (!checked.ok) {
      this.#refuse(response, checked.reason, checked.detail);
      return;
    }
    const body = await readBody(request);
    if (!body.ok) {
      response.destroy();
      return;
    }
    const gone = new AbortController();
    // A connection also closes behind its answer; aborting then would only make an error, which takes longer than all else here.
    response.once("close", () => {
      if (!response.writableEnded) gone.abort();
    });
    const { bytes, isCut } = body.value;
    const told = { bytes, isCut: isCut || checked.value.isCut };
    send(response, await this.#answer(told, checked.value, gone.signal));
    // What ends waits for no connection that is merely kept.
    for (const server of [this.#open, this.#own]) if (!server.listening) server.closeIdleConnections();
  }

  async #answer(body: HookBody, request: HookRequest, signal: AbortSignal): Promise<string> {
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

function newServer(): Server {
  const server = createServer({
    maxHeaderSize: largestHeader,
    headersTimeout: times.headers,
    requestTimeout: times.request,
    keepAliveTimeout: times.keepAlive,
    noDelay: true,
  });
  server.maxConnections = mostConnections;
  return server;
}

async function close(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), times.farewell);
  await closed;
  clearTimeout(timer);
}

function send(response: ServerResponse, text: string): void {
  const body = Buffer.from(text);
  const type = body.length === 0 ? {} : { "Content-Type": "application/json" };
  response.writeHead(200, { ...type, "Content-Length": body.length });
  response.end(body);
}
