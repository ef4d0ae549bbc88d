import { takeLock, type LockPorts } from "../../base/lock/numbered.ts";
import { english } from "../../base/text/english.ts";
import { fail } from "../../base/result.ts";
import { insideProject } from "../../base/disk/inside-project.ts";
import { budgetPaths, makeSpendingFolder } from "../disk-layout.ts";
import type { Budgeted } from "../faults.ts";

interface Ports extends LockPorts {
  readonly project: string;
  readonly pause: (milliseconds: number) => Promise<unknown>;
  readonly noteUse?: () => Promise<void>;
}

/**
 * Changing a file takes milliseconds; after five seconds of waiting the person gets
 * an error.
 */
const [attempts, between] = [250, 20];

/**
 * Runs an action that only one process at a time may do to the project's budgets.
 * @throws the system's error
 */
export async function whileLocked<Value>(
  ports: Ports,
  act: () => Promise<Budgeted<Value>>,
): Promise<Budgeted<Value>> {
  const { budgets, spending: folder, lock: name } = budgetPaths(ports.project);
  for (const each of [budgets, folder]) {
    const inside = insideProject(each, ports.project);
    if (!inside.ok) return fail("unusable", inside.detail);
  }
  await ports.noteUse?.();
  await makeSpendingFolder(folder, ports.files);
  const paths = { folder, name, older: `${name}.lock` };
  let taken = await takeLock(paths, ports);
  for (let attempt = 1; !taken.ok && attempt < attempts; attempt += 1) {
    await ports.pause(between);
    taken = await takeLock(paths, ports);
  }
  if (!taken.ok)
    return fail("busy", english("{saidWhy}; try again when it has ended", { saidWhy: taken.detail }));
  try {
    return await act();
  } finally {
    await taken.value.release();
  }
}
