import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { percent, wholeNumber } from "../../../src/engine/base/text/format.ts";
import { serviceJson } from "../../../src/engine/cli/service/service-outcome.ts";
import { openEditorWindow, statusId, type EditorWindow } from "../editor/window.ts";
import { placeRecordings, shareOf, together, type Figures, type Used } from "./figures.ts";
import { HeadlessWindow, purser, statusInTerminal, usageInTerminal } from "./others.ts";
import { servicesOf, canListProcesses } from "./processes.ts";
import type { Scratch } from "../scratch.ts";
import { makeTranscript, type Transcript } from "../transcript.ts";

const limit = 180_000; // ms for everything
const patience = 40_000; // ms for one change to be seen, on a loaded machine
const windowTokens = 200_000;

/** Ten windows, one of them a real VS Code, and five terminals, all started at the same moment on real recordings. */
describe("ten windows and five terminals at once", { timeout: limit }, () => {
  let editor: EditorWindow | undefined;
  let transcript: Transcript;
  let figures: Figures;
  let terminals: Promise<readonly Partial<Figures>[]>;
  const windows: HeadlessWindow[] = [];
  let home = "";
  let isOver = false;

  before(async () => {
    let begun = Promise.resolve();
    editor = await openEditorWindow({
      choice: "newest",
      size: { width: 1280, height: 1300 },
      async prepare(scratch) {
        home = join(scratch.home, ".purser");
        figures = await placeRecordings(scratch);
        transcript = makeTranscript(scratch);
        figures = withTurn(figures, transcript, 40_000);
        begun = beginTogether(scratch);
      },
    });
    await begun;
  });
  after(async () => {
    isOver = true;
    await Promise.all(windows.map((window) => window.close()));
    await editor?.close();
    if (canListProcesses) assert.deepEqual(servicesOf("service.cjs", home), []);
  });

  /** The editor's extension first creates purser's folder; at that moment all other clients start too. */
  async function beginTogether(scratch: Scratch): Promise<void> {
    windows.push(...(await Promise.all(Array.from({ length: 9 }, () => HeadlessWindow.open(scratch)))));
    while (!existsSync(home) && !isOver) await wait(2);
    for (const window of windows) window.begin();
    const [status, usage] = [() => statusInTerminal(scratch), () => usageInTerminal(scratch)];
    terminals = Promise.all([status(), usage(), status(), usage(), usage()]);
    await terminals;
  }

  test("the five terminals print what was sent while the service was starting", async () => {
    for (const reported of await terminals) assert.deepEqual(reported, only(figures, reported));
  });

  test("the nine windows show the same", async () => {
    await allSee(windows, figures);
  });

  test("and so does VS Code: in its status bar, its Sessions view and its Ledger", async () => {
    assert.ok(editor);
    await editorSees(editor, figures, /^\$\(dashboard\) 20\s?%/u);
  });

  test("there was one service from the beginning, and no window was ever with another", async () => {
    assert.ok(editor);
    const { pid } = record(home);
    const json = serviceJson.parse(JSON.parse(await purser(editor.scratch, "service", "status", "--json")));
    assert.deepEqual([json.service?.pid, json.service?.clients], [pid, 10]);
    const log = readFileSync(join(home, "service.log"), "utf8");
    assert.equal(log.match(/serves as process/gu)?.length, 1, log);
    for (const { services, problems } of await Promise.all(windows.map((window) => window.report())))
      assert.deepEqual({ services, problems }, { services: [pid], problems: [] });
    if (canListProcesses) assert.deepEqual(servicesOf("service.cjs", home), [pid]);
  });

  test("it alone writes the ledger", () => {
    const { pid } = record(home);
    const locks = readdirSync(home).filter((name) => /^ledger\..*lock$/u.test(name));
    assert.equal(locks.length, 1, locks.join());
    const lock: unknown = JSON.parse(readFileSync(join(home, locks[0] ?? ""), "utf8"));
    assert.ok(typeof lock === "object" && lock !== null && "pid" in lock);
    assert.equal(lock.pid, pid);
  });

  test("all see a turn that is appended", async () => {
    assert.ok(editor);
    const { scratch } = editor;
    figures = withTurn(figures, transcript, 84_000);
    await Promise.all([
      allSee(windows, figures),
      editorSees(editor, figures, /42\s?%/u),
      eventually("five terminals", async () => {
        const [status, usage] = [statusInTerminal, usageInTerminal];
        const reported = await Promise.all([status, usage, status, usage, usage].map((ask) => ask(scratch)));
        for (const one of reported) assert.deepEqual(one, only(figures, one));
      }),
    ]);
  });

  test("the ledger has it once", async () => {
    assert.ok(editor);
    const copy = join(editor.scratch.root, "copy.sqlite");
    await purser(editor.scratch, "ledger", "backup", copy);
    const stock = new DatabaseSync(copy, { readOnly: true });
    try {
      assert.deepEqual({ ...stock.prepare("PRAGMA integrity_check").get() }, { integrity_check: "ok" });
      const found = stock.prepare("SELECT message_id FROM responses WHERE session_id = ? ORDER BY 1");
      assert.deepEqual(
        found.all(transcript.id).map((row) => row["message_id"]),
        ["msg_1_1", "msg_1_2"],
      );
    } finally {
      stock.close();
    }
  });
});

/** Appends a turn and updates the figures accordingly. */
function withTurn(figures: Figures, transcript: Transcript, contextTokens: number): Figures {
  transcript.turn(contextTokens);
  const { percents, used } = figures;
  const { "claude-code": before, ...others } = used;
  assert.ok(before);
  const turn = {
    responses: 1,
    input: 12,
    output: 300,
    cacheCreation: 1500,
    cacheRead: contextTokens - 1512,
  };
  return {
    percents: { ...percents, [transcript.id]: shareOf(contextTokens, windowTokens) },
    used: { ...others, "claude-code": together(before, turn) },
  };
}

/** The part of the figures that a client reports. */
function only({ percents, used }: Figures, reported: Partial<Figures>): Partial<Figures> {
  return { ...(reported.percents && { percents }), ...(reported.used && { used }) };
}

async function allSee(windows: readonly HeadlessWindow[], figures: Figures): Promise<void> {
  await eventually("nine windows", async () => {
    const looks = await Promise.all(windows.map((window) => window.report()));
    for (const look of looks) assert.deepEqual(look.figures, figures);
  });
}

/** Asserts the figures in the status bar, the Sessions view and the Ledger's sums. */
async function editorSees({ workbench }: EditorWindow, { percents, used }: Figures, status: RegExp) {
  await workbench.waitForStatus(statusId, ({ text }) => status.test(text), patience);
  await workbench.runCommand("Purser: Show Sessions");
  const shares = Object.values(percents).map((share) => percent(share));
  await eventually("the Sessions view", async () => {
    await workbench.expandTree("Sessions");
    const rows = await workbench.treeRows("Sessions");
    const own = rows.filter((row) => row.includes("Claude Code"));
    const shown = own.flatMap((row) => /(?:^| )(<?\d+%)(?: |$)/u.exec(row)?.[1] ?? []);
    assert.deepEqual(shown.sort(), shares.sort(), rows.join("\n"));
  });
  await workbench.runCommand("Purser: Open Usage");
  const ledger = workbench.page.frameLocator("iframe.webview").frameLocator("iframe");
  await ledger.getByTitle("All time").click();
  const all = Object.values(used).reduce(together);
  for (const [kind, value] of sums(all))
    await ledger
      .locator(".totals")
      .filter({ hasText: kind })
      .filter({ hasText: wholeNumber(value) })
      .waitFor({ timeout: patience });
}

function sums({ responses, input, output, cacheCreation, cacheRead }: Used): [string, number][] {
  return [
    ["responses", responses],
    ["Input", input],
    ["Output", output],
    ["Cache writes", cacheCreation],
    ["Cache reads", cacheRead],
    ["new tokens", input + output + cacheCreation],
  ];
}

/** Retries until nothing is thrown. @throws the last error when it takes too long */
async function eventually(what: string, attempt: () => Promise<void>): Promise<void> {
  const deadline = performance.now() + patience;
  for (;;) {
    try {
      await attempt();
      return;
    } catch (error) {
      if (performance.now() > deadline) throw new Error(`${what}: ${String(error)}`, { cause: error });
    }
    await wait(200);
  }
}

function record(home: string): { readonly pid: number } {
  const json: unknown = JSON.parse(readFileSync(join(home, "service.json"), "utf8"));
  assert.ok(typeof json === "object" && json !== null && "pid" in json && typeof json.pid === "number");
  return { pid: json.pid };
}
