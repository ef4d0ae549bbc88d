import { randomUUID } from "node:crypto";
import { homedir } from "node:os";
import type { SessionMemory } from "../base/per-session.ts";
import { inTime, type Clock, systemTimer } from "../base/timing.ts";
import { foldSpool, type FoldPorts } from "./fold-spool.ts";
import { readHook, type HookEvent, type HookEventName, type ReadHook } from "./event/event.ts";
import { withTrueType, sessionReportOf } from "./event/session-report.ts";
import { type HookHandler, RepeatedProblems } from "./hooks-handler.ts";
import { LateAnswers, HookPipeline, type Answered } from "./pipeline.ts";
import { callerOf, hookPrograms, isProbe, probeText, type HookCaller } from "./program.ts";
import { HookRecorder, type RecorderPorts } from "./hooks-recorder.ts";
import { isReportedElsewhere, takeLatePrompts } from "./server.ts";
import { writeSpoolFile } from "./spool-file.ts";
import { isPipe, linkSocket, unlinkSocket, type Endpoint } from "../protocol/endpoint.ts";
import { parseBody, type HookBody } from "./server/body.ts";
import { requestOfLate, type HookRequest } from "./server/hooks-server-request.ts";
import type { HookRepair } from "./repair-hooks.ts";
import { HookServer } from "./server/server.ts";
import type { PurserPaths } from "../base/paths.ts";
import type { LedgerEntry } from "../ledger/entries.ts";
import type { ServiceLog } from "../base/log.ts";
import type { SessionFiles } from "./session-files.ts";
import { PlanLimitChanges, type LedgerHost } from "../ledger/ledger-host.ts";
import type { HookSessions } from "../sessions/reported.ts";

export { HookPipeline } from "./pipeline.ts";
export { SessionFiles } from "./session-files.ts";

export interface HookServicePorts {
  readonly home: PurserPaths;
  readonly pid: number;
  readonly clock: Clock;
  readonly log: ServiceLog;
  readonly append: RecorderPorts["append"];
  readonly isLedgerOpen: () => boolean;
  /** Returns additional entries for the ledger, besides hooks that no service answered. */
  readonly besideSpooled?: (entries: readonly LedgerEntry[]) => readonly LedgerEntry[];
  /** Called for every hook: marks the service as in use. */
  readonly onHook: () => void;
  readonly memory: Pick<SessionMemory, "part">;
  /** Persists what handlers remember of sessions. Without it they start empty. */
  readonly kept?: Pick<SessionFiles, "start" | "stop" | "settle">;
  /** Repairs installed hooks once the address of the hook server is known. */
  readonly repair?: HookRepair;
  /** Called with every recognized hook before it is answered. */
  readonly observe?: (event: HookEvent, at: number) => void;
}

/** Interval for folding the spool: hooks that a shim could not deliver to a running service. Milliseconds. */
const foldInterval = 60_000;
/** Time after which prompts that passed during the start are read again. Milliseconds. */
const soon = 2000;
/** Maximum time at shutdown for the recorder to append its pending entries to the ledger. Milliseconds. */
const finishTime = 3000;

/** Maximum wait of a hook for writing its session's state. Milliseconds. */
const settleTime = 200;

/** Maximum length of a recorded agent, tool or rule name. Characters. */
const maxNameLength = 200;

const nothing: Omit<Answered, "outcome"> = { text: "", handlers: [], rule: null, injected: 0 };

export class HookService {
  readonly #ports: HookServicePorts;
  readonly #problems: RepeatedProblems;
  readonly #pipeline: HookPipeline;
  readonly #recorder: HookRecorder;
  readonly #server: HookServer;
  #listening: Promise<void> = Promise.resolve();
  #folding: Promise<void> = Promise.resolve();
  /** A fold is queued that has not read the spool yet. */
  #isFoldDue = false;
  #timer: NodeJS.Timeout | undefined;
  #soon: NodeJS.Timeout | undefined;
  #isOver = false;
  /** The socket that `hookSocket` leads to. */
  #linked: string | undefined;

  constructor(ports: HookServicePorts) {
    this.#ports = ports;
    const { home, clock, log, append } = ports;
    this.#problems = new RepeatedProblems(
      (message) => log.write("warn", message),
      () => clock.now(),
    );
    const late = new LateAnswers(ports.memory);
    this.#pipeline = new HookPipeline(this.#problems, systemTimer, late.keep);
    this.#pipeline.register(late.handler);
    if (ports.repair !== undefined) this.#pipeline.register(ports.repair.handler);
    this.#recorder = new HookRecorder({
      append,
      isOpen: ports.isLedgerOpen,
      spool: (entries) => {
        writeSpoolFile(
          home.spool,
          `${clock.now()}-${ports.pid}-${randomUUID()}`,
          entries.map((entry) => JSON.stringify(entry)),
        );
        this.#fold();
      },
      onProblem: (message) => this.#problems.add("recorder", message),
    });
    this.#server = new HookServer({
      home,
      answer: (body, request, signal) => this.#answer(body, request, signal),
      onProblem: (kind, message) => this.#problems.add(kind, message),
    });
  }

  /** @throws when the handlers of an event could together take longer than the agent waits */
  register<Name extends HookEventName>(handler: HookHandler<Name>): void {
    this.#pipeline.register(handler);
  }

  /**
   * Also answers hooks from purser's own programs, on the service's client endpoint. Returns its address, or
   * undefined.
   */
  async open(endpoint: Pick<Endpoint, "address">, token: string): Promise<string | undefined> {
    const listening = await this.#server.listenBeside(endpoint, token);
    if (listening.ok) {
      this.#link(listening.value.address);
      return listening.value.address;
    }
    this.#ports.log.write("error", `Hooks that are commands are not answered: ${listening.detail.text}`);
    return undefined;
  }

  /** Lets commands find the service without the hook program. */
  #link(address: string): void {
    const { home, log } = this.#ports;
    if (isPipe(address)) return;
    const linked = linkSocket(address, home.hookSocket);
    if (linked.ok) this.#linked = address;
    else log.write("warn", `Hooks that are commands start Node: ${linked.detail.text}`);
  }

  /** Starts listening, and folds the hooks that were spooled before. */
  start(): void {
    this.#ports.kept?.start();
    this.#listening = this.#listen();
    this.#fold();
    void this.#hearLate();
    // A hook may have left its prompt while this service was starting.
    this.#soon = setTimeout(() => void this.#hearLate(), soon);
    this.#timer = setInterval(() => {
      this.#fold();
      void this.#hearLate();
      if (this.#linked !== undefined) this.#link(this.#linked);
    }, foldInterval);
  }

  /** Finishes the answers in progress, then flushes entries to the ledger (or else the spool) and writes session state. */
  async stop(): Promise<void> {
    this.#isOver = true;
    this.#ports.repair?.stop();
    clearInterval(this.#timer);
    clearTimeout(this.#soon);
    await this.#listening;
    if (this.#linked !== undefined) unlinkSocket(this.#linked, this.#ports.home.hookSocket);
    await this.#server.close();
    await Promise.all([this.#ports.kept?.stop(), this.#recorder.stop(finishTime)]);
  }

  async #listen(): Promise<void> {
    const { log } = this.#ports;
    const listening = await this.#server.listen();
    if (!listening.ok) {
      log.write("error", `Hooks are not answered: ${listening.detail.text}`);
      return;
    }
    const { address, movedFrom } = listening.value;
    if (movedFrom === null) log.write("info", `Hooks are answered at port ${address.port}`);
    else
      log.write(
        "warn",
        `Somebody else has port ${movedFrom}: hooks are answered at port ${address.port}, and mended where they are the user's own`,
      );
    this.#ports.repair?.start();
  }

  #fold(): void {
    if (this.#isFoldDue) return;
    this.#isFoldDue = true;
    const { home, clock, besideSpooled = () => [] } = this.#ports;
    const append: FoldPorts["append"] = (entries) =>
      this.#ports.append([...entries, ...besideSpooled(entries)]);
    this.#folding = this.#folding
      .then(async () => {
        this.#isFoldDue = false;
        if (this.#isOver) return;
        const onProblem = (message: string) => this.#problems.add(`spool ${message}`, message);
        await foldSpool(home.spool, { append, onProblem, now: () => clock.now() });
      })
      .catch((error: unknown) => this.#problems.add("spool", `The spool: ${String(error)}`));
  }

  /**
   * Lets handlers answer prompts whose agents no longer wait. The answers are sent with the sessions' next
   * hooks.
   */
  async #hearLate(): Promise<void> {
    const { home, clock } = this.#ports;
    const onProblem = (message: string) => this.#problems.add("late prompts", message);
    try {
      for (const prompt of await takeLatePrompts(home.prompts, { now: clock.now(), onProblem })) {
        const body = { bytes: Buffer.from(prompt.body), isCut: false };
        await this.#answer(body, requestOfLate(prompt), AbortSignal.abort(), prompt.at);
      }
    } catch (error) {
      onProblem(`A prompt that came before the service was not heard: ${String(error)}`);
    }
  }

  async #answer(
    body: HookBody,
    request: HookRequest,
    signal: AbortSignal,
    at = this.#ports.clock.now(),
  ): Promise<string> {
    const { onHook } = this.#ports;
    const startedAt = performance.now();
    onHook();
    const input = parseBody(body);
    const program = this.#callerOf(input, request);
    if (program === null) return "";
    const read = readHook(input, program);
    const event = read?.event ?? null;
    const hook = read === null || event === null ? read : { ...read, event: withTrueType(event) };
    if (hook === null) {
      this.#problems.add("unreadable", `${body.bytes.length} bytes were posted that are no hook`);
      return "";
    }
    const { session_id: session } = hook.head;
    if (isProbe(session))
      return probeText({
        session,
        caller: program,
        servicePid: this.#ports.pid,
        isByCurl: request.env !== null,
      });
    this.#observe(hook, at);
    const answered = await this.#answered(hook, { ...request, program }, signal);
    if (answered.text !== "" || hook.head.hook_event_name === "SessionEnd") await this.#settle(session);
    // The status line reports after every model response and is not a hook, so it is not recorded.
    if (hook.event?.hook_event_name !== "StatusLine")
      this.#record(hook, answered, { at, id: request.id, durationMs: performance.now() - startedAt });
    return answered.text;
  }

  /** Finds who runs a hook that curl has passed on. Null where another hook of purser's reports the same event. */
  #callerOf(input: unknown, { program, env }: HookRequest): HookCaller | null {
    const installed = hookPrograms.find((each) => each === program);
    if (env === null || installed === undefined) return program;
    const caller = callerOf(installed, input, env);
    const about = { program: installed, caller, hook: input };
    return isReportedElsewhere(about, { env: process.env, home: homedir() }) ? null : caller;
  }

  /** Saves now: if the service is killed, it must not repeat a text or lose a session's state. */
  async #settle(session: string): Promise<void> {
    const { kept } = this.#ports;
    if (kept !== undefined && !(await inTime(kept.settle(session), settleTime)))
      this.#problems.add("settle", `What is known of a session was not written in ${settleTime} ms`);
  }

  #observe({ event }: ReadHook, at: number): void {
    if (event === null) return;
    try {
      this.#ports.observe?.(event, at);
    } catch (error) {
      this.#problems.add("observer", `What a hook told could not be noted: ${String(error)}`);
    }
  }

  async #answered(
    { event, head }: ReadHook,
    { program, ...about }: HookRequest,
    signal: AbortSignal,
  ): Promise<Answered> {
    if (event !== null) return await this.#pipeline.answer(event, program, { ...about, signal });
    this.#problems.add("unknown", `Nothing is known of hooks of ${head.hook_event_name}`);
    return { ...nothing, outcome: "unknown_event" };
  }

  #record(
    { head }: ReadHook,
    { outcome, handlers, rule, injected }: Answered,
    { at, id, durationMs }: { at: number; id: string | null; durationMs: number },
  ): void {
    this.#recorder.record({
      kind: "hook-event",
      id: `hook:${id ?? randomUUID()}`,
      sessionId: head.session_id,
      // The ledger rejects longer names, and a rejected entry would be lost.
      agentId: head.agent_id?.slice(0, maxNameLength) ?? null,
      at,
      event: head.hook_event_name,
      tool: head.tool_name?.slice(0, maxNameLength) ?? null,
      call:
        head.hook_event_name === "PreToolUse" ? (head.tool_use_id?.slice(0, maxNameLength) ?? null) : null,
      handler: handlers.length === 0 ? null : handlers.join(","),
      outcome,
      rule: rule?.slice(0, maxNameLength) ?? null,
      durationMs,
      injectedChars: injected,
    });
  }
}

interface SessionReporterPorts {
  readonly hookSessions: Pick<HookSessions, "apply">;
  readonly ledger: Pick<LedgerHost, "append">;
  readonly onProblem: (message: string) => void;
}

/** Passes on what hooks report: to live sessions before any handler is called, and plan limits to the ledger. */
export function createSessionReporter({
  hookSessions,
  ledger,
  onProblem,
}: SessionReporterPorts): (event: HookEvent, at: number) => void {
  const limits = new PlanLimitChanges();
  const record = async (entries: readonly LedgerEntry[]) => {
    const done = await ledger.append(entries);
    if (done.ok) return;
    limits.forget();
    onProblem(`Could not record the plan limits: ${done.detail.text}`);
  };
  return (event, at) => {
    const report = sessionReportOf(event, at);
    if (report === null) return;
    hookSessions.apply(report);
    const entries = limits.entriesOf(report);
    if (entries.length > 0) record(entries).catch((error: unknown) => onProblem(String(error)));
  };
}
