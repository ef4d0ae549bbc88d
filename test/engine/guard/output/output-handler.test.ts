import fc from "fast-check";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as z from "zod";
import { codedRules } from "../../../../src/engine/guard/catalogue/coded.ts";
import {
  compressFrom,
  storedOutputsIn,
  isOutputId,
} from "../../../../src/engine/guard/output/compress-from.ts";
import { compressOutput } from "../../../../src/engine/guard/output/compressors/compress.ts";
import type { MadeSmaller } from "../../../../src/engine/guard/output/follow-ups.ts";
import {
  outputGuardHandler,
  type OutputGuardPorts,
} from "../../../../src/engine/guard/output/output-handler.ts";
import { hookEvent } from "../../../../src/engine/hooks/event/event.ts";
import type { HookCaller } from "../../../../src/engine/hooks/program.ts";
import type { LedgerEntry } from "../../../../src/engine/ledger/entries/entries-entry.ts";
import type { GuardMode } from "../../../../src/engine/settings/guard.ts";
import { timelessPipeline } from "../../hooks/support/timeless-pipeline.ts";
import { testContext } from "../support/shell-context.ts";
import { realOutputs } from "./compressors/support/corpus.ts";

const repeated = `${"Downloading the same thing again and again\n".repeat(200)}done`;
const tap = `TAP version 13\n${Array.from({ length: 120 }, (_, index) => `ok ${index + 1} - mends rope ${index + 1}`).join("\n")}\n1..120\n# tests 120\n# pass 120\n`;

class Scene {
  mode: GuardMode = "on";
  program: HookCaller = "claude-code";
  hasRival = false;
  isExcepted = false;
  now = 1000;
  readonly resting = new Set<string>();
  readonly made: MadeSmaller[] = [];
  readonly stored = new Map<string, string>();
  readonly recorded: Extract<LedgerEntry, { kind: "guard-hit" }>[] = [];
  readonly problems: string[] = [];
  readonly #hooks = timelessPipeline((_, message) => this.problems.push(message));
  #elapsed = 0;
  #count = 0;

  constructor(change: Partial<OutputGuardPorts> & { readonly keepTakes?: number } = {}) {
    const { keepTakes = 0, ...ports } = change;
    this.#hooks.register(
      outputGuardHandler({
        compress: (output, source, isSuccess) =>
          Promise.resolve(compressFrom(output, source, testContext, isSuccess)),
        modeOf: () => this.mode,
        isExcepted: () => this.isExcepted,
        hasRival: () => this.hasRival,
        store: {
          keep: (text) => {
            this.#elapsed += keepTakes;
            this.#count += 1;
            const id = `2${"abcdefghijklmnopqrstuvwxyz".charAt(this.#count % 26)}aaaa`;
            this.stored.set(id, text);
            return Promise.resolve(id);
          },
          forget: (id) => Promise.resolve(void this.stored.delete(id)),
          place: (id) => `purser output ${id} [--lines A-B]`,
        },
        isResting: (rule, command) => this.resting.has(`${rule} ${command}`),
        onMade: (_, made) => this.made.push(made),
        record: (entries) => this.recorded.push(...entries),
        onProblem: (problem) => this.problems.push(problem),
        now: () => this.now,
        elapsed: () => this.#elapsed,
        ...ports,
      }),
    );
  }

  /** Returns the agent's answer to the end of a command. */
  async after(tool_response: unknown, command = "make fetch", tool_name = "Bash"): Promise<string> {
    const event = {
      session_id: "s",
      cwd: "/home/ann/shop",
      tool_name,
      tool_use_id: `t${this.recorded.length}`,
    };
    const all = { hook_event_name: "PostToolUse", ...event, tool_input: { command }, tool_response };
    const { text } = await this.#hooks.answer(hookEvent.parse(all), this.program);
    // What no hook waits for comes after the answer.
    await new Promise((resolve) => setImmediate(resolve));
    return text;
  }

  outcomes(): string[] {
    return this.recorded.map(({ rule, done }) => `${rule} ${done}`);
  }
}

function claude(stdout: string, more: object = {}) {
  return { stdout, stderr: "", interrupted: false, isImage: false, noOutputExpected: false, ...more };
}

const answered = z.object({
  hookSpecificOutput: z.object({ updatedToolOutput: z.looseObject({ stdout: z.string() }) }),
});

describe("the guard on outputs", () => {
  it("gives Claude Code its whole response with a smaller text, and keeps the original first", async () => {
    const scene = new Scene();
    const response = claude(repeated, { later: { versions: "may add" } });
    const { hookSpecificOutput } = answered.parse(JSON.parse(await scene.after(response)));
    const { stdout, ...rest } = hookSpecificOutput.updatedToolOutput;
    assert.deepEqual({ stdout: repeated, ...rest }, response);
    assert.match(
      stdout,
      /\n\[… [\d,]+ bytes left out …\] All 201 lines, kept for a week: purser output 2baaaa \[--lines A-B\]$/u,
    );
    assert.deepEqual([...scene.stored], [["2baaaa", repeated]]);
    assert.deepEqual(scene.outcomes(), ["smaller-output-general replaced"]);
    const [entry] = scene.recorded;
    assert.equal(entry?.savedBytes, Buffer.byteLength(repeated) - Buffer.byteLength(stdout));
    assert.equal(await scene.after(claude(stdout)), "", "what is smaller already is not made smaller again");
    assert.deepEqual(scene.problems, []);
  });

  it("only records if its family observes, and does nothing if it is off or excepted", async () => {
    const scene = new Scene();
    scene.mode = "observe";
    assert.equal(await scene.after(claude(repeated)), "");
    assert.deepEqual([scene.outcomes(), scene.stored.size], [["smaller-output-general observed"], 0]);
    assert.ok((scene.recorded[0]?.savedBytes ?? 0) > 7000);
    const quiet = new Scene();
    quiet.mode = "off";
    await quiet.after(claude(repeated));
    quiet.mode = "on";
    quiet.isExcepted = true;
    assert.equal(await quiet.after(claude(repeated)), "");
    assert.deepEqual([quiet.recorded, quiet.stored.size], [[], 0]);
  });

  it("skips short, cut, interrupted and background outputs, files' texts, images and other shapes", async () => {
    const scene = new Scene();
    await scene.after(claude("short"));
    for (const command of [
      "cat notes.txt",
      "git diff",
      "sed -n 1,300p a.log",
      'echo "$(cat a)"',
      "tee < a.txt",
    ])
      assert.equal(await scene.after(claude(repeated), command), "", command);
    for (const more of [
      { interrupted: true },
      { isImage: true },
      { backgroundTaskId: "b1" },
      { persistedOutputPath: "/tmp/x", persistedOutputSize: 90_000 },
      { stdout: 5 },
      { stderr: undefined },
    ])
      assert.equal(await scene.after(claude(repeated, more)), "", JSON.stringify(more));
    for (const other of [null, repeated, [{ type: "text", text: repeated }], { stdout: repeated }])
      assert.equal(await scene.after(other), "");
    assert.equal(await scene.after(claude(repeated), "make", "Read"), "");
    assert.deepEqual([scene.recorded, scene.stored.size, scene.problems], [[], 0, []]);
  });

  it("keeps the output if its original cannot be stored, or only late, or if something fails", async () => {
    const broken = new Scene({ compress: () => Promise.reject(new Error("torn")) });
    assert.equal(await broken.after(claude(repeated)), "");
    assert.match(broken.problems.join(), /torn/u);
    const full = new Scene({
      store: { keep: () => Promise.resolve(null), forget: () => Promise.resolve(), place: () => "x" },
    });
    assert.equal(await full.after(claude(repeated)), "");
    assert.deepEqual(full.recorded, []);
    const slow = new Scene({ keepTakes: 1501 });
    assert.equal(await slow.after(claude(repeated)), "");
    assert.deepEqual([slow.outcomes(), slow.stored.size], [["smaller-output-general observed"], 0]);
  });

  it("waits on a busy machine that may still load code", async () => {
    const busy = new Scene({ keepTakes: 1400 });
    assert.match(await busy.after(claude(repeated)), /left out …/u);
    assert.deepEqual(busy.outcomes(), ["smaller-output-general replaced"]);
  });

  it("skips outputs that another hook may replace", async () => {
    const scene = new Scene();
    scene.hasRival = true;
    assert.equal(await scene.after(claude(repeated)), "");
    assert.deepEqual(scene.outcomes(), ["smaller-output-general observed"]);
  });

  it("leaves the outputs of a command alone while their format is switched off", async () => {
    const scene = new Scene();
    scene.resting.add("smaller-output-general make fetch");
    assert.equal(await scene.after(claude(repeated)), "");
    assert.deepEqual([scene.outcomes(), scene.made], [["smaller-output-general observed"], []]);
    assert.notEqual(await scene.after(claude(repeated), "make other"), "", "another command's go on");
    const [{ hit, text, isSuccess } = assert.fail()] = scene.made;
    assert.deepEqual([hit, text, isSuccess], [scene.recorded[1]?.id, repeated, true]);
    assert.equal(scene.recorded[1]?.command, "make other");
  });

  it("gives other agents the text in their own form if that does not hide a failure", async () => {
    const scene = new Scene();
    scene.program = "copilot";
    const end = "\n<shellId: 0 completed with exit code 0>";
    const copilot = await scene.after(`${repeated}${end}`, "make fetch", "bash");
    assert.match(
      copilot,
      /"resultType":"success".*output 2baaaa \[--lines A-B\]\\n<shellId: 0 completed with exit code 0>"/u,
    );
    assert.equal(
      await scene.after(`${repeated}${end.replace("code 0", "code 1")}`, "make fetch", "bash"),
      "",
    );
    scene.program = "gemini";
    const frame = (text: string) =>
      `<untrusted_context>\nOutput: ${text}\nProcess Group PGID: 7\n</untrusted_context>`;
    const gemini = await scene.after(frame(repeated), "make fetch", "run_shell_command");
    assert.match(
      gemini,
      /"decision":"deny","reason":"The command succeeded, .*<untrusted_context>\\nOutput: Down.*<\/untrusted_context>"/u,
    );
    assert.equal(
      await scene.after(frame(`${repeated}\nExit Code: 3`), "make fetch", "run_shell_command"),
      "",
    );
    scene.program = "codex";
    assert.equal(await scene.after(repeated), "", "it may have failed, in a way that nobody knows");
    assert.match(await scene.after(tap, "node --test"), /"decision":"block","reason":"TAP version 13/u);
    assert.equal(await scene.after(tap.replace("ok 7", "not ok 7"), "node --test"), "");
    scene.program = "vscode";
    assert.equal(await scene.after(repeated), "", "it takes no other output");
    assert.deepEqual(scene.problems, []);
  });

  it("never answers in another shape, or with a longer or twice shortened text", async () => {
    const line = fc.constantFrom(
      "ok 1 - a",
      "error: no",
      "Downloading 5 %",
      "at x (node_modules/a.js:1:1)",
      "",
      "{}",
      "ﬀ é",
    );
    const output = fc
      .tuple(fc.array(line, { minLength: 1, maxLength: 12 }), fc.nat(300))
      .map(([lines, times]) => Array.from({ length: times + 1 }, () => lines.join("\n")).join("\n"));
    const response = fc.oneof(
      output.map((text) => claude(text)),
      fc.record({
        stdout: output,
        stderr: fc.string(),
        interrupted: fc.boolean(),
        isImage: fc.boolean(),
        more: fc.anything(),
      }),
      fc.anything(),
      output,
    );
    const command = fc.constantFrom("make", "npm test", "cat a", "purser output 2abcde", 'sh -c "', "");
    await fc.assert(
      fc.asyncProperty(response, command, async (given, line_) => {
        const scene = new Scene();
        const text = await scene.after(given, line_);
        assert.deepEqual(scene.problems, []);
        if (text === "") return;
        const { updatedToolOutput: updated } = answered.parse(JSON.parse(text)).hookSpecificOutput;
        assert.ok(typeof given === "object" && given !== null && "stdout" in given);
        const sent = z.record(z.string(), z.unknown()).parse(JSON.parse(JSON.stringify(given)));
        assert.deepEqual(Object.keys(updated).sort(), Object.keys(sent).sort());
        assert.ok(typeof given.stdout === "string" && updated.stdout.length < given.stdout.length);
        assert.deepEqual([...scene.stored.values()], [given.stdout]);
        assert.equal(await scene.after({ ...given, stdout: updated.stdout }, line_), "");
      }),
    );
  });
});

it("every compressor for outputs of real tools has a rule", () => {
  const names = realOutputs().flatMap(({ text, about }) => {
    return compressOutput(text, about)?.compressor ?? [];
  });
  assert.ok(new Set(names).size > 10);
  const ids = codedRules.map(({ id }) => id);
  for (const name of names) assert.ok(ids.includes(`smaller-output-${name}`), name);
});

it("recognizes stored outputs only in the commands that print them", () => {
  const table: readonly (readonly [string, readonly string[]])[] = [
    ["purser output 2abcde --lines 1-9", ["2abcde"]],
    ["cd x && purser output 2abcde | head", ["2abcde"]],
    [`node "/opt/purser 1/dist/cli.cjs" output 3zzzzz`, ["3zzzzz"]],
    ["cat ~/.purser/outputs/2abcde.txt", ["2abcde"]],
    [`echo "purser output 2abcde"`, []],
    ["purser output ../../x", []],
    ["grep output 2abcde", []],
  ];
  for (const [command, ids] of table) assert.deepEqual(storedOutputsIn(command, testContext), ids, command);
  for (const word of ["2abcde", "9zzzz7"]) assert.ok(isOutputId(word));
  for (const word of ["", "abcdef", "2abcd", "2abcdef", "2abc/e", "2ABCDE", "../../", "2abcd\n", "on"])
    assert.ok(!isOutputId(word), word);
});
