import { existsSync } from "node:fs";
import type { Server, Socket } from "node:net";
import { DisposableList } from "../base/disposable.ts";
import { errorCode } from "../base/error-code.ts";
import { inTime } from "../base/in-time.ts";
import { fail, succeed, type Result } from "../base/result.ts";
import { findCompactionsApart } from "../context/learn.ts";
import { ToldSessions } from "../context/told-sessions.ts";
import { RepeatedProblems } from "../guard/repeated-problems.ts";
import { claudeRoots } from "../transcripts/claude/roots.ts";
import { agentEnvironment } from "./agent-environment.ts";
import { BudgetGuard } from "./budget-guard.ts";
import { ClientSession } from "./client-session.ts";
import { openEndpoint, type Endpoint } from "./endpoint.ts";
import type { HeldLock } from "../base/generation-lock.ts";
import { takeHomeLock } from "./home-lock.ts";
import { beatInterval, holderOf } from "../base/holder.ts";
import { HookAdvice } from "./hook-advice.ts";
import { HookDesk } from "./hook-desk.ts";
import { HookRepair } from "./hook-repair.ts";
import { registerHandlers, tellingSessions } from "./hook-handlers.ts";
import { liveAccounts, type LiveAccounts } from "./live-accounts.ts";
import { MessageGuard } from "./message-guard.ts";
import { ensurePrivateFolder } from "./private-place.ts";
import type { ServiceDescription, StopReason } from "./protocol.ts";
import { recordOf, removeRecord, touchRecord, writeRecord } from "./service-record.ts";
import { RulesDesk } from "./rules-desk.ts";
import type { Finisher, ServicePorts } from "./service-ports.ts";
import type { RulesKeeper } from "./rules-keeper.ts";
import { SessionFiles } from "./session-files.ts";
import { SettingsKeeper } from "./settings-keeper.ts";
import { newToken } from "./token.ts";
import { TurnCosts } from "./turn-costs.ts";
import { ViewPool } from "./view-pool.ts";

export type StartFailure = "running" | "unsafe_place" | "unwritable";

/** Nobody waits for longer than this for what must be written. Milliseconds. */
const finishTime = 10_000;
const farewellTime = 1000;
/** More are a mistake, and each costs memory. */
const mostClients = 256;

/** The one process that reads transcripts for all windows, terminals and agents of a user on a machine. */
export class Service {
  /** Ends, with the reason, when the service has ended. */
  readonly stopped: Promise<StopReason>;
  readonly #ports: ServicePorts;
  readonly #lock: HeldLock;
  readonly #endpoint: Endpoint;
  /** Where it is reached. */
  readonly #addresses: string[];
  readonly #token = newToken();
  readonly #startedAt: number;
  readonly #owned = new DisposableList();
  readonly #clients = new Set<ClientSession>();
  /** What hooks tell of sessions. */
  readonly #told: ToldSessions;
  readonly #views: ViewPool;
  readonly #settings: SettingsKeeper;
  /** What hooks' handlers remember of sessions. */
  readonly #kept: SessionFiles;
  readonly #defaults;
  readonly #advice: HookAdvice;
  readonly #live: LiveAccounts;
  /** Undefined without a ledger to record hooks in, and what was used. */
  readonly #budgets: BudgetGuard | undefined;
  readonly #messages: MessageGuard | undefined;
  readonly #hooks: HookDesk | undefined;
  readonly #rules: RulesDesk | undefined;
  readonly #warn = (message: string): void => this.#ports.log.write("warn", message);
  #usefulAt: number;
  #stopping: Promise<void> | undefined;
  #resolveStopped: (reason: StopReason) => void = () => undefined;

  /** Starts it, unless one runs already. */
  static async start(ports: ServicePorts): Promise<Result<Service, StartFailure>> {
    const { home } = ports;
    const place = ensurePrivateFolder(home.folder);
    if (!place.ok) return place;
    const lock = await takeHomeLock("service", ports);
    if (!lock.ok) return { ...lock, reason: "running" };
    const endpoint = await openEndpoint(ports);
    if (!endpoint.ok) {
      await lock.value.release();
      return endpoint;
    }
    const service = new Service(ports, lock.value, endpoint.value);
    try {
      await service.#announce();
    } catch (error) {
      await service.stop("superseded");
      return fail("unwritable", `${home.record}: ${errorCode(error)}`);
    }
    ports.ledger?.begin();
    service.#hooks?.begin();
    return succeed(service);
  }

  private constructor(ports: ServicePorts, lock: HeldLock, endpoint: Endpoint) {
    const { clock, env, userHome, platform, machine, learnWorker } = ports;
    this.#ports = ports;
    this.#lock = lock;
    this.#endpoint = endpoint;
    this.#addresses = [endpoint.address];
    this.#startedAt = clock.now();
    this.#usefulAt = this.#startedAt;
    this.stopped = new Promise((resolve) => (this.#resolveStopped = resolve));
    const onProblem = this.#warn;
    this.#settings = this.#owned.add(new SettingsKeeper({ ...ports, onProblem }));
    this.#kept = new SessionFiles({ folder: ports.home.sessions, clock, onProblem });
    const roots = claudeRoots({ env, home: userHome });
    this.#defaults = { roots, env: agentEnvironment(env), folders: [] };
    this.#told = this.#owned.add(new ToldSessions());
    this.#views = this.#owned.add(
      new ViewPool({
        platform,
        clock,
        told: this.#told,
        settings: this.#settings,
        isAlive: machine.isAlive,
        learn: (places, signal) =>
          findCompactionsApart({ roots: places }, { workerPath: learnWorker, signal }),
        onProblem,
      }),
    );
    this.#advice = this.#owned.add(new HookAdvice(this.#views, this.#defaults));
    const source = this.#owned.add(this.#views.source(roots));
    this.#live = liveAccounts(source.item);
    this.#budgets = this.#budgetGuard(this.#live);
    this.#messages = this.#messageGuard();
    const { ledger } = ports;
    const { now: settings } = this.#settings;
    this.#rules = ledger === undefined ? undefined : new RulesDesk({ ...ports, ledger, settings });
    this.#hooks = this.#hookDesk();
    const tellModels = () => ledger?.configure(settings().models);
    tellModels();
    this.#owned.add(this.#settings.onChange(tellModels));
    this.#listen(endpoint.server);
    this.#every(beatInterval, () => void this.#beat());
    const { idleAfter } = ports;
    if (idleAfter !== null) this.#every(Math.min(idleAfter / 4, 30_000), () => this.#checkUse(idleAfter));
  }

  /** Lets clients go, writes what must be written, and ends. Whatever is asked meanwhile, it ends once. */
  stop(reason: StopReason): Promise<void> {
    this.#stopping ??= this.#stop(reason);
    return this.#stopping;
  }

  /** Undefined where it holds no ledger. */
  get rules(): RulesKeeper | undefined {
    return this.#rules?.keeper;
  }

  async #announce(): Promise<void> {
    const { home, pid, machine, version, log, build = null } = this.#ports;
    const hooks = await this.#hooks?.open(this.#endpoint, this.#token);
    if (hooks !== undefined) this.#addresses.push(hooks);
    const [socket = ""] = this.#addresses;
    const own = { ...holderOf(pid, machine), socket, token: this.#token, version };
    writeRecord(home, recordOf(own, { hooks, build }));
    log.write("info", `purser ${version} serves as process ${pid} at ${socket}`);
  }

  #budgetGuard(live: LiveAccounts): BudgetGuard | undefined {
    const { ledger, clock, budgetMode: mode = () => this.#settings.now().budgets } = this.#ports;
    if (ledger === undefined) return undefined;
    const problems = new RepeatedProblems(this.#warn, () => clock.now());
    const onProblem = (message: string) => problems.add("budgets", message);
    const parts = { ledger, live, mode, onProblem, memory: this.#kept.memory };
    return this.#owned.add(new BudgetGuard({ ...this.#ports, ...parts }));
  }

  #messageGuard(): MessageGuard | undefined {
    const { ledger, clock, platform } = this.#ports;
    if (ledger === undefined) return undefined;
    const mode = () => this.#settings.now().messages;
    const world = { ledger, platform, now: () => clock.now(), onProblem: this.#warn };
    return this.#owned.add(new MessageGuard({ ...world, mode, memory: this.#kept.memory }));
  }

  #hookDesk(): HookDesk | undefined {
    const { ledger, clock, hooksRepair: program } = this.#ports;
    if (ledger === undefined) return undefined;
    const desk = new HookDesk({
      ...this.#ports,
      kept: this.#kept,
      ...(program === undefined ? {} : { repair: new HookRepair({ ...this.#ports, program }) }),
      append: (entries) => ledger.append(entries),
      onHook: () => (this.#usefulAt = clock.now()),
      observe: tellingSessions({ told: this.#told, ledger, onProblem: this.#warn }),
    });
    registerHandlers(desk, {
      settings: this.#settings,
      clock,
      memory: this.#kept.memory,
      adviceOf: this.#advice.of,
      budgets: this.#budgets,
      messages: this.#messages,
      nudge: this.#rules?.nudge,
      turnCosts: new TurnCosts({
        live: this.#live,
        ledger,
        now: () => clock.now(),
        onProblem: this.#warn,
      }),
    });
    return desk;
  }

  #listen(server: Server): void {
    server.maxConnections = mostClients;
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
      views: this.#views,
      ledger: this.#ports.ledger,
      benches: this.#ports.benches,
      budgets: this.#budgets?.board,
      messages: this.#messages?.desk,
      rules: this.#rules,
      defaults: this.#defaults,
      tellSettings: (told) => this.#settings.tell(told),
      tellOutlook: (told) => this.#advice.tell(told),
      describe: () => this.#describe(),
      // The answer leaves first.
      shutdown: (reason) => void setImmediate(() => void this.stop(reason)),
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
      // Who asks is not of interest to who asks.
      clients: this.#knownClients() - 1,
      live: this.#views.countLive(liveTime),
      ...this.#views.sizes,
      memory: { rss, heap: heapUsed },
      cpu: Math.round((user + system) / 1000),
    };
  }

  #knownClients(): number {
    return [...this.#clients].filter(({ isKnown }) => isKnown).length;
  }

  #every(interval: number, job: () => void): void {
    const timer = setInterval(job, interval);
    this.#owned.add({ dispose: () => clearInterval(timer) });
  }

  /** Says that it lives. Without its lock, its record or its socket nobody finds it any more, and another may have begun. */
  async #beat(): Promise<void> {
    const { home, clock, platform } = this.#ports;
    const isThere = platform === "win32" || this.#addresses.every((address) => existsSync(address));
    // A file of settings may have changed while nobody asked for any.
    this.#settings.now();
    const isOurs = await this.#lock.beat();
    if (!isOurs || !touchRecord(home, this.#token, clock.now()) || !isThere) await this.stop("superseded");
  }

  #checkUse(idleAfter: number): void {
    const now = this.#ports.clock.now();
    const isBusy = this.#ports.benches?.isBusy === true;
    if (isBusy || this.#knownClients() > 0 || this.#views.countLive(Math.min(idleAfter, liveTime)) > 0)
      this.#usefulAt = now;
    else if (now - this.#usefulAt >= idleAfter) void this.stop("idle");
  }

  async #stop(reason: StopReason): Promise<void> {
    const { log, home, ledger, benches, version } = this.#ports;
    const ledgers = ledger === undefined ? [] : [{ name: "the ledger", finish: () => ledger.finish() }];
    const finishers = [...this.#ports.finishers, ...ledgers];
    const closed = new Promise<void>((resolve) => this.#endpoint.server.close(() => resolve()));
    if (benches !== undefined)
      await this.#finish({ name: "benches", finish: () => benches.finish() }, reason);
    // Whoever waits for a window's answer is asked by the agent itself.
    this.#messages?.dispose();
    const hooks = this.#hooks;
    // What hooks told goes into the ledger before that is closed.
    if (hooks !== undefined)
      await this.#finish({ name: "what hooks told", finish: () => hooks.finish() }, reason);
    const rules = this.#rules;
    if (rules !== undefined) await this.#finish({ name: "rules", finish: () => rules.finish() }, reason);
    this.#owned.dispose();
    await Promise.all(finishers.map((finisher) => this.#finish(finisher, reason)));
    removeRecord(home, this.#token);
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

/** A session that changed within this time may well change again. Milliseconds. */
const liveTime = 30 * 60_000;
