import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import assert from "node:assert/strict";
import path from "node:path";
import { Readable } from "node:stream";
import type { TestContext } from "node:test";
import * as z from "zod";
import { wakeJson } from "../../../../src/engine/cli/economy/economy-schema.ts";
import { writeTree } from "../../support/write-tree.ts";
import { ServiceSandbox, serviceProgram } from "../../service/support/box.ts";
import { Scratch } from "../support/support.ts";

/**
 * A program with Claude Code's command line. It writes a session's file, records its start, and runs the
 * shell lines `RUN …` of its prompt.
 */
const fake = (log: string) => `#!${process.execPath}
const { appendFileSync, existsSync, mkdirSync, readFileSync } = require("node:fs");
const { spawnSync } = require("node:child_process");
const args = process.argv.slice(2);
const after = (name) => { const at = args.indexOf(name); return at === -1 ? null : args[at + 1]; };
const prompt = args[1];
const resume = after("--resume");
const ahead = Number(process.env.AHEAD ?? 0);
const folder = process.env.CLAUDE_CONFIG_DIR + "/projects/p";
const file = (id) => folder + "/" + id + ".jsonl";
const note = () => appendFileSync(${JSON.stringify(log)}, JSON.stringify({ args, cwd: process.cwd(), inside: process.env.CLAUDECODE ?? null, longCache: process.env.ENABLE_PROMPT_CACHING_1H ?? null, settings: JSON.parse(readFileSync(after("--settings"), "utf8")) }) + "\\n");
if (resume !== null && !existsSync(file(resume))) { note(); console.error("No conversation found with session ID: " + resume); process.exit(1); }
if (prompt.includes("QUOTA")) { note(); console.log(JSON.stringify({ type: "result", is_error: true, result: "429 rate_limit_error: usage limit reached", session_id: after("--session-id") })); process.exit(1); }
if (prompt.includes("BREAK")) { note(); console.log(JSON.stringify({ type: "result", is_error: true, result: "it broke", session_id: resume ?? after("--session-id") })); process.exit(1); }
const id = resume ?? after("--session-id");
mkdirSync(folder, { recursive: true });
const count = existsSync(file(id)) ? readFileSync(file(id), "utf8").split("\\n").length - 1 : 0;
const usage = { input_tokens: 10, output_tokens: 20, cache_read_input_tokens: count === 0 ? 0 : 8000, cache_creation_input_tokens: count === 0 ? 8000 : 400 };
appendFileSync(file(id), JSON.stringify({ type: "assistant", sessionId: id, timestamp: new Date(Date.now() + ahead).toISOString(), requestId: "r" + count, cwd: process.cwd(), message: { id: id + count, model: "claude-sonnet-4-5", content: [], usage } }) + "\\n");
note();
for (const [, command] of prompt.matchAll(/^RUN (.*)$/gm)) spawnSync("/bin/sh", ["-c", command], { stdio: "ignore" });
if (prompt.includes("HANG")) setInterval(() => {}, 1000);
else console.log(JSON.stringify({ type: "result", subtype: "success", is_error: false, result: "done", session_id: id, usage }));
`;

const begun = z.object({
  args: z.array(z.string()),
  cwd: z.string(),
  inside: z.string().nullable(),
  longCache: z.string().nullable(),
  settings: z.record(z.string(), z.unknown()),
});

interface Setup {
  readonly wake?: string;
  readonly head?: string;
  readonly check?: string;
}

/** An agent with a task, its played program, and `purser` as a person runs it. */
export function wakePlace(t: TestContext, { wake = "Go on.", head = "", check = "" }: Setup = {}) {
  const [box, scratch] = [new ServiceSandbox(t, { PURSER_TEST_LEDGER: "1" }), new Scratch()];
  t.after(() => scratch.dispose());
  const project = path.join(box.folder, "argo");
  mkdirSync(project);
  const definition = (more = "") =>
    `---\nprogram: claude\nmodel: claude-sonnet-4-5\nwake: |\n${wake.replaceAll(/^/gmu, "  ")}\n${head}---\nYou keep the harbor.${more}\n`;
  writeTree(project, {
    ".purser/agents/keeper.md": definition(),
    ".purser/tasks/T1.md": `---\ntitle: Mend the light\nassignee: keeper\n${check}---\nIt is out.\n`,
    ".purser/tasks/comments/T1/20261121T080000Z-a.md":
      "---\nauthor: mira\nat: 2026-11-21T08:00:00Z\n---\nDark.\n",
  });
  const programs = path.join(box.folder, "programs");
  mkdirSync(programs);
  const log = path.join(box.folder, "begun");
  writeFileSync(path.join(programs, "claude"), fake(log));
  chmodSync(path.join(programs, "claude"), 0o755);
  const env = { ...box.env, PATH: `${programs}:/usr/bin:/bin`, CLAUDECODE: "1" };
  const clock = { ahead: 0 };
  const host = {
    env,
    home: box.folder,
    cwd: project,
    now: () => Date.now() + clock.ahead,
    version: () => "1.0.0",
    service: { program: serviceProgram, execPath: process.execPath, isElectron: false },
  };
  const purser = (...argv: string[]) =>
    // The agent's clock is the machine's, too.
    scratch.purser(argv, { ...host, env: { ...env, AHEAD: String(clock.ahead) } });
  const at = (answer: string, ...argv: string[]) =>
    scratch.purser(argv, {
      ...host,
      isTTY: true,
      stdin: () => Object.assign(Readable.from([answer]), { isTTY: true }),
    });
  const starts = () =>
    (existsSync(log) ? readFileSync(log, "utf8") : "")
      .split("\n")
      .flatMap((line) => (line === "" ? [] : [begun.parse(JSON.parse(line))]));
  const json = async (...argv: string[]) => {
    const printed = await purser("run", ...argv, "--yes", "--json");
    assert.notEqual(printed.stdout, "", printed.stderr);
    return wakeJson.parse(JSON.parse(printed.stdout));
  };
  const one = async (...argv: string[]) => {
    const [woken] = (await json("keeper", ...argv)).wakes;
    assert.ok(woken?.wake !== null && woken !== undefined);
    return { ...woken, wake: woken.wake };
  };
  const edit = (name: string, change: (text: string) => string) => {
    const file = path.join(project, ".purser", name);
    writeFileSync(file, change(readFileSync(file, "utf8")));
  };
  return { box, env, project, purser, at, starts, one, json, edit, clock, definition };
}

/** The prompt of a start of the program. */
export const promptOf = (start: z.infer<typeof begun> | undefined) => start?.args[1] ?? "";
