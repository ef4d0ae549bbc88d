import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import * as z from "zod";
import { sessionShowJson } from "../../../../src/engine/cli/sessions/show-text.ts";
import { waitUntil } from "../../../engine/support/wait-until.ts";
import type { Agent } from "../../agent.ts";
import { openAgent } from "../../agent.ts";
import { agentsCache, installClaude, newestClaude } from "../../install.ts";
import { calls, says, usageOf } from "../../stand-in/reply.ts";
import { roleOf } from "../../stand-in/role.ts";
import { checkOut, runPurser, setPurser, wasLate } from "../purser.ts";

const installed = await installClaude(newestClaude, agentsCache(process.env, homedir()));
const names = {
  compaction: `Claude Code ${newestClaude} is asked to keep what is known before a compaction, and its next request has exactly what the scripted summary left out`,
  start: `Claude Code ${newestClaude} begins a new session with one line, or with the packet of the last one, and a resumed one and a subagent with neither`,
};

const exportedCards = z.object({
  tables: z.object({ scorecards: z.array(z.looseObject({ session_id: z.string(), card: z.string() })) }),
});

/** Usage far below every threshold: no other message is sent. */
const little = usageOf(0, 100, 20_000, 40);
const read = (file: string) => calls("Read", { file_path: file }, little);
const never = "Never change the tide tables of past years.";

/** The text that each request adds. */
function textsSince(agent: Agent, from: number): { readonly role: string; readonly text: string }[] {
  return agent.standIn.exchanges.slice(from).map(({ request }) => ({
    role: roleOf(request),
    text: request.lastContent.replaceAll(String.raw`\n`, "\n").replaceAll(String.raw`\"`, '"'),
  }));
}

/** A workspace with three files, hooks, and a session that has read two of them. */
async function begin(agent: Agent, settings: Parameters<typeof setPurser>[1]): Promise<string> {
  const { scratch } = agent;
  for (const name of ["tide.md", "quay.md", "mole.md"])
    await writeFile(join(scratch.workspace, name), `# ${name}\n`);
  checkOut(scratch, "harbor");
  setPurser(scratch, settings);
  await runPurser(scratch, ["service", "restart"]);
  await runPurser(scratch, ["hooks", "install", "--yes"]);
  return await agent.turn({
    prompt: `Read the tide and the quay. ${never}`,
    lines: {
      main: [
        read(join(scratch.workspace, "tide.md")),
        read(join(scratch.workspace, "quay.md")),
        says("Both are read.", little),
      ],
    },
  });
}

if (!installed.ok)
  for (const name of Object.values(names))
    test(name, { skip: `SKIPPED, the agent cannot be installed here: ${installed.detail.text}` });
else {
  test(names.compaction, { timeout: 180_000 }, async () => {
    const agent = await openAgent(newestClaude, installed.value, "c");
    const { scratch } = agent;
    try {
      const id = await begin(agent, { continuityStart: "off" });
      const from = agent.standIn.exchanges.length;
      await agent.turn({
        prompt: "Go on.",
        resume: id,
        model: "claude-sonnet-5-5",
        lines: {
          main: [
            calls("Bash", { command: "echo one", description: "Print" }, usageOf(0, 5, 990_000, 40)),
            says("Nothing is left.", little),
          ],
          summary: [
            says("<analysis>tide.md</analysis><summary>The user had quay.md read.</summary>", little),
          ],
        },
      });
      const sent = textsSince(agent, from);
      const summary = sent.find(({ role }) => role === "summary")?.text ?? "";
      assert.match(
        summary,
        /Additional Instructions:\nKeep these facts of the session[^]*"Never change the tide tables of past years\."[^]*`tide\.md`/u,
      );
      assert.match(summary, /`quay\.md`/u);
      const next = sent.at(-1);
      assert.equal(next?.role, "main");
      const told = /SessionStart hook additional context: (Context Purser: the summary[^]*?)"[,}]/u.exec(
        next.text.replaceAll(`"${never}"`, never),
      )?.[1];
      assert.deepEqual(told?.split("\n").slice(1), [
        `- Decided by the user: ${never} (turn 1)`,
        "- Files worked on: `tide.md`",
      ]);

      const shown = await runPurser(scratch, ["session", "show", id, "--json"]);
      const [diff] = sessionShowJson.parse(JSON.parse(shown)).compactions;
      assert.equal(diff?.trigger, "auto");
      assert.ok(diff.kept.some(({ text }) => text === "quay.md"));
      assert.deepEqual(
        diff.lost.filter(({ kind }) => kind === "file").map(({ text, back }) => [text, back]),
        [["tide.md", "told"]],
      );

      const later = agent.standIn.exchanges.length;
      await agent.turn({ prompt: "And now?", resume: id, lines: { main: [says("Nothing.", little)] } });
      const [again] = textsSince(agent, later);
      assert.equal(again?.text.split("leaves out these facts").length, 1, "it is sent once");
    } finally {
      await runPurser(scratch, ["service", "stop"]);
      await agent.close();
    }
  });

  test(names.start, { timeout: 180_000 }, async () => {
    const agent = await openAgent(newestClaude, installed.value, "n");
    const { scratch } = agent;
    const said = async (turn: Parameters<Agent["turn"]>[0]) => {
      const from = agent.standIn.exchanges.length;
      const id = await agent.turn(turn);
      return { id, sent: textsSince(agent, from) };
    };
    const answer = { main: [says("Yes.", little)] };
    const shown = async (id: string) =>
      sessionShowJson.parse(JSON.parse(await runPurser(scratch, ["session", "show", id, "--json"])));
    const cards = async () =>
      exportedCards.parse(JSON.parse(await runPurser(scratch, ["ledger", "export", "--format", "json"])))
        .tables.scorecards;
    const helper = {
      description: "Look around",
      prompt: "Look at the mole.",
      subagent_type: "general-purpose",
      run_in_background: false,
    };
    try {
      const first = await begin(agent, { continuityStart: "offer" });
      assert.doesNotMatch(
        textsSince(agent, 0)[0]?.text ?? "",
        /Context Purser/u,
        "there is no earlier session",
      );

      const offered = await said({
        prompt: "What next?",
        lines: {
          main: [calls("Agent", helper, little), says("Nothing.", little)],
          subagent: [says("The mole stands.", little)],
        },
      });
      const [main] = offered.sent;
      const lines = (main?.text ?? "").split("\n").filter((line) => line.includes("Context Purser"));
      assert.equal(lines.length, 1, main?.text.slice(-3000));
      assert.match(lines[0] ?? "", new RegExp(`handover ${first} --print`, "u"));
      const subagents = offered.sent.filter(({ role }) => role === "subagent");
      assert.equal(subagents.length, 1);
      assert.doesNotMatch(subagents[0]?.text ?? "", /Context Purser|--print/u);

      const resumed = await said({ prompt: "Go on.", resume: offered.id, lines: answer });
      assert.doesNotMatch(resumed.sent[0]?.text.split("Go on.").at(-1) ?? "", /Context Purser/u);

      setPurser(scratch, { continuityStart: "always" });
      await runPurser(scratch, ["service", "restart"]);
      const isGiven = ({ sent }: { readonly sent: readonly { readonly text: string }[] }) =>
        (sent[0]?.text ?? "").includes("Notes on an earlier session");
      let given = await said({ prompt: "And now?", lines: answer });
      // A start waits a second for a service that has just begun, which a busy machine may exceed.
      for (let tries = 1; tries < 4 && !isGiven(given) && wasLate(scratch); tries += 1)
        given = await said({ prompt: "And now?", lines: answer });
      assert.ok(isGiven(given), given.sent[0]?.text.slice(-3000));
      const { scorecard } = await shown(given.id);
      const saved = scorecard?.savedByPacket ?? 0;
      assert.ok(saved > 15_000 && saved < 20_100, `the last call had sent 20,100 tokens: ${saved}`);
      // The agent's end is reported to no waiting caller.
      await waitUntil(async () => (await cards()).some(({ session_id: id }) => id === given.id));
      const stored = (await cards()).find(({ session_id: id }) => id === given.id);
      assert.deepEqual(JSON.parse(stored?.card ?? ""), (await shown(given.id)).scorecard);
      const forked = await said({ prompt: "Another way.", resume: given.id, fork: true, lines: answer });
      assert.equal(forked.sent[0]?.text.split("Notes on an earlier session").length, 1);
    } finally {
      await runPurser(scratch, ["service", "stop"]);
      await agent.close();
    }
  });
}
