/**
 * Records everything in test/recordings again, with the real agents and the stand-in: `npm run generate -- recordings`. The
 * output holds only our own words (see sanitize.ts).
 */
import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openAgent } from "../agent.ts";
import { codexVersion, installCodex } from "../codex-install.ts";
import { recordCodex } from "./codex.ts";
import { copilotVersion, installCopilot } from "../copilot-install.ts";
import { recordCopilot } from "./copilot.ts";
import { geminiVersion, installGemini } from "../gemini-install.ts";
import { recordGemini } from "./gemini.ts";
import { agentsCache, generations, installClaude, newestClaude } from "../install.ts";
import { takeRecording, writeRecording } from "./recording.ts";
import { scenarios } from "../scenarios/scenarios.ts";
import { recordTrySession } from "./try-session.ts";

const recordings = fileURLToPath(new URL("../../recordings", import.meta.url));

for (const generation of generations) {
  const installed = await installClaude(generation, agentsCache(process.env, homedir()));
  if (!installed.ok) throw new Error(installed.detail.text);
  for (const scenario of scenarios) {
    const seed = `${generation} ${scenario.name}`;
    const agent = await openAgent(generation, installed.value, tagOf(seed));
    try {
      await scenario.play(agent);
      const recording = await takeRecording(agent, seed, () => 1000);
      const facts = {
        generation,
        scenario: scenario.name,
        model: scenario.model,
        windowTokens: scenario.windowTokens(generation),
      };
      await writeRecording(join(recordings, generation, scenario.name), recording, facts);
      console.log(`recorded ${seed}`);
    } finally {
      await agent.close();
    }
  }
}

const newest = await installClaude(newestClaude, agentsCache(process.env, homedir()));
if (!newest.ok) throw new Error(newest.detail.text);
await recordTrySession(newest.value, recordings);
console.log("recorded try-session");

const codex = await installCodex(agentsCache(process.env, homedir()));
if (!codex.ok) throw new Error(codex.detail.text);
await recordCodex(codex.value, join(recordings, `codex-${codexVersion}`));

const copilot = await installCopilot(agentsCache(process.env, homedir()));
if (!copilot.ok) throw new Error(copilot.detail.text);
await recordCopilot(copilot.value, join(recordings, `copilot-${copilotVersion}`));

const gemini = await installGemini(agentsCache(process.env, homedir()));
if (!gemini.ok) throw new Error(gemini.detail.text);
await recordGemini(gemini.value, join(recordings, `gemini-${geminiVersion}`));

/** A few letters for message and request ids, so that two recordings never share one. */
function tagOf(seed: string): string {
  return createHash("sha256").update(seed).digest("hex").slice(0, 6);
}
