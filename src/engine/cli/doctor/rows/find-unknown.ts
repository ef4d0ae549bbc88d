import { sentence } from "../../../base/language.ts";
import { agentNames, agents } from "../../../transcripts/agents.ts";
import type { CliHost } from "../../cli-ports.ts";
import { note, ok } from "../diagnosis.ts";
import type { DoctorJson, Finding } from "../doctor-schema.ts";
import { countRows, UnknownCounts } from "./count.ts";

type Unknown = DoctorJson["unknown"][number];

export interface FoundRows {
  readonly findings: readonly Finding[];
  readonly unknown: readonly Unknown[];
}

/** Newest files per agent. */
const maxFiles = 20;
const maxListed = 8;

export async function findUnknownRows(host: Pick<CliHost, "env" | "home">): Promise<FoundRows> {
  const input = { env: host.env, home: host.home };
  const counts = new UnknownCounts();
  let isAny = false;
  for (const { name, roots, rowNames } of agents) {
    if (rowNames === null) continue;
    const names = await rowNames();
    for (const { path } of newest(names.files(roots(input)).filter((file) => file.path.endsWith(".jsonl")))) {
      isAny = true;
      countRows(path, { name, names, counts });
    }
  }
  const unknown = counts.all();
  if (!isAny) return { findings: [], unknown };
  if (unknown.length === 0)
    return { findings: [ok("transcript-rows", sentence("All rows of recent sessions are known."))], unknown };
  return { findings: describe(unknown), unknown };
}

function describe(unknown: readonly Unknown[]): Finding[] {
  const keys = new Set(unknown.map(({ agent, version, kind }) => JSON.stringify([agent, version, kind])));
  return Array.from(keys, (key) => {
    const of = unknown.filter(({ agent, version, kind }) => JSON.stringify([agent, version, kind]) === key);
    const [{ agent, version, kind } = { agent: "", version: null, kind: "row" }] = of;
    const names = of.slice(0, maxListed).map(({ name, count }) => `${name} (${count})`);
    const list = [...names, ...(of.length > maxListed ? ["…"] : [])].join(", ");
    const who = `${agentNames.of(agent)}${version === null ? "" : ` ${version}`}`;
    const what =
      kind === "row"
        ? sentence("{0} writes rows that are not known, and not read: {1}", who, list)
        : sentence("{0} writes fields that are not known, and not read: {1}", who, list);
    return note("transcript-rows", what, sentence("Update Context Purser if there is a newer version."));
  });
}

function newest<File extends { readonly mtimeMs: number }>(files: readonly File[]): File[] {
  return files.toSorted((one, other) => other.mtimeMs - one.mtimeMs).slice(0, maxFiles);
}
