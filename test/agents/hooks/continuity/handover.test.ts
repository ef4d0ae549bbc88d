import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFileSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { test } from "node:test";
import * as z from "zod";
import { handoverJson, type HandoverJson } from "../../../../src/engine/cli/handover/print-handover.ts";
import { openAgent } from "../../agent.ts";
import { codexVersion, installCodex } from "../../codex-install.ts";
import { openCodex } from "../../codex.ts";
import { copilotVersion, installCopilot, offline } from "../../copilot-install.ts";
import { copilotModel } from "../../copilot.ts";
import { agentsCache, generations, installClaude } from "../../install.ts";
import { copilotRoles } from "../../stand-in/copilot-role.ts";
import { answers, codexTokens } from "../../stand-in/codex-reply.ts";
import { says, usageOf } from "../../stand-in/reply.ts";
import { scripted } from "../../stand-in/script.ts";
import { startStandIn } from "../../stand-in/stand-in.ts";
import { runPurser, setPurser } from "../purser.ts";

const [generation] = generations;
const cache = agentsCache(process.env, homedir());
const claude = await installClaude(generation, cache);
const codex = await installCodex(cache);
const copilot = await installCopilot(cache);
const name = `Work of Claude Code ${generation} is handed over to Codex ${codexVersion} and to Copilot CLI ${copilotVersion}: the first request of each begins with the document`;

/** Time after which the service reads settings that changed. Milliseconds. */
const settingsRead = 1500;

const codexBody = z.looseObject({
  input: z.array(
    z.looseObject({
      role: z.string().optional(),
      content: z.array(z.looseObject({ text: z.string().optional() })).optional(),
    }),
  ),
});

/** The texts that a person, or a document, sent to Codex. */
function textsOf(body: string): string[] {
  return codexBody
    .parse(JSON.parse(body))
    .input.filter(({ role }) => role === "user")
    .flatMap(({ content = [] }) => content.flatMap(({ text }) => text ?? []));
}

if (!claude.ok) test(name, { skip: `SKIPPED, the agent cannot be installed here: ${claude.detail.text}` });
else if (!codex.ok) test(name, { skip: `SKIPPED, the agent cannot be installed here: ${codex.detail.text}` });
else if (!copilot.ok)
  test(name, { skip: `SKIPPED, the agent cannot be installed here: ${copilot.detail.text}` });
else
  test(name, { timeout: 600_000 }, async () => {
    const [first, second] = [
      await openAgent(generation, claude.value, "w"),
      await openCodex(codex.value, "x"),
    ];
    const third = await startStandIn({ tag: "y", lifeMs: 300_000 });
    const { scratch } = first;
    const env = {
      PURSER_CODEX: codex.value,
      CODEX_HOME: second.home,
      STAND_IN_KEY: "dummy",
      PURSER_COPILOT: copilot.value.binary,
      ...offline,
      COPILOT_CACHE_HOME: copilot.value.unpacked,
      COPILOT_PROVIDER_BASE_URL: third.url,
      COPILOT_PROVIDER_TYPE: "anthropic",
      COPILOT_PROVIDER_API_KEY: "stand-in-key-that-is-no-word-of-ours",
      COPILOT_MODEL: copilotModel,
    };
    const purser = (...args: readonly string[]) => runPurser(scratch, args, env);
    const git = (...args: string[]) =>
      execFileSync("git", ["-C", scratch.workspace, "-c", "user.name=m", "-c", "user.email=m@x", ...args]);
    const handover = async (...args: readonly string[]): Promise<HandoverJson> =>
      handoverJson.parse(JSON.parse(await purser("handover", ...args, "--json")));
    /** Waits until a session is known to have begun with a document. */
    const taken = async (id: string): Promise<HandoverJson> => {
      const deadline = performance.now() + 60_000;
      for (;;) {
        const now = await handover(id);
        if (now.state === "taken") return now;
        assert.ok(performance.now() < deadline, `nobody is known to have taken ${JSON.stringify(now)}`);
        await pause(500);
      }
    };
    try {
      setPurser(scratch);
      git("init", "-q", "-b", "fleet");
      git("commit", "-q", "--allow-empty", "-m", "Begin");
      const session = await first.turn({
        prompt: "Count the boats. Never touch the anchors.",
        lines: { main: [says("Seven boats. Shall I count the oars, too?", usageOf(101, 0, 121_000, 17))] },
      });

      const document = await handover(session);
      assert.partialDeepStrictEqual(document, {
        session,
        cli: "claude-code",
        branch: "fleet",
        state: "made",
      });
      assert.ok((document.tokens.nextCall ?? 0) > 121_000);
      appendFileSync(document.file, "\nMind the tide, and $(touch nothing).\n");
      second.standIn.setLines({ main: [answers("Forty oars.", codexTokens(9000, 0, 17))] });
      await purser("handover", document.id, "--to", "codex", "--start");
      assert.deepEqual(second.standIn.failures, []);
      const text = readFileSync(document.file, "utf8");
      assert.match(
        text,
        /Count the boats\. Never touch the anchors\.[^]*Shall I count the oars, too\?[^]*Mind the tide/u,
      );
      const prompts = textsOf(second.standIn.exchanges[0]?.body ?? "");
      assert.equal(prompts.at(-1), text, prompts.join("\n---\n"));
      const successor = await taken(document.id);
      assert.deepEqual([successor.to, successor.successor], ["codex", second.standIn.exchanges[0]?.threadId]);

      setPurser(scratch, { continuityImproveWith: "claude-haiku-4-5" });
      const summed = await handover(session);
      const from = first.standIn.exchanges.length;
      const own = {
        PURSER_CLAUDE: claude.value,
        ANTHROPIC_BASE_URL: first.standIn.url,
        ANTHROPIC_API_KEY: "stand-in-key-that-is-no-word-of-ours",
      };
      await pause(settingsRead);
      const preview = await runPurser(scratch, ["handover", summed.id, "--improve", "--preview"], own);
      const answer = says("The boats are counted in `fleet`, the oars are not.", usageOf(11, 0, 1000, 21));
      first.standIn.setScript(() => answer);
      const done = await runPurser(scratch, ["handover", summed.id, "--improve", "--yes"], own);
      assert.deepEqual(first.standIn.failures, []);
      const requests = first.standIn.exchanges.slice(from).map(({ request }) => request);
      const [request] = requests;
      assert.equal(requests.length, 1);
      assert.deepEqual(
        [request?.model, request?.maxTokens, request?.toolNames],
        ["claude-haiku-4-5", 1500, []],
      );
      assert.ok(request?.lastText.endsWith(preview.trimEnd()), request?.lastText);
      assert.match(done, /claude-haiku-4-5 was called once: 32 tokens, < \$0\.001\./u);
      assert.match(
        readFileSync(summed.file, "utf8"),
        /## In short\n\n[^]*\n> The boats are counted in `fleet`, the oars are not\.\n\n## Goal/u,
      );

      const { id, file } = await handover(session);
      const { script, unused } = scripted(
        { main: [says("Forty oars.", usageOf(101, 0, 9001, 17))] },
        copilotRoles(),
      );
      third.setScript(script);
      await purser("handover", id, "--to", "copilot", "--start");
      assert.deepEqual([third.failures, unused()], [[], []]);
      const asked = third.exchanges.find(({ request }) => request.toolNames.length > 0)?.request;
      assert.ok(asked?.lastText.includes(readFileSync(file, "utf8").trimEnd()), asked?.lastText);
      assert.equal((await taken(id)).to, "copilot");
    } finally {
      await purser("service", "stop");
      await third.close();
      await second.close();
      await first.close();
    }
  });
