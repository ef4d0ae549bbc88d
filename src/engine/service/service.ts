import { existsSync } from "node:fs";
import type { Server, Socket } from "node:net";
import { DisposableList } from "../base/events.ts";
import { type Result, succeed, fail, errorCode } from "../base/result.ts";
import { inTime } from "../base/timing.ts";
import { ClientSession } from "./client-session.ts";
import { composeService, type ServiceParts } from "./compose.ts";
import { type Endpoint, openEndpoint, newToken } from "../protocol/endpoint.ts";
import { type ServeClient, serve } from "../protocol/serve.ts";
import { type HeldLock, beatInterval, ownerOf } from "../base/lock.ts";
import { takeHomeLock } from "./home-lock.ts";
import { ensurePrivateFolder } from "../base/private-files.ts";
import { type ServiceDescription, type StopReason, serviceRequests } from "../sessions/session-requests.ts";
import { recordOf, removeRecord, touchRecord, writeRecord } from "./service-record.ts";
import { forgetStart } from "./launch/start-for-hook.ts";
import { sampleFolder } from "../base/process.ts";
import type { Finisher, ServicePorts } from "./service-ports.ts";
import { sentence, compose } from "../base/language.ts";

const { describe, shutdown } = serviceRequests;
const requests = { describe, shutdown };

interface ServiceProcess {
  readonly describe: () => ServiceDescription;
  readonly shutdown: (reason: "asked" | "handover") => void;
}

function serveProcess(part: ServiceProcess): ServeClient {
  return serve({
    requests,
    part,
    missing: fail("no_process", sentence("this service has no process")),
    handlers: () => ({
      describe: ({ describe }) => succeed(describe()),
      shutdown({ shutdown }, { reason }) {
        shutdown(reason);
        return succeed({});
      },
    }),
  });
}

export type StartFailure = "running" | "unsafe_place" | "unwritable";

/** For each part that must be written. Milliseconds. */
const finishTime = 10_000;
const farewellTime = 1000;
/** More connections are a mistake, and each costs memory. */
const maxClients = 256;

/** The one process that reads transcripts for all windows, terminals and agents of a user on a machine. */
export class Service {
  readonly stopped: Promise<StopReason>;
  readonly #ports: ServicePorts;
  readonly #lock: HeldLock;
  readonly #endpoint: Endpoint;
  /** Of the sockets that it listens on. */
  readonly #addresses: string[];
  readonly #token = newToken();
  readonly #startedAt: number;
  readonly #parts: ServiceParts;
  readonly #serve: readonly ServeClient[];
  readonly #owned = new DisposableList();
  readonly #clients = new Set<ClientSession>();
  #usefulAt: number;
  #stopping: Promise<void> | undefined;
  #resolveStopped: (reason: StopReason) => void = () => undefined;

  static async start(ports: ServicePorts): Promise<Result<Service, StartFailure>> {
    const { home } = ports;
    const ensured = ensurePrivateFolder(home.folder);
    if (!ensured.ok) return ensured;
    const lock = await takeHomeLock("service", ports);
    if (!lock.ok) return { ...lock, reason: "running" };
    const endpoint = await openEndpoint(ports);
    if (!endpoint.ok) {
      await lock.value.release();
      return endpoint;
    }
    const service = new Service(ports, lock.value, endpoint.value);
    try {
      // A hook may come as soon as the record is there.
      await service.#parts.prepare();
      await service.#announce();
    } catch (error) {
      await service.stop("superseded");
      return fail("unwritable", compose`${home.record}: ${errorCode(error)}`);
    }
    ports.ledger?.start();
    service.#parts.load();
    service.#parts.hooks?.start();
    for (const feature of service.#parts.features) feature.resume?.();
    return succeed(service);
  }

  private constructor(ports: ServicePorts, lock: HeldLock, endpoint: Endpoint) {
    const { clock, idleAfter } = ports;
    this.#ports = ports;
    this.#lock = lock;
    this.#endpoint = endpoint;
    this.#addresses = [endpoint.address];
    this.#startedAt = clock.now();
    this.#usefulAt = this.#startedAt;
    this.stopped = new Promise((resolve) => (this.#resolveStopped = resolve));
    this.#parts = composeService(ports, () => (this.#usefulAt = clock.now()));
    this.#owned.add(this.#parts.owned);
    const own = serveProcess({
      describe: () => this.#describe(),
      // The answer is sent first.
      shutdown: (reason) => void setImmediate(() => void this.stop(reason)),
    });
    this.#serve = [...this.#parts.serve, own];
    this.#listen(endpoint.server);
    if (idleAfter !== null) this.#every(Math.min(idleAfter / 4, 30_000), () => this.#checkUse(idleAfter));
  }

  /** Clients that have shown their token. */
  get clients(): number {
    return [...this.#clients].filter(({ isKnown }) => isKnown).length;
  }

  stop(reason: StopReason): Promise<void> {
    this.#stopping ??= this.#stop(reason);
    return this.#stopping;
  }

  async #announce(): Promise<void> {
    const { home, pid, machine, version, log, build = null } = this.#ports;
    // No agent uses a sample's service.
    const listens = sampleFolder(this.#ports.env) === undefined;
    const hooks = listens ? await this.#parts.hooks?.open(this.#endpoint, this.#token) : undefined;
    if (hooks !== undefined) this.#addresses.push(hooks);
    const [socket = ""] = this.#addresses;
    const own = { ...ownerOf(pid, machine), socket, token: this.#token, version };
    writeRecord(home, recordOf(own, { hooks, build }));
    // Without a record it would take itself for replaced.
    this.#every(beatInterval, () => void this.#beat());
    log.write("info", `purser ${version} serves as process ${pid} at ${socket}`);
  }

  #listen(server: Server): void {
    server.maxConnections = maxClients;
    server.on("connection", (socket: Socket) => {
      if (this.#stopping === undefined) this.#welcome(socket);
      else socket.destroy();
    });
    server.on("error", (error) => this.#ports.log.write("error", `The socket failed: ${String(error)}`));
  }

  #welcome(socket: Socket): void {
    const { pid, version, log, build = null } = this.#ports;
    const client = new ClientSession(socket, {
      pid,
      version,
      build,
      log,
      token: this.#token,
      address: this.#endpoint.address,
      isEnding: () => this.#stopping !== undefined,
      serve: this.#serve,
    });
    this.#clients.add(client);
    client.onClose(() => {
      if (client.isKnown) this.#usefulAt = this.#ports.clock.now();
      this.#clients.delete(client);
    });
  }

  #describe(): ServiceDescription {
    const { pid, version, idleAfter } = this.#ports;
    const { rss, heapUsed } = process.memoryUsage();
    const { user, system } = process.cpuUsage();
    return {
      pid,
      version,
      idleAfter,
      startedAt: this.#startedAt,
      // Excludes the asking client.
      clients: this.clients - 1,
      live: this.#parts.views.countLive(liveTime),
      ...this.#parts.views.sizes,
      memory: { rss, heap: heapUsed },
      cpu: Math.round((user + system) / 1000),
    };
  }

  #every(interval: number, job: () => void): void {
    const timer = setInterval(job, interval);
    this.#owned.add({ dispose: () => clearInterval(timer) });
  }

  /** Without its lock, record or socket the service is unreachable and may be replaced: it ends. */
  async #beat(): Promise<void> {
    const { home, clock, platform } = this.#ports;
    const isThere = platform === "win32" || this.#addresses.every((address) => existsSync(address));
    // A settings file may have changed since settings were last read.
    this.#parts.settings.now();
    for (const feature of this.#parts.features) feature.tick?.();
    const isOurs = await this.#lock.beat();
    if (!isOurs || !touchRecord(home, this.#token, clock.now()) || !isThere) await this.stop("superseded");
  }

  #checkUse(idleAfter: number): void {
    const now = this.#ports.clock.now();
    const isBusy = this.#parts.features.some((feature) => feature.isBusy?.() === true);
    if (isBusy || this.clients > 0 || this.#parts.views.countLive(Math.min(idleAfter, liveTime)) > 0)
      this.#usefulAt = now;
    else if (now - this.#usefulAt >= idleAfter) void this.stop("idle");
  }

  async #stop(reason: StopReason): Promise<void> {
    const { log, home, ledger, version } = this.#ports;
    const { finishers } = this.#parts;
    const ledgers = ledger === undefined ? [] : [{ name: "the ledger", finish: () => ledger.stop() }];
    const closed = new Promise<void>((resolve) => this.#endpoint.server.close(() => resolve()));
    for (const finisher of finishers) await this.#finish(finisher, reason);
    this.#owned.dispose();
    const last = [...this.#ports.finishers, ...ledgers];
    await Promise.all(last.map((finisher) => this.#finish(finisher, reason)));
    removeRecord(home, this.#token);
    forgetStart(home);
    await this.#lock.release();
    log.write("info", `purser ${version} ends: ${reason}`);
    await inTime(Promise.all([...this.#clients].map((client) => client.leave(reason))), farewellTime);
    for (const client of this.#clients) client.dispose();
    await closed;
    this.#resolveStopped(reason);
  }

  async #finish({ name, finish }: Finisher, reason: StopReason): Promise<void> {
    const { log } = this.#ports;
    try {
      const isDone = await inTime(finish(reason), finishTime);
      if (!isDone) log.write("error", `${name} was not finished in time`);
    } catch (error) {
      log.write("error", `${name} could not be finished: ${String(error)}`);
    }
  }
}

/** A session that changed within this time counts as live, since it may well change again. Milliseconds. */
const liveTime = 30 * 60_000;
