import { t } from "../../base/text/l10n.ts";
import { succeed, type Result } from "../../base/result.ts";
import { cleanText } from "../../base/text/text.ts";
import { printedJson } from "../../base/text/printed-json.ts";
import type { MemoryView } from "../../rules/answers.ts";
import type { Requester } from "../../jobs/all-requests.ts";
import type { CliHost, Command } from "../cli-ports.ts";
import { commandWithSubcommands, type Subcommand } from "../subcommands.ts";
import type { ParsedOptions } from "../args.ts";
import { unreachedLine } from "./memory-lines.ts";
import { claudeRoot } from "../../transcripts/claude/claude-roots.ts";
import { withRules } from "./rules-access.ts";
import type { MemoryJson } from "./rules-schema.ts";

const help = `purser memory: the memory file that an agent's active rules are written to

  purser memory show AGENT                          the current file, and how it would change
  purser memory compile AGENT [--replace]           write agent-memory/AGENT/MEMORY.md in Claude Code's folder
  purser memory undo AGENT --version V [--replace]  write an earlier version; the rules themselves do not change

  --version V  version to write, as listed by show
  --replace    also replace a file that purser did not create or that was edited since; its content is kept as a version
  --json       print JSON (schema: media/schemas/memory.schema.json)
  --help       print this help

The file is written automatically when a rule becomes active or is removed. A file that is not purser's is never replaced without --replace.
`;

const agent = { isMissing: t("missing AGENT"), value: "an agent's name" };

const words: Readonly<Record<string, Subcommand>> = {
  show: {
    specs: { json: {}, help: {} },
    first: agent,
    run: (asked, host) => withRules("memory", host, (service) => show(asked, service, host)),
  },
  compile: {
    specs: { replace: {}, json: {}, help: {} },
    first: agent,
    run: (asked, host) => withRules("memory", host, (service) => compile(asked, service, host)),
  },
  undo: {
    specs: { version: { value: "a version listed by purser memory show" }, replace: {}, json: {}, help: {} },
    first: agent,
    run: (asked, host) => withRules("memory", host, (service) => undo(asked, service, host)),
  },
};

export const memoryCommand: Command = commandWithSubcommands("memory", help, words);

interface Asked {
  readonly options: ParsedOptions;
  readonly first: string;
}

async function show({ options, first }: Asked, service: Requester, host: CliHost): Promise<Result<number>> {
  const memory = await memoryOf(first, service, host);
  if (!memory.ok) return memory;
  if (memory.value === null) {
    host.stdout.write(`${t("{0} has no rules, so purser writes no memory for it", cleanText(first))}\n`);
    return succeed(0);
  }
  return printed(memory.value, options, host, pictureOf(memory.value) + (await unreachedLine(first, host)));
}

async function compile(
  { options, first }: Asked,
  service: Requester,
  host: CliHost,
): Promise<Result<number>> {
  const replaces = await replacedText({ options, first }, service, host);
  if (!replaces.ok) return replaces;
  const root = claudeRoot(host);
  const done = await service.ask("memoryCompile", { agent: first, root, replaces: replaces.value });
  return done.ok ? printed(done.value.memory, options, host, `${stateOf(done.value.memory)}\n`) : done;
}

async function undo({ options, first }: Asked, service: Requester, host: CliHost): Promise<Result<number>> {
  const replaces = await replacedText({ options, first }, service, host);
  if (!replaces.ok) return replaces;
  const asked = { agent: first, root: claudeRoot(host), replaces: replaces.value };
  const done = await service.ask("memoryUndo", { ...asked, version: options.value("version") ?? "?" });
  return done.ok ? printed(done.value.memory, options, host, `${stateOf(done.value.memory)}\n`) : done;
}

/** Returns the file's current text where it may be replaced. */
async function replacedText(
  { options, first }: Asked,
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
  return succeed(read.value.view.memories.find((memory) => memory.agent === agent) ?? null);
}

function printed(memory: MemoryView, options: ParsedOptions, host: CliHost, text: string): Result<number> {
  const json: MemoryJson = { schema: 1, memory };
  host.stdout.write(options.has("json") ? `${printedJson(json, 2)}\n` : text);
  return succeed(0);
}

function pictureOf(memory: MemoryView): string {
  const diff = memory.diff.map(({ sign, text }) => `${sign} ${cleanText(text)}`);
  const versions = memory.versions.map(({ version, at, rules, madeBy }) =>
    t(
      "version {0}, {1}, {2} rules, by {3}",
      cleanText(version),
      new Date(at).toISOString().slice(0, 16).replace("T", " "),
      rules,
      cleanText(madeBy),
    ),
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
