import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { succeed } from "../../../../src/engine/base/result.ts";
import { hookCallers, type HookCaller } from "../../../../src/engine/hooks/program.ts";
import { LedgerHost } from "../../../../src/engine/ledger/host/ledger-host.ts";
import type { PartialSettings } from "../../../../src/engine/settings/shape.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { ServiceSandbox } from "../../service/support/box.ts";
import { FakeCollecting, FakeLedger } from "../../service/support/fake-ledger.ts";
import { hook, placeOf, post } from "../../service/support/hooks.ts";

const settings: PartialSettings = {
  guardMode: "on",
  guardAddLimits: true,
  guardFamilies: { output: "on", waste: "on", loops: "on" },
};
/** What changes the input or the output of a call, in the words of any agent. */
const changes = /updatedToolOutput|updatedInput|modifiedArgs|modifiedResult|tool_input|left out/u;

test("a script's call keeps its input and output and is judged like the model's, whatever the guards change", async (t) => {
  const box = new ServiceSandbox(t);
  const project = path.join(box.folder, "shop");
  mkdirSync(path.join(project, ".git"), { recursive: true });
  mkdirSync(box.home.folder, { recursive: true, mode: 0o700 });
  writeFileSync(path.join(box.home.folder, "settings.json"), JSON.stringify(settings), { mode: 0o600 });
  const file = path.join(project, "cart.ts");
  const text = Array.from({ length: 200 }, (_, at) => `const line${at} = ${at};`).join("\n");
  writeFileSync(file, text);
  const names = Array.from({ length: 400 }, (_, at) => `./src/parts/file-${at}.ts`);
  const bash = (command: string, stdout: string) => ({
    tool_name: "Bash",
    tool_input: { command },
    tool_response: { stdout, stderr: "", interrupted: false, isImage: false },
  });
  const whole = { filePath: file, content: text, numLines: 200, startLine: 1, totalLines: 200 };
  const calls = {
    find: bash("find . -type f", names.join("\n")),
    search: {
      tool_name: "Grep",
      tool_input: { pattern: "line", output_mode: "files_with_matches" },
      tool_response: { mode: "files_with_matches", filenames: names, numFiles: names.length },
    },
    read: {
      tool_name: "Read",
      tool_input: { file_path: file },
      tool_response: { type: "text", file: whole },
    },
    log: bash("git log", ""),
  };

  const ledger = new FakeLedger();
  const { log, clock } = box.servicePorts();
  const host = new LedgerHost({
    log,
    clock,
    places: [],
    open: () => Promise.resolve(succeed(ledger)),
    collect: () => new FakeCollecting([]),
  });
  await box.host({ ledger: host });
  await waitUntil(() => box.log().includes("Hooks are answered at"));
  const address = placeOf(box.home);
  let count = 0;
  const ask = async (event: string, call: object, use: string, program: HookCaller = "claude-code") => {
    const about = { cwd: project, prompt_id: "p", tool_use_id: use, ...call };
    const headers = { "X-Purser-Event": `nested-${String((count += 1)).padStart(4, "0")}` };
    const { body } = await post(address, hook(event, about), { headers, path: `/hook/${program}` });
    return body;
  };
  const both = async (call: object, use: string, program?: HookCaller) =>
    `${await ask("PreToolUse", call, use, program)}${await ask("PostToolUse", call, use, program)}`;
  /** Asks again where a busy machine was too late to change anything. */
  const untilChanged = async (call: object, use: string, program?: HookCaller): Promise<void> => {
    let last = "";
    for (let times = 0; times < 40 && !changes.test(last); times += 1)
      last = await both(call, `${use}-${times}`, program);
    assert.match(last, changes, use);
  };

  // The model has read the file: a second read is answered with where it stands.
  for (const [name, call] of Object.entries(calls)) await untilChanged(call, `toolu_${name}`);
  const before = ledger.told.length;
  for (const program of hookCallers)
    for (const prefix of ["toolu_cc_", "exec-"])
      for (const [name, call] of Object.entries(calls))
        for (const time of [1, 2, 3])
          assert.doesNotMatch(
            await both(call, `${prefix}${name}${time}`, program),
            changes,
            `${program} ${name}`,
          );
  const danger = bash("rm -rf ~", "");
  for (const use of ["toolu_rm", "toolu_cc_rm"])
    assert.match(await ask("PreToolUse", danger, use), /"permissionDecision":"(?:ask|deny)"/u, use);
  assert.match(await ask("PreToolUse", danger, "exec-rm", "codex"), /"decision":"block"/u);
  const script = { tool_name: "REPL", tool_input: { code: "await tools.Bash({ command: 'git log' })" } };
  assert.doesNotMatch(await ask("PreToolUse", script, "toolu_repl"), changes);
  const response = { code: "x", result: names.join("\n"), stdout: "", stderr: "", toolsUsed: ["Bash"] };
  assert.doesNotMatch(
    await ask("PostToolUse", { ...script, tool_response: response }, "toolu_repl"),
    changes,
  );

  await waitUntil(() =>
    ledger.told.some(
      (entry) => entry.kind === "hook-event" && entry.id.endsWith(String(count).padStart(4, "0")),
    ),
  );
  const saved = ledger.told.slice(before).filter((entry) => entry.kind === "guard-hit" && entry.savedBytes);
  assert.deepEqual(saved, [], "nothing is saved where no context would hold it");
  // What scripts read is in no context: the model's first read of another file is not said to stand there.
  const other = path.join(project, "till.ts");
  writeFileSync(other, text);
  const unread = {
    tool_name: "Read",
    tool_input: { file_path: other },
    tool_response: { type: "text", file: { ...whole, filePath: other } },
  };
  await both(unread, "toolu_cc_other");
  assert.doesNotMatch(await both(unread, "toolu_other"), changes);
});
