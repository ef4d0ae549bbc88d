/** `npm run generate -- golden-audit`: audits every golden task, and stores which ones passed, so that the check need not repeat it. */
import { writeFile } from "node:fs/promises";
import { auditSuite } from "../../src/engine/bench/golden/audit.ts";
import { stampOf, stampsFile } from "./audit-stamps.ts";
import { openGolden } from "./open.ts";

const { suite, ports, missing } = await openGolden();
if (missing !== null) throw new Error(missing);
const stamps: Record<string, string> = {};
for (const task of suite.tasks) {
  const [audit] = await auditSuite(suite, [task], ports);
  const faults = audit?.faults.map(({ detail }) => detail.text) ?? ["it was not audited"];
  console.log(`${faults.length === 0 ? "ok  " : "FAIL"} ${task.id}`);
  for (const fault of faults) console.log(`     ${fault}`);
  if (faults.length === 0) stamps[task.id] = stampOf(suite, task);
  else process.exitCode = 1;
}
await writeFile(stampsFile, `${JSON.stringify(stamps, null, 2)}\n`);
