import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { it } from "node:test";
import { fileURLToPath } from "node:url";
import { format, resolveConfig } from "prettier";
import { baselineJson, benchJson } from "../../../src/engine/cli/bench/bench-schema.ts";
import { checkJson } from "../../../src/engine/cli/sessions/self-check.ts";
import { doctorJson } from "../../../src/engine/cli/doctor/doctor-schema.ts";
import { hookRepairJson, hookProfileJson, hooksJson } from "../../../src/engine/cli/hooks/hooks-schema.ts";
import { guardFile } from "../../../src/engine/guard/user-rules/file-schema.ts";
import { outputsJson } from "../../../src/engine/cli/guard/output-command.ts";
import { instructionsJson } from "../../../src/engine/cli/instructions-command.ts";
import { learnJson } from "../../../src/engine/cli/learn/print-learn.ts";
import { guardJson, guardReplayJson, guardTestJson } from "../../../src/engine/cli/guard/guard-schema.ts";
import { compareJson } from "../../../src/engine/cli/compare/compare-schema.ts";
import { handoverJson } from "../../../src/engine/cli/handover/print-handover.ts";
import { economyJson } from "../../../src/engine/cli/economy/economy-command.ts";
import { agentJson, taskJson, wakeJson } from "../../../src/engine/cli/economy/economy-schema.ts";
import { definitionHead } from "../../../src/engine/recurring/agents/recurring-agents-schema.ts";
import { taskHead } from "../../../src/engine/recurring/tasks/head-and-text.ts";
import { ledgerCheckJson, ledgerJson } from "../../../src/engine/cli/ledger/ledger-status.ts";
import { planJson } from "../../../src/engine/cli/plan/print-plan.ts";
import { memoryJson, reportJson, rulesJson } from "../../../src/engine/cli/rules/rules-schema.ts";
import { trialJson } from "../../../src/engine/cli/rules/trial-command.ts";
import { selectJson } from "../../../src/engine/cli/rules/select-schema.ts";
import { serviceJson } from "../../../src/engine/cli/service/service-outcome.ts";
import { sessionShowJson } from "../../../src/engine/cli/sessions/show-text.ts";
import { statusJson } from "../../../src/engine/cli/sessions/sessions-outcome.ts";
import { usageJson } from "../../../src/engine/cli/usage/usage-schema.ts";
import { whyJson } from "../../../src/engine/cli/why/why-schema.ts";
import { jsonSchemaOf } from "../support/json-schema.ts";
import { settingsFile } from "./support/settings-file.ts";

const printedBy = (command: string) => `what \`purser ${command} --json\` prints`;
const shapes = [
  { name: "status", command: "status", shape: statusJson },
  { name: "check", command: "status --session ID", shape: checkJson },
  { name: "doctor", command: "doctor", shape: doctorJson },
  { name: "session-show", command: "session show", shape: sessionShowJson },
  { name: "handover", command: "handover", shape: handoverJson },
  { name: "usage", command: "usage", shape: usageJson },
  { name: "why", command: "why", shape: whyJson },
  { name: "service", command: "service status", shape: serviceJson },
  { name: "ledger", command: "ledger status", shape: ledgerJson },
  { name: "hooks", command: "hooks", shape: hooksJson },
  { name: "hook-profile", command: "hooks profile", shape: hookProfileJson },
  { name: "hook-repair", command: "hooks repair", shape: hookRepairJson },
  { name: "bench", command: "bench", shape: benchJson },
  { name: "baseline", command: "baseline show", shape: baselineJson },
  { name: "rules", command: "rules list", shape: rulesJson },
  { name: "select", command: "select", shape: selectJson },
  { name: "trial", command: "trial", shape: trialJson },
  { name: "plan", command: "plan", shape: planJson },
  { name: "guard", command: "guard", shape: guardJson },
  { name: "instructions", command: "instructions", shape: instructionsJson },
  { name: "learn", command: "learn", shape: learnJson },
  { name: "guard-replay", command: "guard replay", shape: guardReplayJson },
  { name: "guard-test", command: "guard test", shape: guardTestJson },
  { name: "output", command: "output", shape: outputsJson },
  { name: "memory", command: "memory show", shape: memoryJson },
  { name: "report", command: "report", shape: reportJson },
  { name: "compare", command: "compare", shape: compareJson },
  { name: "agent", command: "agent", shape: agentJson },
  { name: "task", command: "task", shape: taskJson },
  { name: "wake", command: "run", shape: wakeJson },
  { name: "economy", command: "economy", shape: economyJson },
  { name: "ledger-check", command: "ledger check", shape: ledgerCheckJson },
].map(({ command, ...shape }) => ({
  ...shape,
  what: printedBy(command),
  target: "draft-2020-12" as const,
  io: "output" as const,
}));
/** Editors validate such a file while it is written, and fully support this draft. */
const target = "draft-7" as const;
const files = [
  {
    name: "settings",
    what: "what ~/.purser/settings.json may hold",
    shape: settingsFile,
    target,
    io: "output" as const,
  },
  {
    name: "guard-rules",
    what: "what ~/.purser/guard.yaml may hold",
    shape: guardFile,
    target,
    io: "input" as const,
  },
  {
    name: "agent-definition",
    what: "what the head of .purser/agents/NAME.md may hold",
    shape: definitionHead,
    target,
    io: "input" as const,
  },
  {
    name: "task-file",
    what: "what the head of .purser/tasks/ID.md may hold",
    shape: taskHead,
    target,
    io: "input" as const,
  },
];

for (const { name, what, shape, target: draft, io } of [...shapes, ...files]) {
  const file = fileURLToPath(new URL(`../../../media/schemas/${name}.schema.json`, import.meta.url));

  it(`media/schemas describes ${what}; UPDATE_GOLDEN=1 writes it again`, async () => {
    const style = { ...(await resolveConfig(file)), filepath: file };
    const schema = await format(JSON.stringify(jsonSchemaOf(shape, { target: draft, io })), style);
    if (process.env["UPDATE_GOLDEN"] === "1") {
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, schema);
    }
    assert.equal(readFileSync(file, "utf8"), schema);
  });
}
