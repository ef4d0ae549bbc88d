import assert from "node:assert/strict";
import path from "node:path";
import { it } from "node:test";
import type { LiveSnapshot } from "../../../../src/engine/sessions/live-snapshot.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { ServiceSandbox } from "../../service/support/box.ts";
import { hook, placeOf, post } from "../../service/support/hooks.ts";

it("a service sends windows the hooks of a session without a transcript at once", async (t) => {
  const box = new ServiceSandbox(t);
  const client = await box.client("1.0.0", { PURSER_TEST_LEDGER: "1" });
  const received: LiveSnapshot[] = [];
  client.on("snapshot", (snapshot) => received.push(snapshot));
  await client.ask("subscribe", {});
  await waitUntil(() => received.length > 0 && box.log().includes("Hooks are answered at"));
  const address = placeOf(box.home);
  const last = () => received.at(-1)?.sessions.find(({ id }) => id === "s-1");
  const where = { transcript_path: path.join(box.root, "projects", "-argo", "s-1.jsonl") };
  await post(
    address,
    hook("SessionStart", { ...where, source: "resume", model: "claude-sonnet-4-5", context_tokens: 50_000 }),
  );
  await waitUntil(() => last() !== undefined);
  const { occupancy, percent, activity, live } = last() ?? assert.fail();
  assert.deepEqual([occupancy.value, occupancy.provenance, percent], [50_000, "official", 25]);
  assert.deepEqual([activity?.state, live], ["starting", true]);
  await post(address, hook("PostCompact", where));
  await waitUntil(() => last()?.compactions === 1);
  assert.equal(last()?.occupancy.value, null);
  await post(address, hook("PostCompact", { ...where, agent_id: "a1" }));
  await post(address, hook("Stop", { ...where, last_assistant_message: "Moored." }));
  await waitUntil(() => last()?.activity?.lastMessage === "Moored.");
  assert.equal(last()?.compactions, 1);
  await post(address, hook("SessionEnd", where));
  await waitUntil(() => last() === undefined);
});
