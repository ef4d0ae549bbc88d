import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { sha256Hex } from "../../base/hash.ts";
import * as z from "zod/mini";
import { type Result, succeed, fail, rethrowUnlessSystemError } from "../../base/result.ts";
import { readSmallText } from "../../base/files.ts";
import { parseYaml, readJson } from "../../base/parse.ts";
import type { RecurringAgent } from "../agents/definition.ts";
import { abilities } from "./honours.ts";
import { sentence } from "../../base/language.ts";

export interface Allowed {
  readonly ownSkills: readonly string[];
  /** Null if the program does not distinguish skills. */
  readonly skills: readonly string[] | null;
  /** In the session's list; null where unknown. */
  readonly skillBytes: number | null;
  readonly skillsHash: string | null;
  /** In the program's format. Null for none. */
  readonly mcpConfig: string | null;
  readonly hasInstructions: boolean;
}

export interface AllowedPlaces {
  /** The agent's working folder. */
  readonly folder: string;
  /** In the user's home: `~/.claude`. */
  readonly config: string;
  readonly home: string;
}

/** Bytes, and skills of a folder. */
const [maxFileSize, maxSkills] = [1024 * 1024, 500];

const servers = z.looseObject({ mcpServers: z._default(z.record(z.string(), z.unknown()), {}) });

/** Fails for a server that is not configured. */
export function readAllowed(agent: RecurringAgent, places: AllowedPlaces): Result<Allowed, "no_such_server"> {
  const hasInstructions =
    agent.instructions === "all" &&
    ["CLAUDE.md", "AGENTS.md", "GEMINI.md", path.join(".github", "copilot-instructions.md")].some((name) =>
      existsSync(path.join(places.folder, name)),
    );
  const honours = abilities[agent.program];
  if (!honours.skills) {
    const hasNone = honours.noSkills && agent.skills !== "all" && agent.skills.length === 0;
    return succeed({
      ownSkills: [],
      skills: hasNone ? [] : null,
      skillBytes: hasNone ? 0 : null,
      skillsHash: null,
      mcpConfig: null,
      hasInstructions,
    });
  }
  const own = skillsIn([path.join(places.config, "skills"), path.join(places.folder, ".claude", "skills")]);
  const wanted = agent.skills;
  const active = wanted === "all" ? own : own.filter(({ name }) => wanted.includes(name));
  // A skill of neither the user nor the project may be the program's own. Its text is unknown.
  const bundled = wanted === "all" ? [] : wanted.filter((name) => !own.some((skill) => skill.name === name));
  const mcp = mcpOf(agent.mcp, places);
  if (!mcp.ok) return mcp;
  const names = [...active.map(({ name }) => name), ...bundled].toSorted();
  const bytes = active.reduce((sum, { bytes: size }) => sum + size, 0);
  return succeed({
    ownSkills: own.map(({ name }) => name),
    skills: names,
    skillBytes: bundled.length > 0 || wanted === "all" ? null : bytes,
    skillsHash: sha256Hex(JSON.stringify([names, bytes]), 16),
    mcpConfig: mcp.value,
    hasInstructions,
  });
}

interface OwnSkill {
  readonly name: string;
  /** Of its line in the list. */
  readonly bytes: number;
}

const skillHead = z.looseObject({ name: z.optional(z.string()), description: z._default(z.string(), "") });

function skillsIn(folders: readonly string[]): OwnSkill[] {
  const found = new Map<string, OwnSkill>();
  for (const folder of folders)
    for (const entry of namesIn(folder).slice(0, maxSkills)) {
      const text = readSmallText(path.join(folder, entry, "SKILL.md"), maxFileSize);
      if (text === null) continue;
      const [, head = ""] = /^\uFEFF?---[ \t]*\r?\n(.*?)\r?\n---/su.exec(text) ?? [];
      const parsed = parseYaml(head);
      const { name = entry, description = "" } =
        skillHead.safeParse(parsed.ok ? parsed.value.value : {}).data ?? {};
      found.set(name, { name, bytes: Buffer.byteLength(`- ${name}: ${description}\n`) });
    }
  return [...found.values()];
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    rethrowUnlessSystemError(error);
    return [];
  }
}

/** From the project's file or the user's. */
function mcpOf(
  wanted: readonly string[],
  { folder, config, home }: AllowedPlaces,
): Result<string | null, "no_such_server"> {
  if (wanted.length === 0) return succeed(null);
  const files = [
    path.join(folder, ".mcp.json"),
    path.join(config, ".claude.json"),
    path.join(home, ".claude.json"),
  ];
  const known = new Map<string, unknown>();
  for (const file of files.toReversed()) {
    const read = readJson(servers, readSmallText(file, 16 * maxFileSize));
    for (const [name, server] of Object.entries(read?.mcpServers ?? {})) known.set(name, server);
  }
  const missing = wanted.filter((name) => !known.has(name));
  if (missing.length > 0)
    return fail(
      "no_such_server",
      sentence("no MCP server {0} is configured in {1}", missing.join(", "), files.join(", ")),
    );
  return succeed(
    JSON.stringify({ mcpServers: Object.fromEntries(wanted.map((name) => [name, known.get(name)])) }),
  );
}
