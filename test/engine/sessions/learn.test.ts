import { plainSentence } from "../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import path from "node:path";
import { fileURLToPath } from "node:url";
import {
  findCompactions,
  findCompactionsInWorker,
  inWindows,
  type ScannedCompaction,
} from "../../../src/engine/sessions/learn.ts";
import type { FollowedCompaction } from "../../../src/engine/sessions/live/past.ts";
import { unsetAgentSettings } from "../../../src/engine/transcripts/live-reader.ts";
import { builtInCatalogue } from "../../../src/engine/usage/catalogue/catalogue.ts";
import { catalogueWith } from "./support/describe.ts";
import { Scratch } from "./support/scratch.ts";
import { at, compaction, lines, response, sonnet, type Row } from "./support/rows.ts";

function found(reported: Partial<ScannedCompaction> = {}): ScannedCompaction {
  return { model: sonnet, long: false, preTokens: 167_000, at: at(1), ...reported };
}

describe("compactions found in all transcripts", () => {
  it("teach the threshold of the window they happened in", () => {
    const both = [found(), found({ long: true, at: at(2), preTokens: 967_000 })];
    assert.deepEqual(
      inWindows(both, builtInCatalogue).map(({ window }) => window),
      [200_000, 1_000_000],
    );
    assert.equal(inWindows([found()], catalogueWith({ [sonnet]: { window: 180_000 } }))[0]?.window, 180_000);
  });

  it("teach nothing in an unknown window", () => {
    assert.deepEqual(inWindows([found({ model: "quay-1" })], builtInCatalogue), []);
  });

  it("count once when a fork copied them", () => {
    assert.equal(inWindows([found(), found(), found({ at: at(9) })], builtInCatalogue).length, 2);
  });

  it("of a followed session have the window that its agent named, unless the user set another", () => {
    const codex: FollowedCompaction = {
      agent: "codex",
      compaction: { trigger: "auto", preTokens: 240_000, postTokens: null, at: at(1) },
      evidence: {
        model: "quay-1",
        requested: [],
        betas: [],
        largest: 1000,
        reported: { tokens: 258_400, source: plainSentence("the agent") },
      },
      config: { ...unsetAgentSettings, usesCatalogueWindows: false },
    };
    const learned = { agent: "codex", model: "quay-1", window: 258_400, preTokens: 240_000, at: at(1) };
    assert.deepEqual(inWindows([codex, codex], builtInCatalogue), [learned]);
    const own = catalogueWith({ "quay-1": { window: 100_000 } });
    assert.deepEqual(inWindows([codex], own), [{ ...learned, window: 100_000 }]);
    const unnamed = { model: "quay-1", requested: [], betas: [], largest: 1000 };
    assert.deepEqual(inWindows([{ ...codex, evidence: unnamed }], builtInCatalogue), []);
  });
});

describe("the search for past compactions", () => {
  it("leaves out those of idle sessions, after a second look at their files", async (test) => {
    const scratch = new Scratch(test);
    const model = "claude-sonnet-5-5";
    const answer = response({ id: "a", minute: 1, input: 200_000, model });
    const notice = { type: "system", subtype: "informational", content: "Compacted while idle" };
    const session = (name: string, ...rows: readonly Row[]) =>
      scratch.write(`root/projects/-argo/${name}.jsonl`, lines([answer, ...rows]));
    session("5e55104a-0000-4000-8000-000000000001", compaction({ minute: 60, pre: 210_020 }));
    session("5e55104a-0000-4000-8000-000000000002", compaction({ minute: 3, pre: 210_021 }), notice);
    session("5e55104a-0000-4000-8000-000000000003", compaction({ minute: 4, pre: 210_022 }));
    session("5e55104a-0000-4000-8000-000000000004", compaction({ minute: 70, pre: 967_010 }));
    const roots = [{ agent: "claude-code" as const, path: scratch.path("root") }];
    const learned = inWindows(await findCompactions({ roots, now: at(80) }), builtInCatalogue);
    assert.deepEqual(learned.map(({ preTokens }) => preTokens).toSorted(), [210_022, 967_010]);
  });

  const recordings = fileURLToPath(new URL("../../recordings", import.meta.url));
  const roots = [
    { agent: "claude-code", path: path.join(recordings, "2.1.332", "compaction-auto") },
    { agent: "codex", path: path.join(recordings, "codex-0.171.0", "compaction", "sessions") },
    { agent: "gemini", path: path.join(recordings, "gemini-0.61.0", "compression", "tmp") },
  ] as const;
  const agentsIn = (compactions: Awaited<ReturnType<typeof findCompactions>>) =>
    inWindows(compactions, builtInCatalogue)
      .map(({ agent }) => agent)
      .toSorted();
  const wanted = ["claude-code", "codex", "gemini"];

  it("goes through the files of every agent", async () => {
    assert.deepEqual(agentsIn(await findCompactions({ roots, now: 0 })), wanted);
  });

  it("does the same in a separate thread", async () => {
    const worker = new URL("../../../src/engine/sessions/learn-worker.ts", import.meta.url);
    const compactions = await findCompactionsInWorker(
      { roots, now: 0 },
      { workerPath: fileURLToPath(worker), signal: new AbortController().signal },
    );
    assert.deepEqual(agentsIn(compactions), wanted);
  });
});
