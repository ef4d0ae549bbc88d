import path from "node:path";
import { rethrowUnlessSystemError, errorCode } from "../../../base/result.ts";
import { isAgentName } from "../../../rules/distil.ts";
import { writeBeside, type FilePort } from "../../../base/files.ts";
import { sentence, type Sentence, plainSentence } from "../../../base/language.ts";

export interface InstallableAgent {
  readonly name: string;
  readonly definition: string;
}

type InstalledKind =
  | "installed"
  /** An identical file exists already. */
  | "same"
  /** Another file of that name exists: it is the user's, and stays unchanged. */
  | "foreign"
  | "failed";

interface InstalledAgent {
  readonly name: string;
  readonly file: string;
  readonly kind: InstalledKind;
  readonly detail: Sentence;
}

export interface PlannedAgent extends InstallableAgent {
  readonly file: string;
  /** `new`: it would be written. The other kinds would not; see `InstalledKind`. */
  readonly kind: "new" | Exclude<InstalledKind, "installed">;
}

export async function planAgents(
  agents: readonly InstallableAgent[],
  root: string,
  files: FilePort,
): Promise<PlannedAgent[]> {
  return await Promise.all(
    agents.map(async (agent) => {
      const file = fileOf(agent, root);
      const kind = isAgentName(agent.name) ? await kindOf(agent, file, files) : "failed";
      return { ...agent, file, kind };
    }),
  );
}

async function kindOf(
  { definition }: InstallableAgent,
  file: string,
  files: FilePort,
): Promise<PlannedAgent["kind"]> {
  try {
    return (await files.read(file)).toString("utf8") === definition ? "same" : "foreign";
  } catch (error) {
    return errorCode(error) === "ENOENT" ? "new" : "failed";
  }
}

/** Removes agents that are unchanged since. Returns the files that stay. */
export async function removeAgents(
  agents: readonly InstallableAgent[],
  root: string,
  files: FilePort,
): Promise<string[]> {
  const kept: string[] = [];
  for (const agent of agents) {
    const file = fileOf(agent, root);
    const text = await readOrNull(file, files);
    if (text === agent.definition) await files.remove(file);
    else if (text !== null) kept.push(file);
  }
  return kept;
}

function fileOf({ name }: InstallableAgent, root: string): string {
  return path.join(root, "agents", `${name}.md`);
}

/**
 * Installs agents in Claude Code's own folder. Never overwrites a file: a new one is linked into place, which
 * fails if another program was faster.
 * @param root Claude Code's configuration folder
 */
export async function installAgents(
  agents: readonly InstallableAgent[],
  root: string,
  ports: { readonly files: FilePort; readonly unique: () => string },
): Promise<InstalledAgent[]> {
  const done: InstalledAgent[] = [];
  for (const agent of agents) done.push(await install(agent, root, ports));
  return done;
}

async function install(
  agent: InstallableAgent,
  root: string,
  { files, unique }: { readonly files: FilePort; readonly unique: () => string },
): Promise<InstalledAgent> {
  const { name, definition } = agent;
  const file = fileOf(agent, root);
  const result = (kind: InstalledKind, detail: Sentence): InstalledAgent => ({ name, file, kind, detail });
  if (!isAgentName(name)) return result("failed", sentence("its name is none of a file"));
  let temporary: string | null = null;
  try {
    await files.makeFolder(path.dirname(file));
    temporary = await writeBeside(file, Buffer.from(definition), { files, unique });
    await files.link(temporary, file);
    await files.flushFolder(path.dirname(file));
    return result("installed", plainSentence(file));
  } catch (error) {
    const code = errorCode(error);
    if (code !== "EEXIST") return result("failed", sentence("{0} cannot be written: {1}", file, code));
    const isSame = (await readOrNull(file, files)) === definition;
    return isSame
      ? result("same", sentence("{0} is there already", file))
      : result("foreign", sentence("{0} is another agent's; it is left as it is", file));
  } finally {
    if (temporary !== null) await files.remove(temporary);
  }
}

async function readOrNull(file: string, files: FilePort): Promise<string | null> {
  try {
    return (await files.read(file)).toString("utf8");
  } catch (error) {
    rethrowUnlessSystemError(error);
    return null;
  }
}
