import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { purserPaths } from "../../../../src/engine/base/paths.ts";
import { thisMachine } from "../../../../src/engine/base/process.ts";
import { systemClock } from "../../../../src/engine/base/timing.ts";
import { readCard } from "../../../../src/engine/continuity/handover/card.ts";
import type { HandoverGap } from "../../../../src/engine/continuity/continuity-answers.ts";
import { connectService, type ServiceClient } from "../../../../src/engine/service/client.ts";
import { openAgent } from "../../agent.ts";
import { codexVersion, installCodex } from "../../codex-install.ts";
import { openCodex } from "../../codex.ts";
import { agentsCache, installClaude, newestClaude } from "../../install.ts";
import type { Scratch } from "../../scratch.ts";
import { answers, codexTokens } from "../../stand-in/codex-reply.ts";
import { calls, says, usageOf } from "../../stand-in/reply.ts";
import { scripted } from "../../stand-in/script.ts";
import { checkOut, purserHomeOf, runPurser, setPurser } from "../purser.ts";

const cache = agentsCache(process.env, homedir());
const claude = await installClaude(newestClaude, cache);
const codex = await installCodex(cache);
const name = `Work of Claude Code ${newestClaude} goes on in a new Claude Code and in Codex ${codexVersion}: the first request of each has the edited card, and the next prompt what is put back`;

/** Usage far below every threshold: no other message is sent. */
const little = usageOf(0, 100, 20_000, 40);
const patience = 60_000; // ms for a session to be known as the one that begun with a document
const never = "Never change the tide tables of past years.";

async function connect(scratch: Scratch): Promise<ServiceClient> {
  const found = await connectService({
    home: purserPaths({ env: { PURSER_HOME: purserHomeOf(scratch) }, home: scratch.home }),
    machine: thisMachine(),
    clock: systemClock,
    version: "0.0.0",
    onProblem: (message) => assert.fail(message),
  });
  assert.ok(found.ok, found.ok ? "" : found.detail.text);
  return found.value;
}

/** Writes the document of a session with a goal as a person edits it on the card. Returns its id. */
async function edited(client: ServiceClient, session: string, goal: string): Promise<string> {
  const made = await client.ask("handoverMake", { session });
  assert.ok(made.ok, made.ok ? "" : made.detail.text);
  const { id, text } = made.value.draft;
  const card = readCard(text);
  assert.match(card.goal, /Read the tide and the quay/u);
  const written = await client.ask("handoverWrite", { id, card: { ...card, goal } });
  assert.ok(written.ok, written.ok ? "" : written.detail.text);
  return id;
}

/** What the new session does not know, once it is known. */
async function gapOf(client: ServiceClient, id: string): Promise<HandoverGap> {
  for (const end = performance.now() + patience; performance.now() < end;) {
    const asked = await client.ask("handoverGap", { id });
    assert.ok(asked.ok, asked.ok ? "" : asked.detail.text);
    if (asked.value.gap !== null) return asked.value.gap;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  return assert.fail("no session is known to have begun with the document");
}

if (!claude.ok) test(name, { skip: `SKIPPED, the agent cannot be installed here: ${claude.detail.text}` });
else if (!codex.ok) test(name, { skip: `SKIPPED, the agent cannot be installed here: ${codex.detail.text}` });
else
  test(name, { timeout: 400_000 }, async () => {
    const agent = await openAgent(newestClaude, claude.value, "r");
    const other = await openCodex(codex.value, "s");
    const { scratch, standIn } = agent;
    const env = {
      PURSER_CLAUDE: claude.value,
      ANTHROPIC_BASE_URL: standIn.url,
      ANTHROPIC_API_KEY: "stand-in-key-that-is-no-word-of-ours",
      DISABLE_TELEMETRY: "1",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      PURSER_CODEX: codex.value,
      CODEX_HOME: other.home,
      STAND_IN_KEY: "dummy",
    };
    try {
      for (const file of ["tide.md", "quay.md"])
        await writeFile(join(scratch.workspace, file), `# ${file}\n`);
      checkOut(scratch, "harbor");
      setPurser(scratch);
      await runPurser(scratch, ["service", "restart"], env);
      await runPurser(scratch, ["hooks", "install", "--yes"], env);
      const read = (file: string) => calls("Read", { file_path: join(scratch.workspace, file) }, little);
      const session = await agent.turn({
        prompt: `Read the tide and the quay. ${never}`,
        lines: { main: [read("tide.md"), read("quay.md"), says("Both are read.", little)] },
      });
      const client = await connect(scratch);

      const id = await edited(client, session, "- Count the boats at the quay");
      const from = standIn.exchanges.length;
      const { script, unused } = scripted({ main: [read("quay.md"), says("Seven boats.", little)] });
      standIn.setScript(script);
      await runPurser(scratch, ["handover", id, "--to", "claude", "--start"], env);
      assert.deepEqual([standIn.failures, unused()], [[], []]);
      const first = (standIn.exchanges[from]?.request.allContent ?? "").replaceAll(String.raw`\n`, "\n");
      assert.match(first, new RegExp(`Handover ${id}: Read the tide and the quay\\n`, "u"));
      assert.match(first, /## Goal\n\n- Count the boats at the quay\n\n/u);
      assert.doesNotMatch(first, /Nothing is known for certain|git cannot be asked/u);

      const gap = await gapOf(client, id);
      assert.equal(gap.isReached, true);
      const files = gap.items.filter(({ kind }) => kind === "file");
      assert.deepEqual(
        files.map(({ text }) => text),
        ["tide.md"],
        "the new session has read the quay itself",
      );
      const items = files.map((item) => item.id);
      const put = await client.ask("handoverPutBack", { id, items });
      assert.deepEqual(put.ok && put.value.text, null);
      const listed = await client.ask("handoverList", {});
      assert.ok(listed.ok);
      const successor = listed.value.handovers.find((each) => each.id === id)?.toSession ?? "";
      const later = standIn.exchanges.length;
      await agent.turn({ prompt: "Go on.", resume: successor, lines: { main: [says("Yes.", little)] } });
      const next = standIn.exchanges[later]?.request.lastContent ?? "";
      assert.match(next, /its handover leaves out[^]*`tide\.md`/u);
      assert.equal((await gapOf(client, id)).items.find((item) => item.id === items[0])?.back, "given");

      const second = await edited(client, session, "- Count the oars");
      other.standIn.setLines({ main: [answers("Forty oars.", codexTokens(9000, 0, 17))] });
      await runPurser(scratch, ["handover", second, "--to", "codex", "--start"], env);
      assert.deepEqual(other.standIn.failures, []);
      assert.match(other.standIn.exchanges[0]?.body ?? "", /## Goal\\n\\n- Count the oars\\n/u);
      await gapOf(client, second);
      client.dispose();
    } finally {
      await runPurser(scratch, ["service", "stop"], env);
      await other.close();
      await agent.close();
    }
  });
