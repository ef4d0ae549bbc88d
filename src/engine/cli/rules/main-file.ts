import { describeMainFile, describeNotIgnored, mainAgent, mainFiles } from "../../rules/main-files.ts";
import { realpath } from "node:fs/promises";
import { t } from "../../base/language.ts";
import { succeed, type Result } from "../../base/result.ts";
import { cleanText } from "../../base/text.ts";
import type { Requester } from "../../jobs/all-requests.ts";
import { isIgnoredByGit } from "../../rules/chosen-files.ts";
import type { MemoryView } from "../../rules/rules-answers.ts";
import { claudeRoot } from "../../transcripts/claude.ts";
import type { ParsedOptions } from "../args.ts";
import type { CliHost } from "../cli-ports.ts";
import { asLine } from "../terminal-text.ts";

interface Input {
  readonly options: ParsedOptions;
  readonly host: CliHost;
}

/** Shows or chooses the file of this project that rules of the main conversation go into. */
export async function mainFile({ options, host }: Input, service: Requester): Promise<Result<number>> {
  const root = claudeRoot(host);
  const project = await realpath(host.cwd);
  const use = options.value("use");
  const name = mainFiles.find((each) => each === use) ?? null;
  const done =
    use === undefined
      ? await service.ask("rulesRead", { root }, host.signal)
      : await service.ask("rulesMainFile", { project, name, root });
  if (!done.ok) return done;
  const own = ofProject(done.value.view.memories, project);
  host.stdout.write(`${describe(own, project)}\n`);
  if (own === undefined) {
    host.stdout.write(mainFiles.map((each) => `  ${each}: ${asLine(describeMainFile(each))}\n`).join(""));
    return succeed(0);
  }
  if (name === "CLAUDE.local.md" && (await isIgnoredByGit(project, name)) === false)
    host.stderr.write(`${asLine(describeNotIgnored(name))}\n`);
  return succeed(0);
}

function ofProject(memories: readonly MemoryView[], project: string): MemoryView | undefined {
  return memories.find((memory) => memory.agent === mainAgent && memory.project === project);
}

function describe(own: MemoryView | undefined, project: string): string {
  if (own === undefined)
    return t(
      "No file is chosen in {0} for the rules of the main conversation. purser rules file --use NAME chooses one:",
      cleanText(project),
    );
  const file = cleanText(own.file);
  if (own.state === "failed") return t("{0} is chosen, and cannot be read.", file);
  if (own.state === "edited") return t("{0} is chosen. Purser's rules in it were edited by hand.", file);
  return own.isCurrent
    ? t("{0} is chosen, and has the active rules of the main conversation.", file)
    : t(
        "{0} is chosen, and does not have the active rules yet. purser memory compile main writes them.",
        file,
      );
}
