import { isObject } from "../../../../src/engine/base/parse.ts";
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

import { noShell } from "../../support/fake-claude.ts";
import { plantedSecrets, visible } from "../../support/secrets/planted.ts";
import { letters, secretKinds } from "../../support/secrets/kinds.ts";
import { makeLedgerSetup } from "../support/ledger-place.ts";

interface Planted {
  readonly text: string;
  readonly secret: string;
}

const all: readonly Planted[] = [
  ...plantedSecrets.map((each) => ({ text: each.line, secret: visible(each) })),
  // Those that are more than the beginning of a key, of which there are many above.
  ...secretKinds.filter(([text]) => /[\s:=/.]/u.test(text)).map(([text, secret]) => ({ text, secret })),
];

/** Places a secret where the usual limits of texts cut it in two. */
function cutAt(length: number, { text, secret }: Planted): string {
  const before = text.indexOf(secret) + Math.min(9, secret.length - 1);
  return `${"ab ".repeat(length).slice(0, Math.max(0, length - before - 1))} ${text}`;
}

interface Place {
  readonly id: string;
  readonly cwd: string;
  readonly startedAt: number;
}

/** A transcript of Claude Code with the secret wherever a text is, and one of its subagent. */
function claudeRows(planted: Planted, { id, cwd, startedAt }: Place): { main: string; side: string } {
  let number = 0;
  const row = (fields: object): string => {
    number += 1;
    const timestamp = new Date(startedAt + number * 1000).toISOString();
    const common = {
      uuid: `${id}-${number}`,
      sessionId: id,
      cwd,
      gitBranch: `fix/ghp_${letters}`,
      timestamp,
    };
    return `${JSON.stringify({ ...common, ...fields })}\n`;
  };
  const said = (content: unknown) => row({ type: "user", message: { role: "user", content } });
  const replied = (content: object) =>
    row({
      type: "assistant",
      requestId: `r-${id}-${number}`,
      message: {
        id: `m-${id}-${number}`,
        role: "assistant",
        model: "claude-sonnet-4-5",
        content: [content],
        usage: { input_tokens: 1000, output_tokens: 10, cache_read_input_tokens: 120_000 },
      },
    });
  const called = (name: string, input: object, output: string, isError = false) => {
    const use = `toolu_${id}_${number}`;
    return (
      replied({ type: "tool_use", id: use, name, input }) +
      said([{ type: "tool_result", tool_use_id: use, content: output, is_error: isError }])
    );
  };
  const { text } = planted;
  const command = text.replaceAll("\n", " ");
  const lines = [
    said(`${cutAt(80, planted)}\nNever change the API. Always use ${text} for it.`),
    row({ type: "summary", summary: cutAt(80, planted), leafUuid: `${id}-1` }),
    row({ type: "custom-title", customTitle: cutAt(80, planted) }),
    replied({ type: "text", text: `I use ${text}. Shall I go on with ${cutAt(390, planted)}?` }),
    called(
      "TodoWrite",
      {
        todos: [
          { content: `Use ${text}`, status: "pending", activeForm: `Using ${text}` },
          { content: cutAt(200, planted), status: "pending", activeForm: text },
        ],
      },
      "Todos have been modified",
    ),
    called("TaskCreate", { subject: cutAt(200, planted), description: text }, `Task #1 created: ${text}`),
    called(
      "Task",
      { description: cutAt(200, planted), prompt: `Use ${text}`, subagent_type: "Explore" },
      text,
    ),
    ...[1, 2].flatMap(() => [
      called("Bash", { command, description: text }, `Error: refused ${text}`, true),
      called("Bash", { command: `deploy ${cutAt(400, planted)}` }, cutAt(200, planted), true),
      called(
        "Bash",
        { command: `deploy ${cutAt(140, planted)}` },
        `${"ab\n".repeat(998)}${cutAt(6, planted)}\n${"ab\n".repeat(2000)}Error: refused`,
        true,
      ),
    ]),
    called("Edit", { file_path: path.join(cwd, "login.ts"), old_string: text, new_string: `${text} ` }, text),
    called("Bash", { command }, text),
    called("Bash", { command: `npm test -- ${command}` }, `not ok 1 ${text}`, true),
    called("Bash", { command: `git commit -m 'Use ${command.replaceAll("'", '"')}'` }, "done"),
    said(`Go on with ${text}, and with ${cutAt(390, planted)}`),
    replied({ type: "text", text: `Shall I use ${text}?` }),
  ];
  return { main: lines.join(""), side: said(`Use ${text}`) + called("Bash", { command }, text) };
}

const recorded = path.join(
  import.meta.dirname,
  "../../../recordings/codex-0.171.0/tool-loop/archived_sessions",
);

/** A recorded rollout of Codex with the secret in its prompts, commands, outputs, plan and answers. */
function rolloutRows(planted: Planted, { id, cwd }: Place): string {
  const [name = ""] = readdirSync(recorded);
  const { text } = planted;
  const command = text.replaceAll("\n", " ");
  const texts: Readonly<Record<string, string>> = {
    "Count the boats.": `${cutAt(80, planted)}\nAlways use ${text}.`,
    "And the oars?": cutAt(390, planted),
    "Neutral text.": `Process exited with code 1\nOutput:\nError: refused ${text}`,
    "Seven boats.": `I used ${text}`,
    "Fourteen oars.": cutAt(390, planted),
    "echo three": command,
    "echo four": `deploy ${cutAt(400, planted)}`,
    "/home/dev/harbor": cwd,
    '{"cmd":"echo three"}': JSON.stringify({ cmd: command }),
    '{"cmd":"echo four"}': JSON.stringify({ plan: [{ step: cutAt(200, planted), status: "pending" }] }),
  };
  const changed = (value: unknown): unknown => {
    if (typeof value === "string")
      return texts[value] ?? value.replace("01a19b7c-a680-7000-8000-000000010000", id);
    if (Array.isArray(value)) return value.map(changed);
    if (!isObject(value)) return value;
    const isPlan = value["arguments"] === '{"cmd":"echo four"}';
    const members = Object.entries(value).map(([key, member]) => [key, changed(member)] as const);
    return { ...Object.fromEntries(members), ...(isPlan ? { name: "update_plan" } : {}) };
  };
  return readFileSync(path.join(recorded, name), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => `${JSON.stringify(changed(JSON.parse(line)))}\n`)
    .join("");
}

test("no file of purser's home, and no output, contains a planted secret", { skip: noShell }, async (t) => {
  const { box, purser } = makeLedgerSetup(t);
  const cwd = path.join(box.folder, "argo");
  const rollouts = path.join(box.folder, ".codex", "sessions", "2026", "11", "02");
  for (const each of [cwd, rollouts]) mkdirSync(each, { recursive: true });
  const ids: string[] = [];
  for (const [number, planted] of all.entries()) {
    const end = String(number).padStart(12, "0");
    const [claude, codex] = [`5a1c6f1e-0000-4000-8000-${end}`, `01a19b7c-a680-7000-9000-${end}`];
    const startedAt = Date.now() - 3_600_000;
    const { main, side } = claudeRows(planted, { id: claude, cwd, startedAt });
    const file = box.transcript(`${claude}.jsonl`, main);
    const subagents = path.join(path.dirname(file), claude, "subagents");
    mkdirSync(subagents, { recursive: true });
    writeFileSync(path.join(subagents, "agent-x1.jsonl"), side);
    const meta = { agentType: "Explore", description: cutAt(200, planted) };
    writeFileSync(path.join(subagents, "agent-x1.meta.json"), JSON.stringify(meta));
    const rows = rolloutRows(planted, { id: codex, cwd, startedAt });
    writeFileSync(path.join(rollouts, `rollout-2026-11-02T09-00-00-${codex}.jsonl`), rows);
    ids.push(claude, codex);
  }

  const outputs: [string, string][] = [];
  const done = async (...argv: string[]) => {
    const { code, stdout, stderr } = await purser(argv);
    assert.equal(code, 0, `${argv.join(" ")}: ${stderr}`);
    outputs.push([argv.join(" "), stdout]);
    return stdout;
  };
  await done("usage", "--by", "tool");
  assert.ok(
    (await done("ledger", "export", "--format=csv", "--table=sessions")).split("\r\n").length > ids.length,
  );
  await done("status", "--all", "--json");
  await done("status", "--all");
  await done("learn", "run");
  await done("learn", "show", "--json");
  // Two sessions for each kind are too many for one check: all packets are in the ledger.
  for (const id of ids.filter((_, index) => index % 11 === 0)) await done("handover", id, "--print");
  await done("ledger", "export", "--format=json");

  const files = readdirSync(box.home.folder, { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(path.join(box.home.folder, name)).isFile())
    .map((name) => [name, readFileSync(path.join(box.home.folder, name), "utf8")] as const);
  const branch: Planted = { text: "", secret: `ghp_${letters}` };
  const leaks = [...files, ...outputs].flatMap(([name, text]) =>
    [...all, branch].flatMap(({ secret }) => leakIn(text, secret).map((leak) => `${name}: ${leak}`)),
  );
  assert.deepEqual([...new Set(leaks)].slice(0, 20), []);
});

/** Returns what surrounds a secret, or only its beginning, with which the whole would be found as well. */
function leakIn(text: string, secret: string): string[] {
  const at = text.indexOf(secret.slice(0, 9));
  return at < 0 ? [] : [text.slice(Math.max(0, at - 60), at + secret.length + 20)];
}
