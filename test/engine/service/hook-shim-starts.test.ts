import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import { build } from "esbuild";
import { takeLatePrompts } from "../../../src/engine/hooks/server.ts";
import { scratchFolder } from "../support/scratch.ts";
import { hook } from "./support/hooks.ts";
import { place, run, silent, spooled } from "./support/run-shim.ts";

const input = hook("PreToolUse", { tool_name: "Bash", tool_input: { command: "rm -rf ~" }, cwd: "/" });
const noProblem = (problem: string) => assert.equal(problem, "");
const argumentFor = (event: string) => `--purser-hook=claude-code:${event}`;

/**
 * A service that answers one hook and ends. A service without requests, since another was quicker, also ends
 * soon.
 */
const service = (record: string, socket: string) => `
  const { createServer } = require("node:http");
  const { writeFileSync } = require("node:fs");
  setTimeout(() => process.exit(), 20_000).unref();
  const server = createServer((request, response) => {
    request.resume().once("end", () => response.end("answered", () => server.close()));
    response.setHeader("Content-Length", 8);
  });
  const record = JSON.stringify({ hooks: ${JSON.stringify(socket)}, token: "t".repeat(43) });
  server.listen(${JSON.stringify(socket)}, () => writeFileSync(${JSON.stringify(record)}, record, { mode: 0o600 }));
`;

async function shimIn(dist: string): Promise<string> {
  const program = path.join(dist, "hook.cjs");
  await build({
    entryPoints: [path.join(import.meta.dirname, "../../../src/engine/service/hook-shim.ts")],
    outfile: program,
    bundle: true,
    platform: "node",
    format: "cjs",
    define: { "import.meta.filename": "__filename" },
    supported: { "dynamic-import": false },
  });
  return program;
}

describe("a hook without a running service", { skip: process.platform === "win32" }, () => {
  it("starts one, and a prompt and a call get its answer", async (t) => {
    const dist = scratchFolder(t);
    const program = await shimIn(dist);
    for (const event of ["PreToolUse", "UserPromptSubmit", "PreSkillShellCommand"]) {
      const { env, home } = place(t);
      // With hard budgets, a prompt waits until the service answers.
      writeFileSync(home.settings, '{ "budgets": "hard" }');
      writeFileSync(path.join(dist, "service.cjs"), service(home.record, path.join(home.folder, "h.sock")));
      const { out } = await run({ env, program, input: hook(event), argument: argumentFor(event) });
      assert.equal(out, "answered", event);
    }
  });

  it("is left for the service if starting takes longer than a prompt waits, unless a hard budget can refuse it", async (t) => {
    const dist = scratchFolder(t);
    const program = await shimIn(dist);
    writeFileSync(path.join(dist, "service.cjs"), "");
    const asked = hook("UserPromptSubmit", { prompt: "Fix it", n: "é\n" });
    for (const [budgets, isLeft] of [
      ["warn", true],
      ["hard", false],
    ] as const) {
      const { env, home } = place(t);
      writeFileSync(home.settings, JSON.stringify({ budgets }));
      const entry = { CLAUDE_CODE_ENTRYPOINT: "sdk-cli" };
      silent(
        await run({
          env: { ...env, ...entry },
          program,
          input: asked,
          argument: argumentFor("UserPromptSubmit"),
        }),
      );
      // Only the longer wait ends with this note.
      const stamp = readFileSync(path.join(home.folder, "hook-start"), "utf8");
      assert.equal(stamp, isLeft ? "" : "late");
      const prompts = await takeLatePrompts(home.prompts, { now: Date.now(), onProblem: noProblem });
      assert.deepEqual(
        prompts.map(({ body, headers, caller }) => ({ body, headers, caller })),
        [{ body: asked, headers: ["x-purser-entry: sdk-cli"], caller: "claude-code" }],
      );
      assert.deepEqual(spooled(home.spool), []);
    }
  });

  it("starts another one where the first one ends without an answer", async (t) => {
    const dist = scratchFolder(t);
    const program = await shimIn(dist);
    const { env, home } = place(t);
    const [first, socket] = ["1.sock", "2.sock"].map((name) => path.join(home.folder, name));
    const code = `
      if (require("node:fs").existsSync(${JSON.stringify(home.record)})) { ${service(home.record, socket ?? "")} }
      else { ${service(home.record, first ?? "").replace("response.end(", "request.socket.destroy() || server.close(")} }`;
    writeFileSync(path.join(dist, "service.cjs"), code);
    const { out } = await run({ env, program, input, argument: argumentFor("PreToolUse") });
    assert.equal(out, "answered");
  });

  it("ends silently if purser's own folder cannot be created", async (t) => {
    const file = path.join(scratchFolder(t), "file");
    writeFileSync(file, "");
    for (const home of ["/proc/purser/home", "/dev/null/purser", file, path.join(file, "a")])
      silent(await run({ env: { PURSER_HOME: home }, input, argument: argumentFor("PreToolUse") }));
  });
});
