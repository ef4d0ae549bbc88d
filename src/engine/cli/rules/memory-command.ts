import { utcMinute } from "../terminal-text.ts";
import { realpath } from "node:fs/promises";
import { sentence, t } from "../../base/language.ts";
import { mainAgent } from "../../rules/main-files.ts";
import { throughService } from "../service/service-access.ts";
import { succeed, type Result } from "../../base/result.ts";
import { cleanText } from "../../base/text.ts";
import type { MemoryView } from "../../rules/rules-answers.ts";
import type { Requester } from "../../jobs/all-requests.ts";
import { answer, type Invocation } from "../answer.ts";
import type { CliHost } from "../cli-ports.ts";
import { command } from "../command.ts";
import type { CommandInput } from "../declaration.ts";
import { flag, jsonOf, option } from "../args.ts";
import { unreachedLine } from "./print-rules.ts";
import { claudeRoot } from "../../transcripts/claude.ts";
import type { MemoryJson } from "./rules-schema.ts";

const ofAgent = { isMissing: sentence("missing AGENT"), offers: "agents" } as const;

export const memoryCommand = command({
  name: "memory",
  title: "the memory file that an agent's active rules are written to",
  options: {
    version: option("V", "a version listed by purser memory show", "version to write, as listed by show"),
    replace: flag(
      "also replace a file that purser did not create or that was edited since; its content is kept as a version",
    ),
    json: jsonOf("memory"),
  },
  subcommands: {
    show: {
      words: "AGENT",
      does: "the current file, and how it would change",
      argument: ofAgent,
      takes: ["json"],
      run: (input, host) => throughService(host, (service) => show(input, service, host)),
    },
    compile: {
      words: "AGENT [--replace]",
      does: "write agent-memory/AGENT/MEMORY.md in Claude Code's folder",
      argument: ofAgent,
      takes: ["replace", "json"],
      run: (input, host) => throughService(host, (service) => compile(input, service, host)),
    },
    undo: {
      words: "AGENT --version V [--replace]",
      does: "write an earlier version; the rules themselves do not change",
      argument: ofAgent,
      takes: ["version", "replace", "json"],
      run: (input, host) => throughService(host, (service) => undo(input, service, host)),
    },
  },
  notes: `
The file is written automatically when a rule becomes active or is removed. A file that is not purser's is never replaced without --replace.
`,
});

async function show(
  { options, first }: Pick<CommandInput, "options" | "first">,
  service: Requester,
  host: CliHost,
): Promise<Result<number>> {
  const memory = await memoryOf(first, service, host);
  if (!memory.ok) return memory;
  if (memory.value === null) {
    host.stdout.write(`${t("{0} has no rules, so purser writes no memory for it", cleanText(first))}\n`);
    return succeed(0);
  }
  const text = pictureOf(memory.value) + (await unreachedLine(first, host));
  return answer<MemoryJson>({ schema: 1, memory: memory.value }, text, { options, host });
}

async function compile(
  { options, first }: Pick<CommandInput, "options" | "first">,
  service: Requester,
  host: CliHost,
): Promise<Result<number>> {
  const replaces = await replacedText({ options, first }, service, host);
  if (!replaces.ok) return replaces;
  const root = claudeRoot(host);
  const project = await projectOf(first, host);
  const done = await service.ask("memoryCompile", { agent: first, root, project, replaces: replaces.value });
  return done.ok ? changed(done.value, { options, host }) : done;
}

async function undo(
  { options, first }: Pick<CommandInput, "options" | "first">,
  service: Requester,
  host: CliHost,
): Promise<Result<number>> {
  const replaces = await replacedText({ options, first }, service, host);
  if (!replaces.ok) return replaces;
  const project = await projectOf(first, host);
  const input = { agent: first, root: claudeRoot(host), project, replaces: replaces.value };
  const done = await service.ask("memoryUndo", { ...input, version: options.value("version") ?? "?" });
  return done.ok ? changed(done.value, { options, host }) : done;
}

async function replacedText(
  { options, first }: Pick<CommandInput, "options" | "first">,
  service: Requester,
  host: CliHost,
): Promise<Result<string | null>> {
  if (!options.has("replace")) return succeed(null);
  const memory = await memoryOf(first, service, host);
  return memory.ok ? succeed(memory.value?.text ?? null) : memory;
}

async function memoryOf(
  agent: string,
  service: Requester,
  host: CliHost,
): Promise<Result<MemoryView | null>> {
  const read = await service.ask("rulesRead", { root: claudeRoot(host) }, host.signal);
  if (!read.ok) return read;
  const project = await projectOf(agent, host);
  const own = read.value.view.memories.filter((memory) => memory.agent === agent);
  return succeed(own.find((memory) => project === undefined || memory.project === project) ?? null);
}

/** The main conversation has a file in each project where one was chosen: this folder's is meant. */
async function projectOf(agent: string, { cwd }: CliHost): Promise<string | undefined> {
  return agent === mainAgent ? await realpath(cwd) : undefined;
}

function changed({ memory }: { readonly memory: MemoryView }, invocation: Invocation): Result<number> {
  return answer<MemoryJson>({ schema: 1, memory }, `${stateOf(memory)}\n`, invocation);
}

function pictureOf(memory: MemoryView): string {
  const diff = memory.diff.map(({ sign, text }) => `${sign} ${cleanText(text)}`);
  const versions = memory.versions.map(({ version, at, rules, madeBy }) =>
    t("version {0}, {1}, {2} rules, by {3}", cleanText(version), utcMinute(at), rules, cleanText(madeBy)),
  );
  const left =
    memory.leftOut.length === 0 ? [] : [t("Left out for lack of space: {0}", memory.leftOut.join(", "))];
  return `${[stateOf(memory), ...left, "", ...(memory.isCurrent ? memory.text.trimEnd().split("\n").map(cleanText) : diff), "", ...versions].join("\n").trimEnd()}\n`;
}

function stateOf({ file, state, isCurrent }: MemoryView): string {
  const name = cleanText(file);
  switch (state) {
    case "none":
      return isCurrent ? t("{0}: no file, and no active rules", name) : t("{0}: no file yet", name);
    case "ours":
      return isCurrent
        ? t("{0} matches the active rules", name)
        : t("{0} does not match the active rules", name);
    case "edited":
      return t("{0} was edited after purser wrote it", name);
    case "foreign":
      return t("{0} was not written by purser", name);
    case "failed":
      return t("{0} cannot be read", name);
  }
}
