import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { nodeFiles } from "../../../../src/engine/base/disk/file-port.ts";
import { thisMachine } from "../../../../src/engine/base/process/machine.ts";
import { loadBudget, saveBudget } from "../../../../src/engine/budgets/convoys/convoys-store.ts";
import { FileSpending } from "../../../../src/engine/budgets/spending/spending-file.ts";
import { reserveTokens } from "../../../../src/engine/budgets/spending/leases.ts";
import { noHistory } from "../../../../src/engine/budgets/projection.ts";
import { recordUsage } from "../../../../src/engine/budgets/spending/record-usage.ts";
import { portsOn, valueOf } from "./ports.ts";

/**
 * A separate process: `racer.ts FOLDER spend|edit|die NAME TIMES`. Prints the tokens it used, or how often it changed the budget.
 */
const [folder = "", act, agentId = "", times] = process.argv.slice(2);

const own = {
  project: folder,
  files: nodeFiles,
  unique: randomUUID,
  pause: (milliseconds: number) => pause(milliseconds),
};
const ports = portsOn(nodeFiles, {
  ...own,
  pid: process.pid,
  machine: thisMachine(),
  spending: new FileSpending(own),
  history: noHistory,
});
const call = { convoyId: "fleet", agentId, sessionId: agentId, projectedTokens: 7 };

let done = 0;
for (let time = 0; time < Number(times); time += 1) {
  if (act === "edit") done += await edit();
  else done += await spend();
}
process.stdout.write(String(done));

async function spend(): Promise<number> {
  const { lease } = valueOf(await reserveTokens(call, ports));
  if (lease === null) return 0;
  // Dies while holding a lease.
  if (act === "die") process.kill(process.pid, "SIGKILL");
  valueOf(await recordUsage({ call, usage: 6, as: { kind: "call", leaseId: lease.id } }, ports));
  return 6;
}

/** Raises the convoy's limit by one. */
async function edit(): Promise<number> {
  for (;;) {
    const { budget, revision } = valueOf(await loadBudget("fleet", ports));
    const convoy = {
      amount: (budget.levels.convoy?.amount ?? 0) + 1,
      unit: "tokens",
      period: "day",
    } as const;
    const saved = await saveBudget({ ...budget, levels: { convoy } }, revision, ports);
    if (saved.ok) return 1;
    if (saved.reason !== "changed") valueOf(saved);
  }
}
