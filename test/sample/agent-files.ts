import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import * as z from "zod";
import { sealJson } from "../../src/engine/budgets/convoys/sealed-json.ts";
import { hour, minute, moment, day } from "./clock.ts";
import { chatSession, copilotSession } from "./made-up-sessions.ts";

/** Where the recordings' work happened, and their Claude Code's folder. Both are placed in the sample's own folder. */
export const workspace = "/home/dev/harbor";
export const claudeFolder = "/home/dev/.claude";

const recordings = path.resolve(import.meta.dirname, "../recordings");
const geminiProject = "gemini/.gemini/tmp/harbor";
const projectFolder = "projects/-home-dev-harbor";
const isoTime = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/gu;

/** The times in the names of Codex's and Gemini CLI's files. */
const rolloutTime = /(?<=rollout-)\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d/u;
const chatTime = /(?<=chats\/session-)\d{4}-\d\d-\d\dT\d\d-\d\d/u;

/** A file below the sample's folder. */
export type SampleFile = readonly [path: string, text: string];

/** The session that the rules' sources refer to, as `npm run try` plays it. */
export const trySession = "c6bee790-0000-4000-8000-000000000001";
export const tryTranscript = `${claudeFolder}/${projectFolder}/${trySession}.jsonl`;

/** Sessions of all agents, ended shortly before the sample is opened: recorded ones, and made-up ones of Copilot CLI and VS Code. */
export async function agentFiles(): Promise<SampleFile[]> {
  const files = await allFiles();
  return files.map(([name, text]) => [
    name,
    name.startsWith("claude/") && name.endsWith(".jsonl") ? withoutUnneeded(text) : text,
  ]);
}

async function allFiles(): Promise<SampleFile[]> {
  const claude = (folder: string, ago: number) =>
    recorded(path.join("2.1.332", folder, projectFolder), `claude/${projectFolder}`, ago);
  const codex = (folder: string, ago: number) =>
    recorded(path.join("codex-0.171.0", folder, "sessions/2026/11/02"), "codex/sessions/{day}", ago);
  const copilot = (folder: string, ago: number) =>
    recorded(path.join("copilot-1.0.102", folder, "session-state"), "copilot/session-state", ago);
  const gemini = (folder: string, ago: number) =>
    recorded(path.join("gemini-0.61.0", folder, "tmp/workspace"), geminiProject, ago);
  return [
    ...(await trying(6 * minute)),
    ...(await claude("subagents", 5 * hour)),
    ...(await claude("compaction-auto", day + 2 * hour)),
    ...(await codex("compaction", 50 * minute)),
    ...(await codex("subagent", 7 * hour)),
    ...(await copilot("subagent", 2 * hour)),
    ...(await copilot("compaction", day + 3 * hour)),
    ...copilotSession(24 * minute),
    ...(await gemini("subagent", 3 * hour)),
    ...(await gemini("tool-loop", day + 4 * hour)),
    [`${geminiProject}/.project_root`, workspace],
    ...chatSession(90 * minute),
    ...project,
  ];
}

/** The project's own files, so that a rule's source or an agent's definition can be opened. */
const project: readonly SampleFile[] = [
  [
    "harbor/.purser/budgets/harbor.json",
    // Without the time of its making, which would break its seal when the sample's times are moved.
    sealJson({
      schema: 2,
      convoyId: "harbor",
      warnPercent: 80,
      levels: { project: { limit: 1_600_000, period: "day" } },
    }),
  ],
  [
    "harbor/README.md",
    "# Harbor\n\nA made-up project: part of the sample of Context Purser. It is removed when the sample is closed.\n",
  ],
];

/** What the compaction of the newest session made of it, in place of the recording's text. */
const summary = JSON.stringify(
  "The tide table was an hour off in winter: src/tide.ts now converts at the door, and src/tide.test.ts covers the days around the change. The berth bookings move from paper to the ledger: src/ledger.ts and src/report.ts are edited.",
);

/** Rows and members that no reader of purser's needs: they weigh, as their ids cannot be compressed. */
const unneededRows = new Set(["queue-operation", "last-prompt", "atis-latch", "mode", "tools-used"]);
const unneededMembers = [
  "requestDigest",
  "promptId",
  "sourceToolAssistantUUID",
  "permissionDecision",
  "cacheControl",
];

function withoutUnneeded(transcript: string): string {
  const rows = transcript.split("\n").flatMap((line) => {
    if (line === "") return [line];
    const row = z.looseObject({ type: z.optional(z.string()) }).parse(JSON.parse(line));
    if (unneededRows.has(row.type ?? "")) return [];
    return [
      JSON.stringify(
        Object.fromEntries(Object.entries(row).filter(([name]) => !unneededMembers.includes(name))),
      ),
    ];
  });
  return rows.join("\n");
}

async function trying(ago: number): Promise<SampleFile[]> {
  const recordedText = await readFile(path.join(recordings, "try-session.jsonl"), "utf8");
  const main = recordedText
    .split("\n")
    .map((line) =>
      line.includes('"isCompactSummary":true') ? line.replace('"Neutral text."', summary) : line,
    )
    .join("\n");
  const below = "try-session/subagents";
  const names = await readdir(path.join(recordings, below));
  const subagents = await Promise.all(
    names.map(async (name): Promise<SampleFile> => [
      `claude/${projectFolder}/${trySession}/subagents/${name}`,
      await readFile(path.join(recordings, below, name), "utf8"),
    ]),
  );
  return moved([[`claude/${projectFolder}/${trySession}.jsonl`, main], ...subagents], ago);
}

async function recorded(from: string, to: string, ago: number): Promise<SampleFile[]> {
  const folder = path.join(recordings, from);
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = await Promise.all(
    found
      .filter((each) => each.isFile() && !each.name.startsWith("."))
      .map(async ({ parentPath, name }): Promise<SampleFile> => {
        const file = path.join(parentPath, name);
        const below = path.relative(folder, file).replaceAll(path.sep, "/");
        return [
          `${to}/${below.replace(rolloutTime, "{time}").replace(chatTime, "{minute}")}`,
          await readFile(file, "utf8"),
        ];
      }),
  );
  return moved(
    files.sort(([one], [other]) => (one < other ? -1 : 1)),
    ago,
  );
}

/** Shifts a session's times so that it ended this long before the sample is opened. @param ago milliseconds */
function moved(files: readonly SampleFile[], ago: number): SampleFile[] {
  const times = files.flatMap(([, text]) => [...text.matchAll(isoTime)].map(([time]) => Date.parse(time)));
  const shift = moment - ago - Math.max(...times);
  return files.map(([name, text]) => {
    const first = Date.parse(isoTime[Symbol.match](text)?.[0] ?? "") + shift;
    const own = Number.isNaN(first) ? name : placed(name, new Date(first).toISOString());
    return [own, text.replace(isoTime, (time) => new Date(Date.parse(time) + shift).toISOString())];
  });
}

/** Folders and names tell when a session began: whoever writes the sample shifts that time too. */
function placed(name: string, time: string): string {
  return name.replace(/\{(day|time|minute)\}/gu, (_, kind: string) => `{${kind} ${time}}`);
}
