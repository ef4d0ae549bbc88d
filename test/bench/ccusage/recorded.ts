import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { cacheCreation, type TokenUsage } from "../../../src/engine/usage/token-counts.ts";
import { readRecordings } from "../../engine/support/recordings.ts";
import { noWhy, recordedBy, sumSent, type CompareCase } from "./case.ts";

const recordings = fileURLToPath(new URL("../../recordings", import.meta.url));

const tokens = z.int().nonnegative();
const codexFacts = z.looseObject({
  sessions: z.array(
    z.looseObject({
      responses: z.array(
        z.looseObject({ input: tokens, output: tokens, cacheCreation5m: tokens, cacheRead: tokens }),
      ),
    }),
  ),
});

const claude = readRecordings();
const withoutMore = { usd: null, projects: null, files: {}, earlier: {}, why: noWhy } as const;

/** The real agents' files with what the stand-in of their API sent them, limited to responses that get a row. */
export function recordedCases(): CompareCase[] {
  return [
    ...claude.map((recording) => claudeCase(recording, Object.values(recording.facts.byModel))),
    ...codexCases(),
  ];
}

/** The same cases including the usage of a compaction's own request: Claude Code writes no row for its answer. */
export function compactionCases(): CompareCase[] {
  return claude
    .filter(({ facts }) => facts.unwritten.responses > 0)
    .map((recording) => ({
      ...claudeCase(recording, [...Object.values(recording.facts.byModel), recording.facts.unwritten]),
      why: { ...noWhy, purser: unwritten },
    }));
}

const unwritten =
  "no row has the usage of a compaction's own request; the agent's running total has it, where it is written";

function claudeCase(recording: (typeof claude)[number], sums: readonly TokenUsage[]): CompareCase {
  const { generation, scenario: name, root: folder } = recording;
  const sent = sumSent(sums.map((sum) => ({ ...sum, cacheCreation: cacheCreation(sum) })));
  return {
    program: "claude",
    source: recordedBy("claude", generation),
    name,
    sent,
    folder,
    ...withoutMore,
  };
}

function codexCases(): CompareCase[] {
  const folders = readdirSync(recordings).filter((name) => name.startsWith("codex-"));
  return folders.flatMap((versioned) =>
    readdirSync(path.join(recordings, versioned)).map((name): CompareCase => {
      const folder = path.join(recordings, versioned, name);
      const text = readFileSync(path.join(folder, "expected.json"), "utf8");
      const responses = codexFacts.parse(JSON.parse(text)).sessions.flatMap((session) => session.responses);
      const sent = sumSent(responses.map((each) => ({ ...each, cacheCreation: each.cacheCreation5m })));
      const isArchived = !existsSync(path.join(folder, "sessions"));
      const why = {
        ...noWhy,
        codeburn: isArchived ? "it does not read the folder of archived sessions" : null,
      };
      const source = recordedBy("codex", versioned.slice("codex-".length));
      return { program: "codex", source, name, sent, folder, ...withoutMore, why };
    }),
  );
}
