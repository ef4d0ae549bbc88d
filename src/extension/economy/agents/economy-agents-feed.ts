import { Emitter, type Disposable } from "../../../engine/base/events.ts";
import type { AgentOverview } from "../../../engine/recurring/agents.ts";
import { LatestRequest } from "../../editor/latest-request.ts";
import path from "node:path";
import type * as vscode from "vscode";

/** The recurring agents of a project. */
export interface ProjectAgents {
  readonly project: string;
  readonly agents: readonly AgentOverview[];
}

interface RecurringFeedPorts {
  /** The window's projects, read when needed. */
  readonly projects: () => readonly string[];
  readonly read: (project: string) => Promise<readonly AgentOverview[]>;
  readonly onProblem: (message: string) => void;
}

/** At least this much time between two reads of all files. Milliseconds. */
const interval = 400;

/** The recurring agents of this window's projects, read from their files. */
export class RecurringFeed implements Disposable {
  readonly #changes = new Emitter<void>();
  readonly onChange = this.#changes.on;
  readonly #ports: RecurringFeedPorts;
  readonly #reading: LatestRequest;
  /** Undefined until they are read. */
  projects: readonly ProjectAgents[] | undefined;

  constructor(ports: RecurringFeedPorts) {
    this.#ports = ports;
    this.#reading = new LatestRequest(interval, (signal) => this.#readAgain(signal));
    this.#reading.now();
  }

  get agents(): readonly AgentOverview[] {
    return (this.projects ?? []).flatMap(({ agents }) => agents);
  }

  /** Reads the files again, soon: many requests are answered by one read. */
  soon(): void {
    this.#reading.soon();
  }

  /** Reads the files at once. */
  async read(): Promise<void> {
    await this.#readAgain(null);
  }

  dispose(): void {
    this.#reading.dispose();
    this.#changes.dispose();
  }

  async #readAgain(signal: AbortSignal | null): Promise<void> {
    const { projects, read, onProblem } = this.#ports;
    try {
      const found = await Promise.all(
        projects().map(async (project) => ({ project, agents: await read(project) })),
      );
      if (signal?.aborted === true) return;
      this.projects = found;
      this.#changes.fire();
    } catch (error) {
      onProblem(`Recurring agents cannot be read: ${String(error)}`);
    }
  }
}

/** Returns the name of the agent that a document defines; null for any other document. */
export function agentNameOf({ scheme, fsPath }: Pick<vscode.Uri, "scheme" | "fsPath">): string | null {
  const folder = path.dirname(fsPath);
  const isAgents = path.basename(folder) === "agents" && path.basename(path.dirname(folder)) === ".purser";
  const file = path.basename(fsPath);
  if (scheme !== "file" || !isAgents || !file.endsWith(".md") || /^(?:\.|README\.md$)/iu.test(file))
    return null;
  return file.slice(0, -".md".length);
}
