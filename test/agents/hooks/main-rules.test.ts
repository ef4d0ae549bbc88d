import assert from "node:assert/strict";
import { homedir } from "node:os";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { openAgent } from "../agent.ts";
import { agentsCache, installClaude, newestClaude } from "../install.ts";
import { says, usageOf } from "../stand-in/reply.ts";
import { compileMemory } from "../../../src/engine/rules/memory-text.ts";
import { writeBlockFile, readBlockFile } from "../../../src/engine/rules/main/block-file.ts";
import { mainFiles } from "../../../src/engine/rules/main-files.ts";
import { nodeSettingsDisk } from "../../../src/engine/hooks/install/settings/disk.ts";
import { rule } from "../../engine/rules/support/support.ts";

const installed = await installClaude(newestClaude, agentsCache(process.env, homedir()));
const name = `Claude Code ${newestClaude} reads the rules of the main conversation from each file that can be chosen, and no more once they are taken out`;
const sentence = "Search once with one pattern for all names you need.";

if (!installed.ok)
  test(name, { skip: `SKIPPED, the agent cannot be installed here: ${installed.detail.text}` });
else
  test(name, { timeout: 180_000 }, async (t) => {
    const agent = await openAgent(newestClaude, installed.value, "main-rules");
    t.after(() => agent.close());
    const { workspace: project } = agent.scratch;
    const ports = { disk: nodeSettingsDisk, unique: () => "x" };
    const memory = compileMemory([rule({ agent: "main", sentence, status: "active" })], "1").text;

    /** Whether the rule is in the first request of a new session. */
    const isSent = async (): Promise<boolean> => {
      const from = agent.standIn.exchanges.length;
      await agent.turn({
        prompt: "Say done.",
        lines: { main: [says("Done.", usageOf(0, 100, 30_000, 10))] },
      });
      return agent.standIn.exchanges
        .slice(from)
        .some(({ request }) => `${request.systemText}\n${request.allContent}`.includes(sentence));
    };
    const put = async (chosen: (typeof mainFiles)[number], text: string) => {
      const read = await readBlockFile({ project, name: chosen }, ports);
      assert.ok(read.ok, read.ok ? "" : read.detail.text);
      const written = await writeBlockFile(read.value, text, ports);
      assert.ok(written.ok, written.ok ? "" : written.detail.text);
    };

    for (const chosen of mainFiles) {
      await put(chosen, memory);
      assert.match(await readFile(join(project, chosen), "utf8"), /Search once/u);
      assert.equal(await isSent(), true, `${chosen} is read`);
      await put(chosen, "");
      assert.equal(await isSent(), false, `${chosen} is as before`);
    }

    // As described to the user: beside a CLAUDE.md, AGENTS.md is not read.
    await writeFile(join(project, "CLAUDE.md"), "# Notes\n");
    await put("AGENTS.md", memory);
    assert.equal(await isSent(), false, "AGENTS.md beside CLAUDE.md");
  });
