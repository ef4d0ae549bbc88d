import assert from "node:assert/strict";
import { readCommandLine } from "../../../../src/engine/guard/commands/shell-reader.ts";
import type { GuardHitEntry } from "../../../../src/engine/guard/hit-entry.ts";
import { SentAdvice, FindingDelivery } from "../../../../src/engine/guard/delivery.ts";
import { wasteHandlers } from "../../../../src/engine/guard/waste/waste-handler.ts";
import { hookEvent } from "../../../../src/engine/hooks/event/event.ts";
import type { HookCaller } from "../../../../src/engine/hooks/program.ts";
import type { GuardMode } from "../../../../src/engine/settings/guard.ts";
import { findCallsInContext } from "../../../../src/engine/transcripts/claude/in-context/in-transcript.ts";
import { Restarts } from "../support/restarts.ts";
import { testContext } from "../support/shell-context.ts";
import { timelessPipeline } from "../../hooks/support/timeless-pipeline.ts";

export const folder = "/home/ann/shop";

export interface Caller {
  readonly session?: string;
  readonly agent?: string;
  readonly prompt?: string;
  readonly use?: string;
}

/** The guard on waste with a made-up disk and clock, for any agent. */
export class WasteSession {
  readonly files = new Map<string, string>();
  readonly folders = new Set<string>();
  /** The user's exceptions: texts by rule. */
  readonly exceptions = new Map<string, string>();
  readonly recorded: GuardHitEntry[] = [];
  readonly #program: HookCaller;
  readonly #hooks;
  /** The agent's transcript, where there is one. */
  transcript: string | undefined;
  mode: GuardMode;
  now = 1_800_000_000_000;

  constructor(mode: GuardMode = "on", program: HookCaller = "claude-code") {
    this.mode = mode;
    this.#program = program;
    this.#hooks = new Restarts((memory) => {
      const modeOf = () => this.mode;
      const record = (entries: readonly GuardHitEntry[]) => void this.recorded.push(...entries);
      const now = () => this.now;
      const isExcepted = (rule: string, text: string) => this.exceptions.get(rule) === text;
      const add = (_: string, message: string) => assert.fail(message);
      const hooks = timelessPipeline(add);
      const { calls, context } = wasteHandlers({
        delivery: new FindingDelivery({
          modeOf,
          record,
          memory,
          sent: new SentAdvice(memory),
          isSilent: () => false,
          now,
          isExcepted,
        }),
        modeOf,
        isExcepted,
        record,
        memory,
        now,
        invocationsOf: (command, at) =>
          Promise.resolve(readCommandLine(command, { ...testContext, folder: at })),
        textOf: (file) => Promise.resolve(this.files.get(file) ?? null),
        findCallsInContext: (program, transcript, calls) => {
          const isClaude = program === "claude-code";
          return isClaude ? findCallsInContext(transcript, calls) : Promise.resolve(new Set());
        },
        sizeOf: (file) => Promise.resolve(this.files.get(file)?.length ?? null),
        dependenciesIn: (at) =>
          Promise.resolve(this.folders.has(`${at}/node_modules`) ? "node_modules" : null),
      });
      // The answer is tested, not how soon: the machine may be busy. Handlers of one event have 3 s together.
      hooks.register({ ...calls, budget: 1_400 });
      hooks.register({ ...context, budget: 1_400 });
      return hooks;
    });
  }

  restart(): void {
    this.#hooks.restart();
  }

  /** A hook; returns what the agent is answered, as text. */
  async tell(
    name: string,
    members: object = {},
    { session = "s", agent, prompt = "p" }: Caller = {},
  ): Promise<string> {
    const event = hookEvent.parse({
      hook_event_name: name,
      session_id: session,
      prompt_id: prompt,
      cwd: folder,
      ...(agent === undefined ? {} : { agent_id: agent }),
      ...(this.transcript === undefined ? {} : { transcript_path: this.transcript }),
      ...members,
    });
    const { text } = await this.#hooks.handlers.answer(event, this.#program);
    return text;
  }

  /** A call of Claude Code's tool Read, from a first line on. */
  async read(
    file: string,
    { first, count }: { first?: number; count?: number } = {},
    caller: Caller = {},
  ): Promise<string> {
    const lines = (this.files.get(file) ?? "").split("\n");
    const from = first ?? 1;
    const content = lines.slice(from - 1, count === undefined ? undefined : from - 1 + count).join("\n");
    const numLines = content.split("\n").length;
    return await this.tell(
      "PostToolUse",
      {
        tool_name: "Read",
        tool_use_id: caller.use ?? "t",
        tool_input: {
          file_path: file,
          ...(first === undefined ? {} : { offset: first }),
          ...(count === undefined ? {} : { limit: count }),
        },
        tool_response: {
          type: "text",
          file: { filePath: file, content, numLines, startLine: from, totalLines: lines.length },
        },
      },
      caller,
    );
  }

  /** A command's whole call: the answers before and after it. */
  async run(
    command: string,
    { stdout = "", fails }: { stdout?: string; fails?: string } = {},
    caller: Caller = {},
  ): Promise<{ before: string; after: string }> {
    const call = { tool_name: "Bash", tool_input: { command } };
    const before = await this.tell("PreToolUse", call, caller);
    const after =
      fails === undefined
        ? await this.tell(
            "PostToolUse",
            { ...call, tool_response: { stdout, stderr: "", interrupted: false, isImage: false } },
            caller,
          )
        : await this.tell("PostToolUseFailure", { ...call, error: fails }, caller);
    return { before, after };
  }
}
