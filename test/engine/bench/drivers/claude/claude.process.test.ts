import { randomUUID } from "node:crypto";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import fc from "fast-check";
import { allowedTools, claudeArguments } from "../../../../../src/engine/bench/drivers/claude/arguments.ts";
import { ClaudeDriver } from "../../../../../src/engine/bench/drivers/claude/claude.ts";
import { claudeEnvironment } from "../../../../../src/engine/bench/drivers/claude/claude-environment.ts";
import { ClaudeTranscript } from "../../../../../src/engine/bench/drivers/claude/transcript.ts";
import type { AgentEnd, AgentTask, RunFolders } from "../../../../../src/engine/bench/drivers/driver.ts";
import { environmentSign } from "../../../../../src/engine/bench/drivers/environment-signs.ts";
import { keptTrajectorySchema } from "../../../../../src/engine/bench/state/stored-trajectory.ts";
import { benchEnvironment } from "../../../../../src/extension/service/job-environment.ts";
import { assert } from "../../../support/assert-texts.ts";
import { configuration, makeTinyBench } from "../../support/tiny-suite.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), "purser-driver-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const placesIn = (folder: string): RunFolders => ({
  root: folder,
  copy: path.join(folder, "project"),
  home: path.join(folder, "home"),
  temporary: path.join(folder, "tmp"),
  config: path.join(folder, "config"),
});

test("only listed variables enter the agent's environment", () => {
  const word = fc.stringMatching(/^[A-Z][A-Z_]{0,20}$/u);
  const folders = placesIn("/run");
  const about = { userHome: "/home/me", folders, mark: "m", platform: "linux" } as const;
  const none = Object.keys(claudeEnvironment({ ...about, env: {} }));
  fc.assert(
    fc.property(fc.dictionary(word, fc.string({ minLength: 1 })), (env) => {
      const given = claudeEnvironment({ ...about, env });
      for (const name of Object.keys(given))
        assert.ok(
          none.includes(name) ||
            /^(?:PATH|SHELL|USER|LANG|ANTHROPIC_|AWS_|CLAUDE_CODE_|HTTPS?_PROXY|GOOGLE_|AZURE_|CLOUD|NO_PROXY|ALL_PROXY|COMSPEC|WINDIR|LOGNAME|PATHEXT|SYSTEM|PROGRAM|USERNAME)/u.test(
              name,
            ),
          name,
        );
      assert.equal(given["HOME"], "/run/home");
      assert.equal(given["CLAUDE_CONFIG_DIR"], "/run/config");
    }),
  );
});

test("keys of a cloud enter a run only if that cloud is switched on", () => {
  const about = { userHome: "/home/me", folders: placesIn("/run"), mark: "m", platform: "linux" } as const;
  const keys = {
    AWS_SECRET_ACCESS_KEY: "a",
    AWS_BEARER_TOKEN_BEDROCK: "b",
    ANTHROPIC_BEDROCK_BASE_URL: "c",
    GOOGLE_APPLICATION_CREDENTIALS: "d",
    GOOGLE_API_KEY: "e",
    CLOUD_ML_REGION: "f",
    AZURE_CLIENT_SECRET: "g",
    ANTHROPIC_FOUNDRY_API_KEY: "h",
  };
  const of = { BEDROCK: ["a", "b", "c"], VERTEX: ["d", "e", "f"], FOUNDRY: ["g", "h"] };
  const switches = fc.record(
    Object.fromEntries(
      Object.keys(of).map((cloud) => [
        `CLAUDE_CODE_USE_${cloud}`,
        fc.constantFrom(undefined, "", "0", "false", "off", "1", "true"),
      ]),
    ),
  );
  fc.assert(
    fc.property(switches, (reported) => {
      const wanted = Object.entries(of).flatMap(([cloud, values]) =>
        ["1", "true"].includes(reported[`CLAUDE_CODE_USE_${cloud}`] ?? "") ? values : [],
      );
      const env = { ...keys, ...reported, ANTHROPIC_API_KEY: "key" };
      for (const given of [claudeEnvironment({ ...about, env }), benchEnvironment(env)]) {
        const found = Object.entries(given).flatMap(([name, value]) => (name in keys ? [value] : []));
        assert.deepEqual(found.sort(), wanted);
        assert.equal(given["ANTHROPIC_API_KEY"], "key");
      }
    }),
  );
});

test("a login stays in place: its location is passed on, unless a key identifies the user", () => {
  const about = { userHome: "/home/me", folders: placesIn("/run"), mark: "m" } as const;
  const placeOf = (env: Record<string, string>, platform: NodeJS.Platform = "linux") =>
    claudeEnvironment({ ...about, env, platform })["CLAUDE_SECURESTORAGE_CONFIG_DIR"];
  assert.equal(placeOf({}), path.join("/home/me", ".claude"));
  assert.equal(placeOf({ CLAUDE_CONFIG_DIR: "/theirs" }), "/theirs");
  assert.equal(placeOf({ ANTHROPIC_API_KEY: "k" }), undefined);
  // The keychain's entry for the default folder has no folder in its name, and is found through the user's home.
  assert.equal(placeOf({}, "darwin"), "");
  assert.equal(claudeEnvironment({ ...about, env: {}, platform: "darwin" })["HOME"], "/home/me");
  const bedrock = claudeEnvironment({ ...about, env: { CLAUDE_CODE_USE_BEDROCK: "1" }, platform: "linux" });
  assert.equal(bedrock["AWS_CONFIG_FILE"], path.join("/home/me", ".aws", "config"));
});

test("no permission is bypassed, and hooks run only where a configuration brings them", () => {
  const reported = { maxTurns: 9, sessionId: "s" };
  const plain = claudeArguments({ prompt: "Do it" }, configuration(), reported);
  assert.ok(
    !plain.join(" ").includes("bypass") && plain.includes("acceptEdits") && plain.includes(allowedTools),
  );
  assert.ok(plain.includes('{"disableAllHooks":true}'));
  assert.ok(!plain.includes("--mcp-config"));
  const overlay = [".claude/settings.json", ".mcp.json"].map((each) => ({ path: each, text: "{}" }));
  const brought = claudeArguments(
    { prompt: "-x" },
    { ...configuration(), effort: "high", overlay },
    reported,
  );
  assert.ok(!brought.includes("--settings") && brought.includes("--mcp-config") && brought.includes("high"));
  assert.ok(!brought.includes("-x") && brought.includes(" -x"));
});

test("the tools of MCP servers that a configuration brings are allowed, by the names the agent gives them", () => {
  const reported = { maxTurns: 9, sessionId: "s" };
  const text = JSON.stringify({ mcpServers: { tides: {}, "harbor, and (more)": {} } });
  const overlay = [{ path: ".mcp.json", text }];
  const brought = claudeArguments({ prompt: "Do it" }, { ...configuration(), overlay }, reported);
  const allowed = brought[brought.indexOf("--allowedTools") + 1];
  assert.equal(allowed, `${allowedTools},mcp__tides,mcp__harbor__and__more_`);
  const broken = { ...configuration(), overlay: [{ path: ".mcp.json", text: "{" }] };
  assert.ok(claudeArguments({ prompt: "Do it" }, broken, reported).includes(allowedTools));
});

test("signs of the environment are distinguished from other failures", () => {
  const signs: [string, string | null][] = [
    ["Not logged in · Please run /login", "not logged in"],
    ["API Error: 401 invalid x-api-key", "not logged in"],
    ["You've hit your session limit · resets 3pm", "quota"],
    ["Credit balance is too low", "quota"],
    ["API Error: 529 overloaded_error", "the API was overloaded"],
    ["API Error: Connection error.", "network"],
    ["getaddrinfo ENOTFOUND api.anthropic.com", "network"],
    ["I could not find the file", null],
    ["429 API Error", "quota"],
    ['{"error":{"code":429,"message":"Resource has been exhausted"}}', "quota"],
    ["exceeded retry limit, last status: 429 Too Many Requests", "quota"],
    ["[API Error: got status: 503 . no healthy upstream]", "the API was overloaded"],
    ["Request failed with status code 502", "the API was overloaded"],
    ["the server answered 503 Service Unavailable", "the API was overloaded"],
    ["You have hit your weekly limit: limit reached", "quota"],
    // Numbers that are no status of a response.
    ["400 API Error: 400 messages.429.content.0: unexpected tool_use_id", null],
    ["400 API Error: 400 messages.403.content: tool_use ids without tool_result", null],
    ["at load (cli.js:502:13)", null],
    ["Prompt is too long: 200 500 tokens", null],
    ["Context limit reached", null],
    ["The context window limit reached its end", null],
  ];
  for (const [text, what] of signs) assert.equal(environmentSign(text), what, text);
});

test("any transcript lines give storable entries", () => {
  const usage = { input_tokens: 5, output_tokens: 7, cache_read_input_tokens: 1 };
  const content = fc.array(
    fc.oneof(
      fc.record({ type: fc.constant("text"), text: fc.string() }),
      fc.record({
        type: fc.constant("tool_use"),
        id: fc.constantFrom("1", "2", "3"),
        name: fc.constantFrom("Read", "Bash", ""),
        input: fc.record({ file_path: fc.string(), command: fc.anything() }, { requiredKeys: [] }),
      }),
      fc.anything(),
    ),
  );
  const row = fc.record({
    type: fc.constantFrom("assistant", "user", "system", "other"),
    timestamp: fc.constantFrom("2026-11-21T10:00:00Z", "x"),
    message: fc.record({
      id: fc.constantFrom("a", "b"),
      model: fc.constant("m"),
      usage: fc.constant(usage),
      content,
    }),
  });
  fc.assert(
    fc.property(fc.array(fc.oneof(row, fc.anything(), fc.string())), (rows) => {
      const transcript = new ClaudeTranscript("/copy", 0);
      for (const each of rows) {
        const text = typeof each === "string" ? each : JSON.stringify({ ...rowOf(each) });
        transcript.line(Buffer.from(text), { sessionId: "s", agentId: null });
      }
      const { turns, toolCalls, usage: sum } = transcript.trajectory("s");
      assert.equal(transcript.turns.length, turns);
      assert.equal(sum.output, 7 * turns);
      assert.ok(toolCalls <= 3);
      const kept = {
        format: 1,
        driver: "claude",
        by: "m",
        sessionId: "s",
        turns: transcript.turns,
        changes: [],
        checkOutput: null,
      };
      assert.ok(keptTrajectorySchema.safeParse(kept).success);
    }),
  );
});

function rowOf(value: unknown): object {
  return typeof value === "object" && value !== null ? value : { value };
}

async function fake(script: string): Promise<string> {
  const program = path.join(root, "claude");
  await writeFile(program, `#!/bin/sh\n${script}\n`);
  await chmod(program, 0o755);
  return program;
}

function driverOf(program: string): ClaudeDriver {
  return new ClaudeDriver({
    program,
    env: { PATH: process.env["PATH"] },
    userHome: root,
    clock: { now: () => Date.now() },
    scratch: root,
  });
}

const skip = process.platform === "win32";

test("the agent is asked whether it is installed and logged in", { skip }, async () => {
  const reasonOf = async (program: string) => {
    const ready = await driverOf(program).ready();
    return ready.ok ? "ready" : ready.reason;
  };
  assert.equal(await reasonOf(path.join(root, "nothing")), "not_installed");
  assert.equal(await reasonOf(await fake(`echo '{"loggedIn": false}'`)), "not_logged_in");
  assert.equal(await reasonOf(await fake(`printf '{\\n "loggedIn": true\\n}\\n'`)), "ready");
  // An older version lacks the command.
  assert.equal(await reasonOf(await fake("echo unknown command; exit 1")), "ready");
});

async function runUntilItsTime(program: string): Promise<{ end: AgentEnd; mark: string }> {
  const tiny = await makeTinyBench();
  try {
    const folders = placesIn(path.join(root, "run"));
    for (const folder of [folders.copy, folders.home, folders.temporary, folders.config])
      await mkdir(folder, { recursive: true });
    const [task] = tiny.suite.tasks;
    assert.ok(task !== undefined);
    const mark = `driver-${randomUUID()}`;
    const about: AgentTask = {
      folders,
      task,
      mark,
      configuration: configuration(),
      definition: "",
      round: 1,
      limits: { time: 400, turns: 5, tokens: 1000 },
      signal: new AbortController().signal,
      onTrajectory: () => undefined,
    };
    const { end } = await driverOf(program).run(about);
    return { end, mark };
  } finally {
    await tiny.remove();
  }
}

test("a run that does not end is ended in time, with all its processes", { skip }, async () => {
  // It also ends what is left in a separate process group.
  const { end, mark } = await runUntilItsTime(await fake(`setsid sleep 77 & sleep 77`));
  assert.deepEqual(end, { kind: "limit", detail: "time: 0.4 s" });
  assert.deepEqual(await processesWith(mark), []);
});

test("so is one that keeps starting others, each in its own group", { skip }, async () => {
  const begins = "while :; do setsid sleep 77 & sleep 0.01; done";
  const program = await fake(`for each in 1 2 3; do setsid sh -c '${begins}' & done; sleep 77`);
  const { mark } = await runUntilItsTime(program);
  assert.deepEqual(await processesWith(mark), []);
});

/** Names of the marked processes that are still running. */
async function processesWith(mark: string): Promise<string[]> {
  if (process.platform !== "linux") return [];
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/u.test(name));
  const read = pids.map(async (pid) => {
    const environment = await readFile(`/proc/${pid}/environ`, "latin1").catch(() => "");
    return environment.includes(mark) ? await readFile(`/proc/${pid}/comm`, "latin1").catch(() => "") : "";
  });
  return (await Promise.all(read)).filter((name) => name !== "");
}

test("commands in the golden agents' instructions are allowed", async () => {
  const folder = path.join(import.meta.dirname, "../../../../../golden/agents");
  const allowed = [...allowedTools.matchAll(/Bash\(([^)]*):\*\)/gu)].map(([, command = ""]) => command);
  const definitions = await Promise.all(
    (await readdir(folder)).map((name) => readFile(path.join(folder, name), "utf8")),
  );
  const reported = definitions.flatMap((text) =>
    [...text.matchAll(/`((?:npm|npx|node) [^`]*)`/gu)].map(([, command = ""]) => command),
  );
  assert.ok(reported.some((command) => command.startsWith("npx tsx -e")));
  for (const command of reported)
    assert.ok(
      allowed.some((each) => command === each || command.startsWith(`${each} `)),
      command,
    );
});
