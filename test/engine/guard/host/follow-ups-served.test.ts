import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { succeed } from "../../../../src/engine/base/result.ts";
import { LedgerHost } from "../../../../src/engine/ledger/host/ledger-host.ts";
import type { PartialSettings } from "../../../../src/engine/settings/shape.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { ServiceSandbox } from "../../service/support/box.ts";
import { FakeCollecting, FakeLedger } from "../../service/support/fake-ledger.ts";
import { hook, placeOf, post } from "../../service/support/hooks.ts";
import { makeSaving } from "../support/make-saving.ts";

const settings: PartialSettings = { guardMode: "on", guardFamilies: { output: "on" } };
const output = `${"Downloading the same thing again and again\n".repeat(200)}done`;

test("the service records what follows a shorter output, and leaves a command alone whose format does not save", async (t) => {
  const box = new ServiceSandbox(t);
  const project = path.join(box.folder, "shop");
  mkdirSync(path.join(project, ".git"), { recursive: true });
  mkdirSync(box.home.folder, { recursive: true, mode: 0o700 });
  writeFileSync(path.join(box.home.folder, "settings.json"), JSON.stringify(settings), { mode: 0o600 });
  const ledger = new FakeLedger();
  const losing = { rule: "smaller-output-general", fetched: { calls: 2, tokens: 9000 } };
  const savings = Array.from({ length: 30 }, (_, number) =>
    makeSaving(number, { ...losing, command: "make lost" }),
  );
  ledger.answersTo.savedOutputs = () => Promise.resolve({ savings, wakes: [] });
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
  const ran = async (command: string) => {
    const number = String((count += 1)).padStart(4, "0");
    const call = {
      cwd: project,
      prompt_id: "p",
      tool_use_id: `toolu_${number}`,
      tool_name: "Bash",
      tool_input: { command },
      tool_response: { stdout: output, stderr: "", interrupted: false, isImage: false },
    };
    const headers = { "X-Purser-Event": `follow-${number}` };
    const { body } = await post(address, hook("PostToolUse", call), { headers, path: "/hook/claude-code" });
    return body;
  };
  /** Asks again where a busy machine was too late to change anything. */
  let shown = "";
  for (let times = 0; times < 40 && !/updatedToolOutput/u.test(shown); times += 1)
    shown = await ran("make fetch");
  const hits = () => ledger.told.filter((entry) => entry.kind === "guard-hit");
  await waitUntil(() => hits().some(({ done }) => done === "replaced"));
  const hit = hits().find(({ done }) => done === "replaced");
  assert.equal(hit?.command, "make fetch");
  const id =
    /(?:output |outputs\/)(?<id>[2-9][a-z2-7]{5})/u.exec(shown)?.groups?.["id"] ?? assert.fail(shown);
  const followUps = () => ledger.told.filter((entry) => entry.kind === "guard-follow-up");
  await ran(`purser output ${id} --lines 1-20`);
  await waitUntil(() => followUps().length === 1);
  await ran("make fetch");
  await waitUntil(() => followUps().length === 2);
  assert.deepEqual(
    followUps().map(({ hit: of, how }) => [of, how]),
    [
      [hit.id, "fetched"],
      [hit.id, "again"],
    ],
  );
  await ran("make lost");
  await waitUntil(() => hits().some(({ command }) => command === "make lost"));
  assert.deepEqual(
    hits().flatMap(({ command, done }) => (command === "make lost" ? done : [])),
    ["observed"],
  );
});
