import type { TokenUsage } from "../../../src/engine/usage/token-counts.ts";
import type { Random, TextPool } from "./filler.ts";

/** A response's rows, including its tool result's row, and its usage. */
export interface Turn {
  readonly rows: readonly Row[];
  readonly usage: TokenUsage;
}

type Row = Readonly<Record<string, unknown>>;

interface WriterInput {
  readonly random: Random;
  readonly pool: TextPool;
  /** Session number: one in four is written by an old version of the agent. */
  readonly number: number;
  /** Milliseconds since the epoch. */
  readonly start: number;
}

export interface SessionWriter {
  readonly id: string;
  readonly agentId: string;
  readonly project: string;
  opening(): Row[];
  turn(): Turn;
  subagent(): SessionWriter;
  fork(): SessionWriter & { copied(row: Row): Row };
}

const models = [
  "claude-sonnet-4-6",
  "claude-opus-4-8",
  "claude-haiku-4-5-20251001",
  "claude-opus-5",
] as const;
const windowLimit = 167_000;

export function newWriter(input: WriterInput): SessionWriter {
  const { random } = input;
  return new Writer(
    input,
    random.uuid(),
    "",
    `/home/crew/ships/argo-${input.number % 23}`,
    random.pick(models),
  );
}

class Writer implements SessionWriter {
  readonly id: string;
  readonly agentId: string;
  readonly project: string;
  readonly #input: WriterInput;
  readonly #model: string;
  readonly #isOld: boolean;
  #time: number;
  #context = 18_000;
  #parent: string | null = null;

  constructor(input: WriterInput, id: string, agentId: string, project: string, model: string) {
    this.#input = input;
    this.id = id;
    this.agentId = agentId;
    this.project = project;
    this.#model = model;
    this.#isOld = input.number % 4 === 0;
    this.#time = input.start;
  }

  subagent(): SessionWriter {
    return new Writer(
      this.#input,
      this.id,
      this.#input.random.hex(17),
      this.project,
      "claude-haiku-4-5-20251001",
    );
  }

  fork(): SessionWriter & { copied(row: Row): Row } {
    const { random } = this.#input;
    const fork = new Writer(this.#input, random.uuid(), "", this.project, this.#model);
    const copied = (row: Row): Row => ({
      ...row,
      sessionId: fork.id,
      ...(row["type"] === "assistant" && !this.#isOld ? { requestSessionId: this.id } : {}),
    });
    return Object.assign(fork, { copied });
  }

  opening(): Row[] {
    const { pool } = this.#input;
    if (this.#isOld)
      return [{ type: "summary", summary: pool.prose(60), leafUuid: this.#input.random.uuid() }];
    return [
      { type: "queue-operation", operation: "enqueue", timestamp: this.#tick(5), sessionId: this.id },
      this.#attachment({ type: "prompt_snapshot", systemPrompt: [pool.prose(30_000)] }),
      {
        type: "api-request-shape",
        sessionId: this.id,
        shapeHash: this.#input.random.hex(64),
        shape: { system: [{ type: "text", text: pool.prose(40_000) }] },
      },
    ];
  }

  turn(): Turn {
    const { random } = this.#input;
    const usage = this.#usage();
    const ids = { message: `msg_01${random.hex(22)}`, request: `req_011${random.hex(21)}` };
    const request = random.uuid();
    const count = random.pick([1, 1, 1, 1, 2, 2, 2, 3]);
    const isStreamed = this.#isOld && random.chance(0.4);
    const call = `toolu_01${random.hex(22)}`;
    const blocks = Array.from({ length: count }, (_, index) => {
      const output = isStreamed && index < count - 1 ? 1 + random.below(8) : usage.output;
      const block = index === count - 1 ? this.#call(call) : this.#block(index);
      return this.#assistant(ids, request, block, { ...usage, output: Math.min(output, usage.output) });
    });
    const before = this.#isOld || this.agentId !== "" ? [] : this.#requestRows(request);
    const rows = [...before, ...blocks, this.#result(call), ...this.#extras()];
    return { rows, usage };
  }

  #usage(): TokenUsage {
    const { random } = this.#input;
    const created = 200 + Math.round(1500 * random.logNormal(0.9));
    const usage = {
      input: 3 + random.below(40),
      output: 20 + Math.round(260 * random.logNormal(0.8)),
      cacheCreation5m: this.#isOld || random.chance(0.8) ? created : 0,
      cacheCreation1h: 0,
      cacheRead: this.#context,
    };
    usage.cacheCreation1h = created - usage.cacheCreation5m;
    this.#context += created + usage.output;
    return usage;
  }

  #assistant(
    ids: { message: string; request: string },
    request: string,
    block: Readonly<Record<string, unknown>>,
    usage: TokenUsage,
  ): Row {
    const message = {
      id: ids.message,
      type: "message",
      role: "assistant",
      model: this.#model,
      content: [block],
      stop_reason: block["type"] === "tool_use" ? "tool_use" : null,
      stop_sequence: null,
      usage: {
        input_tokens: usage.input,
        cache_creation_input_tokens: usage.cacheCreation5m + usage.cacheCreation1h,
        cache_read_input_tokens: usage.cacheRead,
        output_tokens: usage.output,
        server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
        service_tier: "standard",
        cache_creation: {
          ephemeral_1h_input_tokens: usage.cacheCreation1h,
          ephemeral_5m_input_tokens: usage.cacheCreation5m,
        },
        ...(this.#isOld ? {} : { inference_geo: "", iterations: [], speed: "standard" }),
      },
    };
    const asked = { requestRef: request, requestedModel: this.#model, promptCacheRequested: "5m" };
    return this.#row({ message, requestId: ids.request, ...(this.#isOld ? {} : asked) }, "assistant", 1200);
  }

  #block(index: number): Row {
    const { random, pool } = this.#input;
    if (index === 0)
      return {
        type: "thinking",
        thinking: pool.prose(random.below(400)),
        signature: pool.opaque(300 + random.below(500)),
      };
    return { type: "text", text: pool.prose(60 + Math.round(150 * random.logNormal(0.8))) };
  }

  #call(id: string): Row {
    const { random, pool } = this.#input;
    if (random.chance(0.12)) {
      const text = pool.code(Math.round(900 * random.logNormal(0.9)));
      return {
        type: "tool_use",
        id,
        name: "Edit",
        input: { file_path: `${this.project}/src/hold.ts`, old_string: text, new_string: text },
      };
    }
    return {
      type: "tool_use",
      id,
      name: "Bash",
      input: { command: pool.prose(80), description: pool.prose(40) },
    };
  }

  #result(call: string): Row {
    const { random, pool } = this.#input;
    const output = pool.code(Math.min(400_000, Math.round(520 * random.logNormal(1.15))));
    const content = [{ tool_use_id: call, type: "tool_result", content: output, is_error: false }];
    const isAgent = random.chance(0.01);
    const toolUseResult = isAgent
      ? {
          status: "completed",
          content: output,
          totalTokens: 9000,
          usage: { input_tokens: 4000, output_tokens: 5000 },
        }
      : { stdout: output, stderr: "", interrupted: false, isImage: false };
    return this.#row(
      { promptId: random.uuid(), type: "user", message: { role: "user", content }, toolUseResult },
      null,
      2500,
    );
  }

  #extras(): Row[] {
    const { random } = this.#input;
    if (this.#context > windowLimit) return this.#compaction();
    if (!random.chance(0.15)) return [];
    if (this.#isOld)
      return [this.#row({ subtype: "turn_duration", durationMs: random.below(90_000) }, "system", 20)];
    return [
      this.#attachment({ type: "total_tokens_reminder", text: `${random.below(900_000)} tokens left` }),
    ];
  }

  #compaction(): Row[] {
    const compactMetadata = {
      trigger: "auto",
      preTokens: this.#context,
      postTokens: 21_000,
      durationMs: 30_000,
    };
    this.#context = 21_000;
    return [
      this.#row(
        { subtype: "compact_boundary", content: "Conversation compacted", compactMetadata },
        "system",
        30_000,
      ),
    ];
  }

  #requestRows(id: string): Row[] {
    const { random, pool } = this.#input;
    const common = { sessionId: this.id };
    const blob = { role: "user", content: [{ type: "text", text: pool.prose(200 + random.below(900)) }] };
    const params = {
      model: this.#model,
      betas: ["claude-code-20250219", "interleaved-thinking-2025-05-14"],
      max_tokens: 32_000,
    };
    const request = {
      type: "api-request",
      ...common,
      id,
      timestamp: this.#tick(1),
      version: "2.1.330",
      params,
      tail: [random.hex(64)],
    };
    return random.chance(0.3)
      ? [{ type: "api-request-blob", ...common, hash: random.hex(64), message: blob }, request]
      : [];
  }

  #attachment(attachment: object): Row {
    return this.#row({ attachment }, "attachment", 1);
  }

  #row(fields: Row, type: string | null, pause: number): Row {
    const uuid = this.#input.random.uuid();
    const row = {
      parentUuid: this.#parent,
      isSidechain: this.agentId !== "",
      ...(this.agentId === "" ? {} : { agentId: this.agentId }),
      ...fields,
      ...(type === null ? {} : { type }),
      uuid,
      timestamp: this.#tick(pause),
      userType: "external",
      entrypoint: "cli",
      cwd: this.project,
      sessionId: this.id,
      version: this.#isOld ? "2.1.197" : "2.1.330",
      gitBranch: "main",
    };
    this.#parent = uuid;
    return row;
  }

  #tick(pause: number): string {
    this.#time += Math.round(pause * (0.5 + this.#input.random.next()));
    return new Date(this.#time).toISOString();
  }
}
