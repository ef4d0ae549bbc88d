import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { makeChange } from "../../../src/engine/hooks/install/make-change.ts";
import { planWholeInstall } from "../../../src/engine/hooks/install/whole-plan.ts";
import { installContext } from "../../../src/engine/hooks/install/hooks-install-context.ts";
import { waitUntil } from "../support/wait-until.ts";
import { ServiceSandbox } from "../service/support/box.ts";
import { hook, placeOf, post } from "../service/support/hooks.ts";

const program = fileURLToPath(new URL("../../../src/engine/service/main.ts", import.meta.url));

/** Installs hooks that point to a service that answered elsewhere. */
async function installed(box: ServiceSandbox, posting: "always" | "never"): Promise<string> {
  const run = () => Promise.resolve(null);
  const { env, folder: home } = box;
  const context = installContext(
    { env, home, program, cwd: null, posting, run },
    { port: 20_001, token: "a-token-of-some-length" },
  );
  const place = { program: "claude-code", scope: "user" } as const;
  mkdirSync(box.root, { recursive: true });
  mkdirSync(box.home.folder, { mode: 0o700 });
  const plan = await planWholeInstall(place, context, { statusLine: false });
  assert.ok(plan.ok);
  for (const change of plan.value.changes) assert.ok((await makeChange(change, context)).ok);
  return path.join(box.root, "settings.json");
}

function set(box: ServiceSandbox, hookPosting: string): void {
  writeFileSync(box.home.settings, JSON.stringify({ hookPosting }), { mode: 0o600 });
}

describe("a starting service", () => {
  it("repairs the user's own hooks that use the previous port", async (t) => {
    const box = new ServiceSandbox(t);
    const settings = await installed(box, "always");
    set(box, "always");
    await box.client("1.0.0", { PURSER_TEST_LEDGER: "1" });
    await waitUntil(() => box.log().includes("repaired: they were posted to an address of before"));
    const address = placeOf(box.home);
    const text = readFileSync(settings, "utf8");
    assert.ok(text.includes(`127.0.0.1:${address.port}/`) && text.includes(address.token));
    assert.equal((await post(address, hook("SessionStart"))).body, "", "that is of no interest to anybody");
  });

  it("notifies the user's next session once that hooks changed their kind", async (t) => {
    const box = new ServiceSandbox(t);
    const settings = await installed(box, "always");
    set(box, "never");
    await box.client("1.0.0", { PURSER_TEST_LEDGER: "1" });
    await waitUntil(() => box.log().includes("repaired: they were posted"));
    assert.doesNotMatch(readFileSync(settings, "utf8"), /"http"|Bearer/u);
    const address = placeOf(box.home);
    const answer = await post(address, hook("SessionStart"));
    assert.match(
      answer.body,
      /"systemMessage":"Context Purser: Claude Code's hooks in .* are commands from now on/u,
    );
    assert.equal((await post(address, hook("UserPromptSubmit"))).body, "");
  });

  it("does nothing if nothing was installed, or all is right", async (t) => {
    const box = new ServiceSandbox(t);
    await installed(box, "never");
    set(box, "never");
    await box.client("1.0.0", { PURSER_TEST_LEDGER: "1" });
    await waitUntil(() => box.log().includes("Hooks are answered at"));
    assert.equal((await post(placeOf(box.home), hook("SessionStart"))).body, "");
    assert.doesNotMatch(box.log(), /Hooks in|could not be looked at/u);
  });
});
