import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import path from "node:path";
import { describe, it } from "node:test";
import { statusLineCommand } from "../../../src/engine/hooks/install/settings/set-status-line.ts";
import type { Overview } from "../../../src/engine/ledger/ledger-answers.ts";
import type { LiveSnapshot } from "../../../src/engine/sessions/live-snapshot.ts";
import { hookProgram } from "../support/programs.ts";
import { waitUntil } from "../support/wait-until.ts";
import { ServiceSandbox } from "./support/box.ts";

const shim = { path: hookProgram, runtime: process.execPath };

/** The input Claude Code 2.1.330 sends to its status line, with made-up names. */
function statusLineInput(box: ServiceSandbox): string {
  return JSON.stringify({
    session_id: "s-1",
    transcript_path: path.join(box.root, "projects", "-argo", "s-1.jsonl"),
    cwd: "/argo",
    model: { id: "claude-sonnet-4-6[1m]", display_name: "Sonnet 4.6 (1M context)" },
    workspace: { current_dir: "/argo", project_dir: "/argo", added_dirs: [] },
    version: "2.1.330",
    output_style: { name: "default" },
    cost: { total_cost_usd: 0.42, total_duration_ms: 61_000, total_api_duration_ms: 40_000 },
    context_window: {
      total_input_tokens: 250_000,
      total_output_tokens: 900,
      context_window_size: 1_000_000,
      current_usage: {
        input_tokens: 4,
        output_tokens: 900,
        cache_creation_input_tokens: 9996,
        cache_read_input_tokens: 240_000,
      },
      used_percentage: 25,
      remaining_percentage: 75,
    },
    exceeds_200k_tokens: true,
    rate_limits: {
      five_hour: { used_percentage: 23.5, resets_at: 1_795_341_600 },
      seven_day: { used_percentage: 41, resets_at: 1_795_700_000 },
    },
  });
}

function run(command: string, input: string, env: Record<string, string>) {
  const { status, stdout, stderr } = spawnSync("/bin/sh", ["-c", command], { input, env, timeout: 20_000 });
  return { status, stdout: stdout.toString(), stderr: stderr.toString() };
}

describe("the program of a status line", { skip: process.platform === "win32" }, () => {
  it("passes the agent's figures to windows and the ledger, and shows the user's command's output", async (t) => {
    const box = new ServiceSandbox(t);
    const client = await box.client("1.0.0", { PURSER_TEST_LEDGER: "1" });
    const received: LiveSnapshot[] = [];
    client.on("snapshot", (snapshot) => received.push(snapshot));
    await client.ask("subscribe", {});
    await waitUntil(() => received.length > 0 && box.log().includes("Hooks are answered at"));
    const own = `printf 'in %s bytes' "$(wc -c | tr -d ' ')"; echo oh >&2; exit 3`;
    const command = statusLineCommand(shim, { command: own, text: "" }, "linux");
    const input = statusLineInput(box);
    const length = Buffer.byteLength(input);
    assert.deepEqual(run(command, input, box.env), {
      status: 3,
      stdout: `in ${length} bytes`,
      stderr: "oh\n",
    });
    // The program does not wait for the service, so on a busy machine it may take several runs.
    await waitUntil(() => {
      if (received.at(-1)?.sessions[0] === undefined) run(command, input, box.env);
      return received.at(-1)?.sessions[0] !== undefined;
    });
    const session = received.at(-1)?.sessions[0] ?? assert.fail();
    assert.deepEqual(
      [session.occupancy.value, session.occupancy.provenance, session.window.value, session.percent],
      [250_000, "official", 1_000_000, 25],
    );
    const noMoney = { usedUsd: null, limitUsd: null, period: null };
    assert.deepEqual(session.planLimits, [
      { name: "five_hour", usedPercent: 23.5, resetsAt: 1_795_341_600_000, ...noMoney },
      { name: "seven_day", usedPercent: 41, resetsAt: 1_795_700_000_000, ...noMoney },
    ]);
    let limits: Overview["planLimits"] = [];
    // The ledger accepts nothing until it is open; the status line runs repeatedly.
    for (let count = 0; count < 20 && limits.length === 0; count += 1) {
      run(command, input, box.env);
      const asked = await client.ask("overview", {
        asked: { since: null, until: null, project: null, program: null },
      });
      if (asked.ok) limits = asked.value.answer.planLimits;
    }
    assert.deepEqual(
      limits.map(({ name, usedPercent }) => [name, usedPercent]),
      [
        ["five_hour", 23.5],
        ["seven_day", 41],
      ],
    );
  });

  it("keeps the user's line without a service, and for invalid input", (t) => {
    const box = new ServiceSandbox(t);
    const command = statusLineCommand(shim, { command: "cat", text: "" }, "linux");
    for (const input of [statusLineInput(box), "", "{", "\u0000\u0001"])
      assert.deepEqual(run(command, input, box.env), { status: 0, stdout: input, stderr: "" });
    const alone = statusLineCommand(shim, { command: "", text: "" }, "linux");
    assert.deepEqual(run(alone, statusLineInput(box), box.env), { status: 0, stdout: "", stderr: "" });
  });

  it("is the user's own even if purser, or Node, is gone", (t) => {
    const box = new ServiceSandbox(t);
    const chained = { command: `sed "s/o/'0'/"; exit 4`, text: "" };
    for (const gone of [
      { ...shim, path: "/nowhere/hook.cjs" },
      { ...shim, runtime: "no-such-node" },
    ])
      assert.deepEqual(run(statusLineCommand(gone, chained, "linux"), "so", box.env), {
        status: 4,
        stdout: "s'0'",
        stderr: "",
      });
  });
});
