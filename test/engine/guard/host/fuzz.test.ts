import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { Agent } from "node:http";
import path from "node:path";
import { it } from "node:test";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { succeed } from "../../../../src/engine/base/result.ts";
import { createBudget } from "../../../../src/engine/budgets/convoys/convoys-store.ts";
import { noHistory } from "../../../../src/engine/budgets/projection.ts";
import { hookCallers } from "../../../../src/engine/hooks/program.ts";
import { collectedHook } from "../../service/support/collected-hook.ts";
import { LedgerHost } from "../../../../src/engine/ledger/host/ledger-host.ts";
import { projectBudgets } from "../../../../src/engine/budgets/live/project.ts";
import { valueOf } from "../../budgets/support/ports.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { ServiceSandbox, machine } from "../../service/support/box.ts";
import { FakeCollecting, FakeLedger } from "../../service/support/fake-ledger.ts";
import { hook, placeOf, post } from "../../service/support/hooks.ts";
import { mangledFrom } from "../../service/support/mangle.ts";

const folder = fileURLToPath(new URL("../../hooks/hook-bodies", import.meta.url));
/** Bodies that real agents posted, with ids and paths replaced. */
const bodies = readdirSync(folder).flatMap((name) =>
  readFileSync(path.join(folder, name), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => Buffer.from(line)),
);

it("Mangled hooks are answered or refused, the service continues, and every readable one is recorded", async (t) => {
  const box = new ServiceSandbox(t);
  const project = path.join(box.folder, "workspace");
  mkdirSync(path.join(project, ".git"), { recursive: true });
  writeFileSync(path.join(project, ".git", "HEAD"), "ref: refs/heads/fleet\n");
  valueOf(
    await createBudget(
      { convoyId: "fleet" },
      projectBudgets(project, {
        pid: process.pid,
        machine,
        clock: { now: () => 0 },
        history: noHistory,
        apart: { folder: path.join(box.folder, "spending"), isTrusted: null },
      }),
    ),
  );
  const entries = new FakeLedger();
  const { log, clock } = box.servicePorts();
  const ledger = new LedgerHost({
    log,
    clock,
    places: [],
    open: () => Promise.resolve(succeed(entries)),
    collect: () => new FakeCollecting([]),
  });
  const client = await box.host({ ledger, budgetMode: () => "hard" });
  await waitUntil(() => box.log().includes("Hooks are answered at"));
  const address = placeOf(box.home);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.after(() => agent.destroy());
  const here = bodies.map((body) => Buffer.from(body.toString().replaceAll("/home/nana", box.folder)));
  // Unattended, since a permission request would wait for a person.
  const about = { "X-Purser-Teams": "1", "X-Purser-Entry": "sdk-cli" };
  const readable = new Set<string>();
  let count = 0;
  await fc.assert(
    fc.asyncProperty(
      mangledFrom(here),
      fc.constantFrom(...hookCallers),
      fc.integer({ min: 1, max: 2 }),
      async (body, program, times) => {
        const id = `fuzz-${String((count += 1)).padStart(6, "0")}`;
        for (let time = 0; time < times; time += 1) {
          const headers = { ...about, "X-Purser-Event": id };
          const answer = await post(address, body, { agent, headers, path: `/hook/${program}` });
          assert.equal(answer.status, 200);
          if (answer.body !== "") assert.equal(typeof JSON.parse(answer.body), "object");
        }
        if (collectedHook(body)) readable.add(`hook:${id}`);
      },
    ),
    { numRuns: 400 },
  );
  // Found by this test: no real name is that long, and it is still a hook.
  const long = hook("Stop", { agent_id: "x".repeat(100_000) });
  assert.equal((await post(address, long, { headers: { "X-Purser-Event": "long-name" } })).status, 200);
  readable.add("hook:long-name");
  // One that is too large to be stored is answered as well.
  const large = await post(address, Buffer.alloc(9 * 1024 * 1024, 0x20));
  assert.deepEqual(large, { status: 200, body: "" });
  assert.equal(
    (await post(address, hook("Stop"), { headers: { "X-Purser-Event": "last-one" } })).status,
    200,
  );
  assert.equal(await client.shutdown("asked", 10_000), true);
  const reported = new Set(entries.told.flatMap((entry) => (entry.kind === "hook-event" ? [entry.id] : [])));
  const spooled = existsSync(box.home.spool) ? readdirSync(box.home.spool) : [];
  assert.ok(reported.has("hook:last-one"));
  assert.ok(readable.size > 50, `${readable.size} were readable`);
  assert.deepEqual(
    [...readable].filter((id) => !reported.has(id)),
    [],
  );
  assert.deepEqual(spooled, []);
});
