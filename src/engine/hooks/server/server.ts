import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { succeed, fail, type Result, errorCode } from "../../base/result.ts";
import { isPipe, openBeside, type Endpoint, newToken } from "../../protocol/endpoint.ts";
import { readBody, type HookBody } from "./body.ts";
import { type HookServerAddress, readHookServerAddress, writeHookServerAddress } from "./address.ts";
import {
  HookProofs,
  checkOwnRequest,
  checkRequest,
  refusals,
  type HookRefusal,
  type HookRequest,
} from "./hooks-server-request.ts";
import type { PurserPaths } from "../../base/paths.ts";
import { randomInt } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { sentence, type Sentence, compose } from "../../base/language.ts";

/** Below the systems' ephemeral ports, so that no outgoing connection holds our port when a service starts. */
const ports = { first: 20_000, end: 30_000 };
const attempts = 20;
/** Connections that the system holds while the service is busy. Others are dropped, and their clients try again only after a second or more. */
const backlog = 4096;

/** Pauses before retrying the previous port, which the last service may be about to release. Milliseconds. */
const patience = [50, 200, 500];

interface Listening {
  readonly address: HookServerAddress;
  /** The previous port, now taken by another process: settings that name it must be rewritten. Null if unchanged. */
  readonly movedFrom: number | null;
}

/**
 * Makes a server listen on loopback, at the previous port with the previous token. If another process holds the port,
 * picks a new port and a new token: every hook would show that process the old token.
 */
async function listenForHooks(
  server: Server,
  home: PurserPaths,
): Promise<Result<Listening, "unwritable" | "unsafe_place">> {
  const known = readHookServerAddress(home);
  if (!known.ok) return known;
  const { value: before } = known;
  if (before !== null && (await listenPatiently(server, before.port)))
    return succeed({ address: before, movedFrom: null });
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const address = { port: randomInt(ports.first, ports.end), token: newToken() };
    if (!(await listen(server, address.port))) continue;
    try {
      writeHookServerAddress(home, address);
    } catch (error) {
      server.close();
      return fail("unwritable", compose`${home.hooks}: ${errorCode(error)}`);
    }
    return succeed({ address, movedFrom: before?.port ?? null });
  }
  return fail("unwritable", sentence("no port on loopback is free"));
}

async function listenPatiently(server: Server, port: number): Promise<boolean> {
  for (const time of patience) {
    if (await listen(server, port)) return true;
    await pause(time);
  }
  return await listen(server, port);
}

function listen(server: Server, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const refuse = () => {
      server.off("listening", accept);
      resolve(false);
    };
    const accept = () => {
      server.off("error", refuse);
      resolve(true);
    };
    server.once("error", refuse);
    server.once("listening", accept);
    server.listen({ port, host: "127.0.0.1", exclusive: true, backlog });
  });
}

export interface HookServerPorts {
  readonly home: PurserPaths;
  /**
   * Answers a hook's body with the text for the agent, empty for none. If it rejects, the agent gets an empty
   * answer.
   * @param signal aborts once the caller no longer waits
   */
  readonly answer: (body: HookBody, request: HookRequest, signal: AbortSignal) => Promise<string>;
  /** @param kind problems of the same kind count as repetitions */
  readonly onProblem: (kind: string, message: string) => void;
}

/** Milliseconds. `looking` is how often connections that are too slow are closed. */
const times = { headers: 2000, request: 10_000, keepAlive: 120_000, looking: 500, farewell: 500 };
/**
 * Maximum open connections of the user's agents, and of strangers: any local process can connect to loopback. Beyond it, the one that has been
 * silent for longest is closed.
 */
const maxConnections = { known: 512, strange: 256 };
const maxHeaderBytes = 8192; // bytes

type Checked = Result<HookRequest, HookRefusal>;

/**
 * Answers hooks over HTTP. Agents post theirs on loopback with the token; purser's own programs use an
 * endpoint of the user. Agents show every unsuccessful response to their users, so all of an agent's requests
 * get a success. Only requests from elsewhere are refused.
 */
export class HookServer {
  readonly #ports: HookServerPorts;
  readonly #open = newServer();
  readonly #own = newServer();
  /** Called with the connection of each request that the user's agents sent. */
  readonly #becomeKnown = new Map<Server, (socket: Socket) => void>();
  #address: HookServerAddress | undefined;

  constructor(ports: HookServerPorts) {
    this.#ports = ports;
    this.#open.on("request", (request, response) => {
      const address = this.#address;
      if (address === undefined) response.destroy();
      else void this.#serve(this.#open, request, response, checkRequest(request, address));
    });
  }

  /** Listens on loopback, for requests with the token from the agents' settings. */
  async listen(): Promise<Result<Listening, "unwritable" | "unsafe_place">> {
    const listening = await listenForHooks(this.#open, this.#ports.home);
    if (!listening.ok) return listening;
    this.#address = listening.value.address;
    this.#watch(this.#open);
    return listening;
  }

  /**
   * Listens on an endpoint that only this user can reach, next to the service's client endpoint.
   * @param mustProve whether clients must prove it because the address does not guarantee it
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
      void this.#serve(this.#own, request, response, checkOwnRequest(request, proofs));
    });
    this.#watch(this.#own);
    return listening;
  }

  /** Stops accepting requests; resolves when those in progress are answered, or their time is over. */
  async close(): Promise<void> {
    await Promise.all([this.#open, this.#own].map((server) => close(server)));
  }

  #watch(server: Server): void {
    const strange = new Set<Socket>();
    const known = new Set<Socket>();
    const silent = new Set<Socket>();
    /** Silent connections make room for others of their kind. */
    const limit = (sockets: ReadonlySet<Socket>, max: number, newest: Socket) => {
      if (sockets.size <= max) return;
      const oldest = [...silent].find((socket) => sockets.has(socket));
      (oldest ?? newest).destroy();
    };
    server.on("connection", (socket) => {
      strange.add(socket);
      silent.add(socket);
      socket.once("close", () => {
        for (const sockets of [strange, known, silent]) sockets.delete(socket);
      });
      limit(strange, maxConnections.strange, socket);
      // Node limits the time of headers only once they have begun.
      const timer = setTimeout(() => {
        if (strange.has(socket) && silent.has(socket)) socket.destroy();
      }, times.headers);
      socket.once("close", () => clearTimeout(timer));
    });
    server.on("request", ({ socket }, response) => {
      silent.delete(socket);
      response.once("close", () => {
        if (!socket.destroyed) silent.add(socket);
      });
    });
    this.#becomeKnown.set(server, (socket) => {
      if (!strange.delete(socket)) return;
      known.add(socket);
      limit(known, maxConnections.known, socket);
    });
    server.on("error", (error) => this.#ports.onProblem("server", `Hooks: ${String(error)}`));
  }

  async #serve(
    server: Server,
    request: IncomingMessage,
    response: ServerResponse,
    checked: Checked,
  ): Promise<void> {
    // A client that disconnects in between gets no answer.
    response.on("error", () => undefined);
    if (!checked.ok) {
      this.#refuse(response, checked.reason, checked.detail);
      return;
    }
    this.#becomeKnown.get(server)?.(request.socket);
    const body = await readBody(request);
    if (!body.ok) {
      response.destroy();
      return;
    }
    const gone = new AbortController();
    // The connection also closes after its answer; aborting then would only create an error, which takes longer than everything else here.
    response.once("close", () => {
      if (!response.writableEnded) gone.abort();
    });
    const { bytes, isCut } = body.value;
    const payload = { bytes, isCut: isCut || checked.value.isCut };
    send(response, await this.#answer(payload, checked.value, gone.signal));
    // Shutdown does not wait for idle keep-alive connections.
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

  /** Refuses and closes the connection: the rest of the request is not read. */
  #refuse(response: ServerResponse, reason: HookRefusal, detail: Sentence): void {
    this.#ports.onProblem(`refused ${reason}`, `A hook was refused: ${detail.text}`);
    const body = JSON.stringify({ error: reason, detail: detail.text });
    response.writeHead(refusals[reason], {
      "Content-Type": "application/json",
      "Content-Length": Buffer.byteLength(body),
      Connection: "close",
    });
    response.end(body);
  }
}

function newServer(): Server {
  return createServer({
    maxHeaderSize: maxHeaderBytes,
    headersTimeout: times.headers,
    requestTimeout: times.request,
    keepAliveTimeout: times.keepAlive,
    connectionsCheckingInterval: times.looking,
    noDelay: true,
  });
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
