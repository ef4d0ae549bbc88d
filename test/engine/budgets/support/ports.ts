import assert from "node:assert/strict";
import type { Result } from "../../../../src/engine/base/result.ts";
import type { FilePort } from "../../../../src/engine/base/disk/file-port.ts";
import type { NewBudget } from "../../../../src/engine/budgets/budget.ts";
import { createBudget } from "../../../../src/engine/budgets/convoys/convoys-store.ts";
import type { PlannedCall } from "../../../../src/engine/budgets/check/describe-answer.ts";
import type { BudgetPorts } from "../../../../src/engine/budgets/check/check.ts";
import { FileSpending } from "../../../../src/engine/budgets/spending/spending-file.ts";
import { noHistory } from "../../../../src/engine/budgets/projection.ts";
import { fakeMachine } from "../../support/pretended-machine.ts";
import { MemoryDisk } from "./memory-files.ts";

/** A Wednesday, local time. */
export const noon = new Date(2026, 10, 18, 12).getTime();
export const hour = 3_600_000;
export const project = "/argo";

/** A clock that a test sets. */
export class TestClock {
  time = noon;
  now(): number {
    return this.time;
  }
}

let words = 0;

/** A separate process on a disk that others may share. */
export function portsOn(files: FilePort, over: Partial<BudgetPorts> = {}): BudgetPorts {
  const own = {
    project,
    files,
    unique: () => `u${(words += 1)}`,
    pause: () => Promise.resolve(),
  };
  return {
    ...own,
    pid: 1,
    machine: fakeMachine((pid) => pid === 1),
    clock: new TestClock(),
    spending: new FileSpending(own),
    history: noHistory,
    ...over,
  };
}

/** A process with a budget it created, alone on its disk. */
export async function withBudget(budget: NewBudget, over: Partial<BudgetPorts> = {}): Promise<BudgetPorts> {
  const ports = portsOn(new MemoryDisk().port(), over);
  valueOf(await createBudget(budget, ports));
  return ports;
}

export function valueOf<Value>(result: Result<Value>): Value {
  assert.ok(result.ok, result.ok ? "" : `${result.reason}: ${result.detail.text}`);
  return result.value;
}

export function callOf(over: Partial<PlannedCall> = {}): PlannedCall {
  return { convoyId: "fleet", agentId: "helm", sessionId: "s1", projectedTokens: 10, ...over };
}
